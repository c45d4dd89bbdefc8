import { type Logger, pino } from 'pino'
import { createOutageLog, type Outage, type OutageLog } from './database/outage-log.ts'
import type { Usability } from './database/write-probe.ts'

type Log = {
  logger: Logger
  /** From now on an outage of this database is two lines. The returned function ends that. */
  followDatabase(look: () => Promise<Usability>): () => void
}

const beginnings: Record<Outage, string> = {
  away: 'the database cannot be used',
  read_only: 'the database is read-only, so neither evals nor writes are answered',
  no_writes: 'the database takes no writes, because its disk is full, but answers evals',
}

/** JSON lines, on standard output by default. */
export function createLog(level: string, stream?: { write(line: string): void }): Log {
  let outages: OutageLog | null = null
  const hooks = {
    logMethod(this: Logger, args: Parameters<Logger['info']>, method: (...args: Parameters<Logger['info']>) => void) {
      const write = () => method.apply(this, args)
      if (!outages?.takes(args[0], write)) write()
    },
  }
  const logger = stream ? pino({ level, hooks }, stream) : pino({ level, hooks })
  return {
    logger,
    followDatabase(look) {
      // Not under `err`, which would send the line here again.
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
