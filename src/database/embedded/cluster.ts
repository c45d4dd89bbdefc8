import { type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '../../core/startup-error.ts'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

/**
 * The environment of PostgreSQL's programs. They do not inherit this process's variables, because PGPORT, PGDATA, LC_ALL and
 * others would change their behavior.
 */
const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

export function spawnPostgresProgram(runAs: RunAs, command: readonly string[], options: SpawnOptions) {
  const [program = '', ...args] = [...runAs.prefix, ...command]
  return spawn(program, args, { ...options, ...runAs.spawnOptions, env: environment })
}

/**
 * The argument that names the data folder. A program that starts in the folder as another user may not be able to access the
 * folder's path, because only root may enter one of the parent folders.
 */
export function dataFolderArgument(folder: string, { entersByWorkingDirectory }: RunAs): string {
  return entersByWorkingDirectory ? '/proc/self/cwd' : folder
}

/**
 * Returns the password of the cluster in the folder; creates the cluster if it does not exist: first under another name, and
 * then renames it, so that an interrupted start leaves no incomplete cluster. The password is stored inside the folder.
 */
export async function ensureCluster(folder: string, binaries: Binaries, runAs: RunAs, sync: boolean): Promise<string> {
  const passwordFile = 'superuser-password'
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    removeUnfinished(folder)
    const unfinished = `${folder}.new`
    const password = randomBytes(24).toString('base64url')
    await initialise(unfinished, password, binaries, runAs, sync)
    writeFileSync(join(unfinished, passwordFile), password, { mode: 0o600 })
    renameSync(unfinished, folder)
  }
  assertSameMajor(folder)
  return readFileSync(join(folder, passwordFile), 'utf8')
}

/** A locale that sorts by code points, like C, but knows the case of all letters, for case-insensitive search. */
const localeOptions = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

async function initialise(folder: string, password: string, binaries: Binaries, runAs: RunAs, sync: boolean) {
  mkdirSync(folder, { mode: 0o700 })
  const passwordFile = `${folder}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (runAs.user) {
    for (const path of [folder, passwordFile]) chownSync(path, runAs.user.uid, runAs.user.gid)
  }
  const settings = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeOptions,
    '--no-instructions',
  ]
  // The password file is passed open, because the user who runs initdb may not be able to access its path, either.
  const opened = openSync(passwordFile, 'r')
  const pwfile = runAs.entersByWorkingDirectory ? '/proc/self/fd/3' : passwordFile
  const paths = [`--pgdata=${dataFolderArgument(folder, runAs)}`, `--pwfile=${pwfile}`]
  const command = [binaries.initdb, ...paths, ...settings, ...(sync ? [] : ['--no-sync'])]
  const { code, output } = await runToEnd(runAs, command, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', opened] })
  closeSync(opened)
  rmSync(passwordFile)
  if (code !== 0) {
    throw new StartupError(
      `The embedded PostgreSQL cannot create its data folder ${dirname(folder)}: ${lastLine(output)}`,
    )
  }
}

function removeUnfinished(folder: string): void {
  for (const each of [`${folder}.new`, `${folder}.new.password`]) rmSync(each, { recursive: true, force: true })
  // A folder with files but without PG_VERSION does not belong to PostgreSQL. An empty folder is removed, because it could
  // prevent the rename.
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new StartupError(
      `${folder} exists but contains no PostgreSQL data: move it away, or set DATA_DIR to another folder.`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
}

function assertSameMajor(folder: string): void {
  const major = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major !== embeddedMajor) {
    throw new StartupError(
      `${folder} was created by PostgreSQL ${major}, and this is PostgreSQL ${embeddedMajor}: move the data over with pg_dump, or set DATA_DIR to another folder.`,
    )
  }
}

const embeddedMajor = '18'

function runToEnd(
  runAs: RunAs,
  command: string[],
  options: SpawnOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawnPostgresProgram(runAs, command, options)
    let output = ''
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

export function lastLine(text: string): string {
  const lines = text.trim().split('\n')
  const errorLine = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return errorLine.trim() || 'no reason given'
}
