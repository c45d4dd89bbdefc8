import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Service = { port: number; pid: number; databaseUrl: string; stop: () => Promise<void> }

/**
 * The service as `npm start` runs it, in a process of its own, ready: on a new database at DATABASE_URL's server, or on
 * an embedded one in a folder of its own. Both are gone after `stop`.
 */
export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entitlements-bench-'))
  const given = process.env.DATABASE_URL
  const databaseUrl = given === undefined ? undefined : await createDatabase(given)
  const port = await freePort()
  const child = spawn(process.execPath, await startArguments(), {
    cwd: root,
    env: { ...process.env, PORT: `${port}`, DATA_DIR: dataDir, LOG_LEVEL: 'warn', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilReady(child, port)
  return {
    port,
    pid: child.pid as number,
    databaseUrl: databaseUrl ?? (await readFile(join(dataDir, 'database-url'), 'utf8')).trim(),
    async stop() {
      await stopProcess(child)
      await rm(dataDir, { recursive: true, force: true })
      if (given !== undefined && databaseUrl !== undefined) await dropDatabase(given, databaseUrl)
    },
  }
}

/** A bare node:http server that answers this body to everything. */
export async function startBareServer(body: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const script = join(root, 'test/bench/bare-server.ts')
  const child = spawn(process.execPath, [script, body], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { port: Number(String(line)), stop: () => stopProcess(child) }
}

/** Resident memory of a process in megabytes (10^6 bytes). */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6
}

/** The flags of `npm start`, whatever they are. */
async function startArguments(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [, ...args] = (scripts.start as string).split(' ')
  return args
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it was ready`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (ready?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the service is not ready after a minute')
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function createDatabase(given: string): Promise<string> {
  const url = new URL(given)
  url.pathname = `/entitlements_bench_${process.pid}`
  await runOnce(given, `create database ${url.pathname.slice(1)}`)
  return url.href
}

async function dropDatabase(given: string, databaseUrl: string): Promise<void> {
  await runOnce(given, `drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`)
}

async function runOnce(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(text)
  await client.end()
}
