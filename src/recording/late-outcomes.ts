import type { Logger } from 'pino'
import type { AuditEntry, EntryOutcome } from './entry.ts'

/** Records outcomes in the background, once the database answers again. */
export type LateOutcomes = {
  /** Does not change the entry of a write that committed, because the write recorded its own outcome. */
  record(entry: AuditEntry, outcome: EntryOutcome): void
  /** Tries the remaining entries once more, then stops. */
  close(): Promise<void>
}

type LateOutcomesOptions = {
  /** Records the outcome of an entry that is still pending; throws when the database refuses it. */
  record: (entry: AuditEntry, outcome: EntryOutcome) => Promise<void>
  logger: Pick<Logger, 'warn'>
  retryMs?: number
  closeTimeoutMs?: number
}

type MissingOutcome = { entry: AuditEntry; outcome: EntryOutcome }

/**
 * Keeps missing outcomes in memory. They are at most as many as the requests that were running when the database became
 * unavailable, because new requests get no entry until it answers again. If the process is killed, their entries stay
 * `pending`.
 */
export function createLateOutcomes({
  record,
  logger,
  retryMs = 1000,
  closeTimeoutMs = 3000,
}: LateOutcomesOptions): LateOutcomes {
  const missingOutcomes = new Set<MissingOutcome>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed = false

  function schedule(): void {
    if (closed || timer || running || missingOutcomes.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      running = recordAll().finally(() => {
        running = undefined
        schedule()
      })
    }, retryMs)
    timer.unref()
  }

  /**
   * Records one outcome at a time, until the first failure: while the database is unavailable, one attempt per round is enough.
   */
  async function recordAll(): Promise<void> {
    for (const missingOutcome of [...missingOutcomes]) {
      try {
        await record(missingOutcome.entry, missingOutcome.outcome)
        missingOutcomes.delete(missingOutcome)
      } catch (error) {
        // Move the outcome to the end: an entry that another transaction has locked must not delay the others.
        missingOutcomes.delete(missingOutcome)
        missingOutcomes.add(missingOutcome)
        logger.warn(
          { err: error, auditEventId: missingOutcome.entry.id },
          'the outcome of a request could not be recorded yet; it will be tried again',
        )
        return
      }
    }
  }

  return {
    record(entry, outcome) {
      missingOutcomes.add({ entry, outcome })
      schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const lastTry = Promise.resolve(running).then(() => recordAll())
      await Promise.race([lastTry, new Promise((resolve) => setTimeout(resolve, closeTimeoutMs).unref())])
      for (const { entry } of missingOutcomes) {
        logger.warn({ auditEventId: entry.id }, 'the outcome of a request was not recorded: its entry stays pending')
      }
    },
  }
}
