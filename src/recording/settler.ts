import type { Logger } from 'pino'
import type { AuditEntry, EntryOutcome } from './entry.ts'

/** Records outcomes in the background, once the database answers again. */
export type Settler = {
  /** Does not change the entry of a write that committed, which has recorded its own outcome. */
  settle(entry: AuditEntry, outcome: EntryOutcome): void
  /** Tries the remaining entries once more, and ends. */
  close(): Promise<void>
}

type SettlerOptions = {
  /** Records the outcome of an entry that is still pending; throws when the database refuses it. */
  record: (entry: AuditEntry, outcome: EntryOutcome) => Promise<void>
  logger: Pick<Logger, 'warn'>
  retryMs?: number
  closeTimeoutMs?: number
}

type Debt = { entry: AuditEntry; outcome: EntryOutcome }

/**
 * Missing outcomes are kept in memory. They are few: nothing is recorded while the database is unavailable, so there are
 * no more than running requests. A process that is killed leaves those entries `pending`.
 */
export function createSettler({ record, logger, retryMs = 1000, closeTimeoutMs = 3000 }: SettlerOptions): Settler {
  const debts = new Set<Debt>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed = false

  function schedule(): void {
    if (closed || timer || running || debts.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      running = recordAll().finally(() => {
        running = undefined
        schedule()
      })
    }, retryMs)
    timer.unref()
  }

  /** One by one, up to the first that fails: while the database is unavailable, one attempt a round is enough. */
  async function recordAll(): Promise<void> {
    for (const debt of [...debts]) {
      try {
        await record(debt.entry, debt.outcome)
        debts.delete(debt)
      } catch (error) {
        // Moved to the end of the queue: an entry that another transaction has locked does not delay the others.
        debts.delete(debt)
        debts.add(debt)
        logger.warn(
          { err: error, auditEventId: debt.entry.id },
          'the outcome of a request could not be recorded yet and is tried again',
        )
        return
      }
    }
  }

  return {
    settle(entry, outcome) {
      debts.add({ entry, outcome })
      schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const lastTry = Promise.resolve(running).then(() => recordAll())
      await Promise.race([lastTry, new Promise((resolve) => setTimeout(resolve, closeTimeoutMs).unref())])
      for (const { entry } of debts) {
        logger.warn({ auditEventId: entry.id }, 'the outcome of a request was not recorded: its entry stays pending')
      }
    },
  }
}
