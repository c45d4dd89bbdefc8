import { isAnswered } from '../database/outage.ts'
import { inOrder, type Statement } from '../database/sql.ts'
import type { WriteConnection } from '../database/write-connection.ts'
import type { NewEvent } from '../events/event.ts'
import type { Jobs } from '../events/jobs.ts'
import { changesStatement, eventsStatement } from '../events/outbox.ts'
import type { Job } from '../events/queues.ts'
import { notRecorded } from '../recording/entry.ts'

/** The statements that a write sends together with COMMIT. */
export type LastStatements = {
  writes: readonly Statement[]
  /** Queues the write's events for receivers. */
  events: Statement | null
  /** Stores them for followers of changes. */
  changes: Statement | null
  jobs: readonly Statement[]
}

type Outcome = { writes?: readonly Statement[]; events?: readonly NewEvent[]; jobs?: readonly Job[] }

/** The number of events that were queued, and whether followers of changes have something to read. */
export type Committed = { events: number; hasChanges: boolean }

/** The events and jobs of a write exist only if it commits. */
export async function lastStatements(
  jobs: Jobs,
  organizationId: string,
  { writes = [], events = [], jobs: newJobs = [] }: Outcome,
): Promise<LastStatements> {
  return {
    writes,
    events: eventsStatement(organizationId, events),
    changes: changesStatement(organizationId, events),
    jobs: await jobs.toStatements(organizationId, newJobs),
  }
}

/**
 * Sends all at once, `success` last: if one fails, PostgreSQL rolls back instead of committing. Throws if one cannot be sent.
 */
export function sendCommit(
  connection: Pick<WriteConnection, 'send' | 'commit'>,
  { writes, events, changes, jobs }: LastStatements,
  success: readonly Statement[] = [],
): Promise<Committed> {
  const send = (statement: Statement) => connection.send(statement)
  const written = writes.map(send)
  const queued = events && send(events)
  const stored = changes && send(changes)
  const sentJobs = jobs.map(send)
  const recorded = success.map((statement) =>
    send(statement).catch((cause) => {
      throw isAnswered(cause) ? notRecorded(cause) : cause
    }),
  )
  const committed = inOrder([...written, queued, stored, ...sentJobs, ...recorded, connection.commit()])
  return committed.then(async () => ({ events: (await queued)?.rowCount ?? 0, hasChanges: changes !== null }))
}
