import type { Logger } from 'pino'
import type { AuditEntry, EntryOutcome } from './entry.ts'

/** Tells entries their outcome in the background, once the database answers again. */
export type Settler = {
  /** A write that committed has told its entry by itself: such an entry is left as it is. */
  settle(entry: AuditEntry, outcome: EntryOutcome): void
  /** Tries once more what is left, and ends. */
  close(): Promise<void>
}

type SettlerOptions = {
  /** Tells an entry that is still pending; throws when the database does not take it. */
  tell: (entry: AuditEntry, outcome: EntryOutcome) => Promise<void>
  logger: Pick<Logger, 'warn'>
  retryMs?: number
  closeTimeoutMs?: number
}

type Debt = { entry: AuditEntry; outcome: EntryOutcome }

/**
 * What is owed is kept in memory, and is little: nothing is recorded while the database is away, so no more than the
 * requests that were under way. A process that is killed leaves those entries `pending`.
 */
export function createSettler({ tell, logger, retryMs = 1000, closeTimeoutMs = 3000 }: SettlerOptions): Settler {
  const debts = new Set<Debt>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed = false

  function schedule(): void {
    if (closed || timer || running || debts.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      running = tellAll().finally(() => {
        running = undefined
        schedule()
      })
    }, retryMs)
    timer.unref()
  }

  /** One by one, up to the first that fails: while the database is away, one attempt a round is enough. */
  async function tellAll(): Promise<void> {
    for (const debt of [...debts]) {
      try {
        await tell(debt.entry, debt.outcome)
        debts.delete(debt)
      } catch (error) {
        // To the end of the row: an entry that another transaction holds keeps no one waiting.
        debts.delete(debt)
        debts.add(debt)
        logger.warn({ err: error, auditEventId: debt.entry.id }, 'the outcome of a request is still to be recorded')
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
      const lastTry = Promise.resolve(running).then(() => tellAll())
      await Promise.race([lastTry, new Promise((resolve) => setTimeout(resolve, closeTimeoutMs).unref())])
      for (const { entry } of debts) {
        logger.warn({ auditEventId: entry.id }, 'the outcome of a request was not recorded: its entry stays pending')
      }
    },
  }
}
