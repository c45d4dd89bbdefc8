import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { print, printError, printNote } from './core/print.ts'
import { StartupError } from './core/startup-error.ts'
import { handlePrimaryMessages } from './processes/primary.ts'
import type { StartedService, StartOptions } from './start.ts'

/*
 * Starts and stops the process. Sets up the signal handlers before it loads the other modules, because loading takes most of a
 * second, and a stop must work during that time.
 */

/** A stop that takes longer is cut short. The time in which requests are still served does not count. */
const stopTimeoutMs = 30_000
/** Under npm, Ctrl-C arrives twice, from the terminal and from npm, so only a later signal counts as the second. */
const secondSignalAfterMs = 1_000

/** Stops everything that was started, in reverse order. */
const started = new AsyncDisposableStack()
/** Aborts at the first signal: an incomplete start ends at its next step. */
const stopping = new AbortController()
/** Null until the start is complete. */
let service: StartedService | null = null
let logger: Logger | null = null
let stopRequestedAt: number | null = null
let isStopping = false
let isRestartRequested = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal())
process.on('SIGHUP', () => {
  // A terminal that closes sends SIGHUP too.
  if (hasTerminal()) onSignal()
  else if (service) restart(service)
  // Before the start is complete, it is unknown whether there are processes to replace.
  else isRestartRequested = true
})
if (cluster.isWorker) {
  handlePrimaryMessages({
    // A signal from a terminal or from systemd reaches both this process and the primary.
    stop: () => void (stopRequestedAt === null && onSignal()),
    leave: () => void service?.leave?.().then(() => stop(0)),
  })
}
process.on('uncaughtException', (error) => {
  if (isStopping) return void exit(1)
  if (logger) logger.fatal({ err: error }, 'uncaught exception')
  else printError(error)
  void stop(1)
})

const startHelp = `Usage: npm start [-- --no-delivery]   (also start:api, start:worker, start:relay)

Starts the service: the API and the worker, or one of them; or a relay, which needs no database and answers checks beside your
product. docs/configuration.md lists the environment variables that each reads.

  --no-delivery   sends no webhooks; their events are queued, and wait`

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  print(startHelp)
  process.exit(0)
}

// This cache is safe, because anyone who can write to the folder of the packages controls what runs anyway. There is no cache
// if the folder is read-only.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
try {
  const words = process.argv.slice(2)
  const options = {
    started,
    signal: stopping.signal,
    useLogger: (created: Logger) => {
      logger = created
    },
  }
  if (words[0] === 'relay') {
    const { startRelay } = await import('./start-relay.ts')
    service = await startRelay(words.slice(1), options)
  } else {
    const { start } = await import('./start.ts')
    service = await start({ ...parseArguments(words), ...options, onDatabaseEnded })
  }
  // A signal may have arrived during the last step.
  if (stopping.signal.aborted) await stop(0)
  else if (isRestartRequested) restart(service)
} catch (error) {
  // A start that a signal cut short is not a failure.
  if (stopping.signal.aborted) await stop(0)
  printError(error)
  await stop(1)
}

/** Reads `api` or `worker`, the halves that `npm run start:api` and `start:worker` run; without either, both start. */
function parseArguments(words: readonly string[]): Pick<StartOptions, 'half' | 'delivers'> {
  const { half, options } = Object.groupBy(words, (word) => (word === 'api' || word === 'worker' ? 'half' : 'options'))
  const unknown = options?.find((word) => word !== '--no-delivery')
  // Refuses unknown options, because a misspelled --no-delivery would send webhooks.
  if (unknown !== undefined)
    throw new StartupError(
      `${unknown} is not an option of the server. The only option is --no-delivery: it sends no webhooks.`,
    )
  return { half: (half?.[0] as StartOptions['half'] | undefined) ?? null, delivers: options === undefined }
}

function onSignal(): void {
  if (stopRequestedAt !== null) {
    if (Date.now() - stopRequestedAt > secondSignalAfterMs) void exit(1)
    return
  }
  stopRequestedAt = Date.now()
  stopping.abort()
  // Requests are still served for a while, but only once the port is open.
  if (service) void wait(service.shutdownGraceMs).then(() => stop(0))
}

/** A single process cannot replace itself, so it stops. */
function restart(complete: StartedService): void {
  if (complete.restart) complete.restart()
  else onSignal()
}

function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
}

function onDatabaseEnded(): void {
  if (isStopping || stopping.signal.aborted) return
  logger?.fatal('the embedded PostgreSQL ended unexpectedly')
  void stop(1)
}

/** Waits for running requests, then closes the database, then stops the embedded PostgreSQL. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  setTimeout(() => {
    printNote(`Not everything stopped within ${stopTimeoutMs / 1000} seconds.`)
    void exit(1)
  }, stopTimeoutMs).unref()
  try {
    await started.disposeAsync()
  } catch (error) {
    logger?.error({ err: error }, 'could not stop cleanly')
    return exit(1)
  }
  await exit(exitCode)
}

async function exit(exitCode: number): Promise<void> {
  if (logger) await (await import('./logging/log.ts')).flush(logger)
  process.exit(exitCode)
}
