import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf, StartupError } from '../../core/startup-error.ts'
import type { Binaries } from './binaries.ts'
import { dataFolderArgument, lastLine, spawnPostgresProgram } from './cluster.ts'
import { chooseEndpoint, type Endpoint, removeStaleSocket, settingsFor } from './endpoint.ts'
import { isAlive, isPostmasterOf, waitUntil } from './processes.ts'
import type { RunAs } from './run-as.ts'

const startTimeoutMs = 60_000
const fastShutdownMs = 20_000
const immediateShutdownMs = 5_000

type Postmaster = {
  pid: number
  endpoint: Endpoint
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>
}

type PostmasterOptions = {
  folder: string
  logFile: string
  binaries: Binaries
  runAs: RunAs
  settings: Readonly<Record<string, string>>
}

/** Starts the server and resolves when it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const result = await tryStart(options, await chooseEndpoint(options.folder))
    if (typeof result !== 'string') return result
    // Another program may have taken the port, or children of a killed server may still be running.
    const mayPass = /address already in use|shared memory block/i.test(result)
    if (!mayPass || attempt === 20) {
      throw new StartupError(`The embedded PostgreSQL does not start: ${lastLine(result)} (more in ${options.logFile})`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Stops the server: first cleanly, ending connections and writing all data to disk, then more forcefully. */
export async function stopPostmaster(pid: number, isGone = () => !isAlive(pid)): Promise<void> {
  const steps = [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
    ['SIGKILL', immediateShutdownMs],
  ] as const
  for (const [signal, timeoutMs] of steps) {
    signalIfRunning(pid, signal)
    if (await waitUntil(isGone, timeoutMs)) return
  }
}

/**
 * Stops a server that an earlier, killed process left running on this folder, and removes its postmaster.pid: if another
 * process now has the id in this file, PostgreSQL would mistake that process for a running server and refuse to start.
 */
export async function stopOrphan(folder: string): Promise<void> {
  const pid = Number(readState(folder)[0])
  const isOurs = () => isAlive(pid) && isPostmasterOf(pid, folder)
  if (pid > 0 && isOurs()) await stopPostmaster(pid, () => !isOurs())
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  removeStaleSocket(folder)
}

export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}

/** Tries once to start the server. Returns the server, or the reason why it did not become ready. */
async function tryStart(options: PostmasterOptions, endpoint: Endpoint): Promise<Postmaster | string> {
  const { folder, logFile, binaries, runAs } = options
  const settings = { ...settingsFor(endpoint), ...options.settings }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Deleted first, because the old file may belong to another user.
  rmSync(logFile, { force: true })
  const log = openSync(logFile, 'w', 0o600)
  // The server gets its own session, because Ctrl-C in the terminal must not stop the server while the service still uses it.
  const child = spawnPostgresProgram(runAs, [binaries.postgres, '-D', dataFolderArgument(folder, runAs), ...flags], {
    cwd: folder,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)

  let failure: string | null = null
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      failure = reasonOf(error)
      resolve()
    })
    child.once('exit', () => {
      failure ??= readFileSync(logFile, 'utf8')
      resolve()
    })
  })
  // Lets this process exit without waiting for the server.
  child.unref()
  const pid = child.pid ?? 0
  const isReady = () => {
    const state = readState(folder)
    return state[0] === String(pid) && state[7]?.trim() === 'ready'
  }
  const isSettled = await waitUntil(() => failure !== null || isReady(), startTimeoutMs)
  if (failure !== null) return failure
  if (!isSettled) {
    await stopPostmaster(pid)
    return `not ready within ${startTimeoutMs / 1000} seconds`
  }
  return { pid, endpoint, ended }
}

/** The lines of postmaster.pid: the first is the process id, the eighth the state. */
function readState(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}
