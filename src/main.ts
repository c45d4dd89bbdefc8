import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { print, printError, printNote } from './core/print.ts'
import { StartupError } from './core/startup-error.ts'
import { followPrimary } from './processes/primary.ts'
import type { StartedService, StartOptions } from './start.ts'

/*
 * Starts and stops the process. The signal handlers are set up before the rest is loaded: loading takes a good part of a
 * second, and a stop must already work then.
 */

/** A stop that takes longer is cut short; the time in which requests are still served does not count. */
const stopTimeoutMs = 30_000
/** Under npm, Ctrl-C reaches us twice, from the terminal and from npm, so only a later signal counts as a second one. */
const secondSignalAfterMs = 1_000

/** Everything that was started; disposing of it stops all of it in reverse order. */
const started = new AsyncDisposableStack()
/** Aborted at the first signal: a start that is not complete ends at its next step. */
const stopping = new AbortController()
/** Null until the start is complete. */
let service: StartedService | null = null
let logger: Logger | null = null
let stopRequestedAt: number | null = null
let isStopping = false
let isRestartAsked = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal())
process.on('SIGHUP', () => {
  // The end of a terminal sends it as well.
  if (hasTerminal()) onSignal()
  else if (service) restart(service)
  // Whether the start has created something to replace is known only once it is complete.
  else isRestartAsked = true
})
if (cluster.isWorker) {
  followPrimary({
    // A signal of a terminal or of systemd reaches this process and the primary.
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

// Anyone who can write to the folder of the packages controls what runs anyway. A folder that cannot be written to is left
// alone.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
try {
  const words = process.argv.slice(2)
  const options = {
    started,
    signal: stopping.signal,
    useLogger: (made: Logger) => {
      logger = made
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
  else if (isRestartAsked) restart(service)
} catch (error) {
  // A start that a signal cut short did not fail.
  if (stopping.signal.aborted) await stop(0)
  printError(error)
  await stop(1)
}

/** `api` and `worker` are the halves that `npm run start:api` and `start:worker` run; without one of them both start. */
function parseArguments(words: readonly string[]): Pick<StartOptions, 'half' | 'delivers'> {
  const { half, options } = Object.groupBy(words, (word) => (word === 'api' || word === 'worker' ? 'half' : 'options'))
  const unknown = options?.find((word) => word !== '--no-delivery')
  // A misspelled option may be the one that forbids sending.
  if (unknown !== undefined)
    throw new StartupError(`${unknown} is not an option of the server. It has one: --no-delivery sends no webhooks.`)
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

/** A single process cannot replace itself: it stops. */
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

/** Lets running requests end, then closes the database, then stops the embedded PostgreSQL. */
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
    logger?.error({ err: error }, 'could not stop in order')
    return exit(1)
  }
  await exit(exitCode)
}

async function exit(exitCode: number): Promise<void> {
  if (logger) await (await import('./logging/log.ts')).flush(logger)
  process.exit(exitCode)
}
