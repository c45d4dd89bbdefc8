import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { optionsForReporting } from '../statements/sent.ts'
import { buildService, builtScript } from './built-service.ts'
import { findFreePort } from './free-port.ts'
import { inheritedEnv } from './inherited-env.ts'
import { wasDatabaseLate } from './is-database-late.ts'

/** A process of the service, run like its npm script. */
export type ServerProcess = {
  /** Stops it, and resolves to its exit code, or null if a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  pid: number
}

const ownMain = builtScript('src/main.ts')

/** Called with each piece of the log; if absent, the log goes to the tests' own output. */
type OnLog = ((text: string) => void) | undefined

/** Runs `start:worker`; resolves when it is ready. */
export function spawnWorker(env: Record<string, string>, onLog?: OnLog): Promise<ServerProcess> {
  return start('worker', env, /The worker sends/, onLog)
}

/** Runs `start:api` on the given PORT or a free one; resolves when it answers at `url`. */
export async function spawnApi(
  env: Record<string, string>,
  onLog?: OnLog,
  main?: string,
): Promise<ServerProcess & { url: string }> {
  const port = env.PORT ?? `${await findFreePort()}`
  const server = await start('api', { ...env, PORT: port }, /is running/, onLog, main)
  return { ...server, url: `http://127.0.0.1:${port}` }
}

/** Starts the process again if the database was too late. */
async function start(...options: Parameters<typeof startOnce>): Promise<ServerProcess> {
  for (;;) {
    const server = await startOnce(...options).catch((error: Error) => {
      if (!wasDatabaseLate(error.message)) throw error
    })
    if (server) return server
  }
}

async function startOnce(
  half: string,
  env: Record<string, string>,
  ready: RegExp,
  onLog: OnLog,
  main = ownMain,
): Promise<ServerProcess> {
  await buildService()
  const reports = optionsForReporting()
  const child = spawn(process.execPath, [...reports.execArgv, main, half], {
    env: { ...inheritedEnv, LOG_LEVEL: 'error', ...reports.env, ...env },
    stdio: ['ignore', onLog ? 'pipe' : 'inherit', 'pipe'],
  })
  const endWithUs = () => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  child.stdout?.on('data', (chunk) => onLog?.(`${chunk}`))
  try {
    await waitForOutput(child, ready)
  } catch (error) {
    await end(child, 'SIGKILL')
    throw error
  }
  return { pid: child.pid as number, end: (signal) => end(child, signal) }
}

async function waitForOutput(child: ChildProcess, ready: RegExp): Promise<void> {
  let output = ''
  for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    output += chunk
    if (!ready.test(output)) continue
    // Keep reading, or the pipe would fill up.
    child.stderr?.resume()
    return
  }
  throw new Error(`The process ended before it was ready: ${output}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code] = await ended
  return code
}
