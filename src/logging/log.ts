import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { version } from '../core/version.ts'
import { createOutageLog, type Outage, type OutageLog } from '../database/outage-log.ts'
import type { Usability } from '../database/write-probe.ts'
import { LineLimit } from './line-limit.ts'
import { toText } from './to-text.ts'

type Log = {
  logger: Logger
  /** Logs how many lines have been left out so far. */
  end(): void
  /** Logs each outage of this database as two lines, until the returned function is called. */
  followDatabase(probe: () => Promise<Usability>): () => void
}

const outageMessages: Record<Outage, string> = {
  away: 'the database cannot be used',
  read_only: 'the database takes no writes: evals are answered, and counted when it can be used again',
  no_writes: 'the database takes no writes, because its disk is full, but answers evals',
}

/** Lines of these levels (info, warn, error) may be left out, unlike lines for debugging and the fatal line of a process. */
const limitedLevels = [30, 40, 50]

/** The maximum bytes that are kept while nobody reads standard output; further lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024

type LogOptions = {
  level: string
  /** `pretty` is for people at a terminal. */
  format: 'pretty' | 'json'
  /** The stream for the lines; standard output by default. */
  stream?: { write(line: string): void }
}

/** Creates the log: lines on standard output, each with the service's version. Repetitions of a line are limited. */
export function createLog({ level, format, stream }: LogOptions): Log {
  let outages: OutageLog | null = null
  const limit = new LineLimit({
    onLeftOut: (leftOut) => logger.warn(leftOut, 'more lines like this were left out'),
  })
  const hooks = {
    logMethod(
      this: Logger,
      args: Parameters<Logger['info']>,
      method: (...args: Parameters<Logger['info']>) => void,
      level: number,
    ) {
      const write = () => {
        if (!limitedLevels.includes(level) || limit.admits(toLine(args))) method.apply(this, args)
      }
      if (!outages?.takes(args[0], write)) write()
    },
  }
  const pretty = { write: (line: string) => void (stream ?? process.stdout).write(toText(line)) }
  const lines = stream ?? pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: maxWaitingBytes })
  const destination = format === 'pretty' ? pretty : lines
  const options = { level, hooks, formatters: { bindings: (bindings: object) => ({ ...bindings, version }) } }
  const logger = pino(options, destination)
  return {
    logger,
    end: () => limit.end(),
    followDatabase(probe) {
      // The error is not in `err`, because `takes` would then hold back this line, too.
      const following = createOutageLog({
        probe,
        onBegin: (outage, error) =>
          logger.error(
            { error: pino.stdSerializers.err(error as Error) },
            `${outageMessages[outage]}: failures for this reason are not logged until it can be used again`,
          ),
        onEnd: (outage) => logger.warn(outage, 'the database can be used again'),
        onLeftOut: (count) => logger.warn({ count }, 'more failures of this kind were left out'),
      })
      outages = following
      return () => {
        outages = null
        following.close()
      }
    },
  }
}

/** How long the reader of standard output may take to read the last lines. */
const flushMs = 1_000

/** Must be called before an exit: otherwise, if nobody reads the lines, pino repeats a failing write forever. */
export async function flush(logger: Logger): Promise<void> {
  const { promise: flushed, resolve } = Promise.withResolvers<boolean>()
  logger.flush(() => resolve(true))
  if (await Promise.race([flushed, wait(flushMs, false)])) return
  const { [pino.symbols.streamSym]: stream } = logger as unknown as Record<symbol, { flushSync(): void }>
  if (stream) stream.flushSync = () => {}
}

function toLine([first, second]: Parameters<Logger['info']>) {
  const fields = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {}
  return { message: String(typeof first === 'string' ? first : second), fields }
}
