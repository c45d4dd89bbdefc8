import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { atEnd } from '../support/at-end.ts'
import { builtScript } from '../support/built-service.ts'
import { copyDataFolder } from '../support/data-folder.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { wasDatabaseLate } from '../support/is-database-late.ts'
import { limitOf } from '../support/limit-of.ts'
import { testMasterKey } from '../support/master-key.ts'
import { parentOfData } from '../support/memory-folder.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

type ProcessResult = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type Running = {
  child: ChildProcess
  /** The address at which it answers. */
  url: string
  /** The text that the process printed for people when it started. */
  welcome: string
  /** The lines of its log. */
  stdout(): string
  /** Resolves when the process has ended. The result's `stderr` does not contain the welcome. */
  ended: Promise<ProcessResult>
}

type Options = { script?: string; args?: string[]; env?: Record<string, string>; uid?: number }

/**
 * Starts a process of the service with only this environment, inherited variables, and the master key of the tests' shared
 * database. It ends with the test, or with the file if called outside of one.
 */
export function run({ script = 'src/main.ts', args = [], env = {}, uid }: Options): {
  child: ChildProcess
  stdout(): string
  stderr(): string
  ended: Promise<ProcessResult>
} {
  const child = spawn(process.execPath, [builtScript(script), ...args], {
    cwd: tmpdir(),
    env: {
      ...inheritedEnv,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...(env.DATABASE_URL && { MASTER_KEY: testMasterKey }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<ProcessResult>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  // A process with a worker or a PostgreSQL of its own must shut down cleanly: otherwise its leases of events, or its
  // PostgreSQL, would remain.
  const canBeKilled = env.DATABASE_URL !== undefined && args[0] === 'api'
  atEnd(async () => {
    child.kill(canBeKilled ? 'SIGKILL' : 'SIGTERM')
    await ended
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

/** Resolves to a server that already answers. Starts it again if the database was too late. */
export async function startServer(options: Options): Promise<Running> {
  const { child, stdout, stderr, ended } = run(options)
  const early = ended.then(({ code, stderr }) => {
    if (wasDatabaseLate(stderr)) return null
    throw new Error(`the server ended with ${code} before it answered: ${stderr}`)
  })
  const answering = new Promise<string>((resolve) => {
    child.stderr?.on('data', () => {
      const url = /REST +(\S+)\/org\n/.exec(stderr())?.[1]
      // The whole welcome comes before the blank line that ends it.
      if (url && stderr().endsWith('\n\n')) resolve(url)
    })
  })
  const url = await Promise.race([answering, early])
  if (url === null) return startServer(options)
  const welcome = stderr()
  const after = ended.then((result) => ({ ...result, stderr: result.stderr.slice(welcome.length) }))
  return { child, url, welcome, stdout, ended: after }
}

/** Resolves when a process that was told to stop is no longer ready, or has ended, because its grace period may be short. */
export async function untilStopping({ url, ended }: Running): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  await expect.poll(async () => hasEnded || (await fetch(`${url}/readyz`).catch(() => null))?.status === 503).toBe(true)
}

/** Starts the PostgreSQL of a data folder from the tests' process, as if this process were a server on that folder. */
export async function startDatabase(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } })
  atEnd(postgres.stop)
  return postgres
}

/** The output of a command of `npm run`. */
export function runCommand(script: string, args: string[], env: Record<string, string>): Promise<ProcessResult> {
  return run({ script: `src/cli/${script}.ts`, args, env }).ended
}

export type LogLine = { level: number; msg: string; err?: { message: string } }

/** The lines of a server's log, except refusals and those of a slow machine: connections and statements that timed out. */
export function logLines({ stdout }: { stdout(): string }): LogLine[] {
  const lines = stdout().trim().split('\n')
  const parsed = lines.map((line): LogLine => JSON.parse(line))
  // Parsing drops the first of two fields with one name: no line may have such fields.
  expect(parsed.map((line) => JSON.stringify(line))).toEqual(lines)
  return parsed.filter((line) => !isOfSlowMachine(line))
}

/** Whether the line is a refusal, or a connection or statement that timed out. */
export function isOfSlowMachine({ msg, err }: LogLine): boolean {
  return (
    /timeout|timed out/.test(err?.message ?? '') ||
    msg === 'more failures of this kind were left out' ||
    /^a (slow request|request was refused)/.test(msg)
  )
}

/** An installation has 50,000 files, and removing them takes minutes on a busy machine. */
const removalTimeoutMs = limitOf(400_000)

export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'entitlements-start-'))
  atEnd(() => rm(folder, { recursive: true, force: true }), removalTimeoutMs)
  return folder
}

/** A data folder for a new PostgreSQL. */
export const emptyFolder = () => temporaryFolder(parentOfData())

/** A data folder with the service's tables and no rows, as if a server had migrated it and stopped. */
export const migratedFolder = () => copyDataFolder(emptyFolder())

/** The process ids of the PostgreSQL servers and their children that run in this data folder. */
export function postgresProcesses(dataDir: string): number[] {
  const folder = join(dataDir, 'postgres')
  return readdirSync('/proc').flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) && readlinkSync(`/proc/${entry}/cwd`) === folder ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}

export function postmasterPid(dataDir: string): number {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
}

/** The one line that a failing process prints, which is its whole output. */
export function onlyLine({ code, stdout, stderr }: ProcessResult): string {
  const lines = (stdout + stderr).trimEnd().split('\n')
  return code === 1 && lines.length === 1 ? (lines[0] ?? '') : `exit code ${code}:\n${stdout}${stderr}`
}
