import { type Logger, pino } from 'pino'
import { version } from './core/version.ts'
import { createOutageLog, type Outage, type OutageLog } from './database/outage-log.ts'
import type { Usability } from './database/write-probe.ts'

type Log = {
  logger: Logger
  /** Logs each outage of this database as two lines, until the returned function is called. */
  followDatabase(look: () => Promise<Usability>): () => void
}

const beginnings: Record<Outage, string> = {
  away: 'the database cannot be used',
  read_only: 'the database is read-only, so neither evals nor writes are answered',
  no_writes: 'the database takes no writes, because its disk is full, but answers evals',
}

/** JSON lines, each with this version, on standard output by default. */
export function createLog(level: string, stream?: { write(line: string): void }): Log {
  let outages: OutageLog | null = null
  const hooks = {
    logMethod(this: Logger, args: Parameters<Logger['info']>, method: (...args: Parameters<Logger['info']>) => void) {
      const write = () => method.apply(this, args)
      if (!outages?.takes(args[0], write)) write()
    },
  }
  const options = { level, hooks, formatters: { bindings: (bindings: object) => ({ ...bindings, version }) } }
  const logger = stream ? pino(options, stream) : pino(options)
  return {
    logger,
    followDatabase(look) {
      // Not under `err`, because `takes` would hold back this line too.
      const following = createOutageLog({
        look,
        onBegin: (outage, error) =>
          logger.error(
            { error: pino.stdSerializers.err(error as Error) },
            `${beginnings[outage]}: failures for this reason are not logged until it can be used again`,
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
