import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { administer } from '../../support/administer.ts'
import { findFreePort } from '../../support/free-port.ts'

/** The folder of this version. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The bench's receivers run on this machine. */
const loopback = { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }

/** `dataDir` has the master key. */
export type Service = {
  port: number
  pid: number
  databaseUrl: string
  dataDir: string
  stop: () => Promise<void>
}

/**
 * Starts the service like `npm start`, in its own process, and waits until it is ready: on a new database on the given
 * server, or an embedded one in its own folder. `stop` removes both.
 */
export async function startService(given = process.env.DATABASE_URL): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entitlements-bench-'))
  const databaseUrl = given === undefined ? undefined : await createDatabase(given)
  const { child, port } = await spawnReady([], { DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
  return {
    port,
    pid: child.pid as number,
    dataDir,
    databaseUrl: databaseUrl ?? (await readFile(join(dataDir, 'database-url'), 'utf8')).trim(),
    async stop() {
      await stopProcess(child)
      await rm(dataDir, { recursive: true, force: true })
      if (given !== undefined && databaseUrl !== undefined) await dropDatabase(given, databaseUrl)
    },
  }
}

/** A process of one half of the service; `inspectPort` is where its inspector listens after SIGUSR1. */
export type ServiceHalf = { port: number; pid: number; inspectPort: number; stop: () => Promise<void> }

/** Starts one half like `npm run start:api` or `start:worker`, on an existing database. `dataDir` has the master key. */
export async function startHalf(
  half: 'api' | 'worker',
  { databaseUrl, dataDir, env }: { databaseUrl: string; dataDir: string; env?: Record<string, string> },
): Promise<ServiceHalf> {
  const inspectPort = await findFreePort()
  const { child, port } = await spawnReady([half], {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    NODE_OPTIONS: `--inspect-port=${inspectPort}`,
    ...env,
  })
  return { port, pid: child.pid as number, inspectPort, stop: () => stopProcess(child) }
}

export type Relay = {
  port: number
  pid: number
  /** The value of a metric without labels. */
  metric: (name: string) => Promise<number>
  stop: () => Promise<void>
}

/** Starts a relay of the service like `npm run start:relay`. Its callers send the same key as those of the service. */
export async function startRelay({ port }: Service, key: string, env: Record<string, string> = {}): Promise<Relay> {
  const metricsPort = await findFreePort()
  const { child, port: own } = await spawnReady(['relay'], {
    RELAY_UPSTREAM_URL: `http://127.0.0.1:${port}`,
    ENTITLEMENTS_API_KEY: key,
    RELAY_TOKENS: key,
    METRICS_PORT: `${metricsPort}`,
    ...env,
  })
  return {
    port: own,
    pid: child.pid as number,
    async metric(name) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    },
    stop: () => stopProcess(child),
  }
}

/** Starts the version of the service in this folder on an existing database, with its own Node. `dataDir` has the master key. */
export async function startVersion(folder: string, { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }) {
  const { child, port } = await spawnReady([], { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, folder)
  return { port, pid: child.pid as number, stop: () => stopProcess(child) }
}

async function spawnReady(words: string[], env: NodeJS.ProcessEnv, folder = root) {
  const port = await findFreePort()
  const child = spawn(nodeOf(folder), [...(await startArguments(folder)), ...words], {
    cwd: folder,
    env: { ...process.env, PORT: `${port}`, WORKER_PORT: `${port}`, LOG_LEVEL: 'warn', ...loopback, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithProcess(child)
  await waitUntilReady(child, port).catch((error) => {
    child.kill()
    throw error
  })
  return { child, port }
}

type Server = { port: number; pid: number; stop: () => Promise<void> }

/** A bare node:http server that answers this body to every request. */
export function startBareServer(body: string): Promise<Server> {
  return startServer('bare-server.ts', body)
}

/** A bare node:http server on this database, with one query or transaction for each request. */
export function startByHandServer(databaseUrl: string): Promise<Server> {
  return startServer('by-hand-server.ts', databaseUrl)
}

/** Starts a script that prints its port. */
async function startServer(script: string, argument: string): Promise<Server> {
  const command = [join(import.meta.dirname, script), argument]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithProcess(child)
  const [line] = await once(child.stdout, 'data')
  return { port: Number(String(line)), pid: child.pid as number, stop: () => stopProcess(child) }
}

/** Resident memory of a process in megabytes (10^6 bytes). */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6
}

/** Processor time of a process so far; the kernel counts in hundredths of a second. */
export async function cpuMilliseconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** The processor time so far of a process and its descendants, including those that have ended. */
export async function treeCpuMilliseconds(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      const [, parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = fields.slice(9, 13).reduce((sum, each) => sum + Number(each), 0)
      return { pid: Number(name), parent: Number(parent), ticks }
    }),
  )
  const tree = new Set([pid])
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid)
  }
  return processes.filter((each) => tree.has(each.pid)).reduce((sum, { ticks }) => sum + ticks * 10, 0)
}

/** The Node that npm installed in the folder. */
export function nodeOf(folder: string): string {
  return join(folder, 'node_modules/.bin/node')
}

/** The flags of `npm start`. */
async function startArguments(folder: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const words = (scripts.start as string).split(' ')
  return words.slice(words.indexOf('node') + 1)
}

/** Ends the child with this process: an interrupted bench must leave nothing behind. */
export function endWithProcess(child: ChildProcess): void {
  const end = () => void child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 15_000; attempt++) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it was ready`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (ready?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the service is not ready after five minutes')
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function createDatabase(given: string): Promise<string> {
  const url = new URL(given)
  url.pathname = `/entitlements_bench_${process.pid}`
  await administer(given, `create database ${url.pathname.slice(1)}`)
  return url.href
}

async function dropDatabase(given: string, databaseUrl: string): Promise<void> {
  await administer(given, `drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`)
}
