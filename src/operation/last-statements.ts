import { Prisma } from '../database/generated/client.ts'
import { isAnswered } from '../database/outage.ts'
import { awaitInOrder, type Statement } from '../database/sql.ts'
import type { WriteConnection } from '../database/write-connection.ts'
import type { NewEvent } from '../events/event.ts'
import type { Jobs } from '../events/jobs.ts'
import { changesStatement, eventsStatement } from '../events/outbox.ts'
import type { Job } from '../events/queues.ts'
import { notRecorded } from '../recording/entry.ts'

/** The statements that a write sends together with COMMIT. */
export type LastStatements = {
  writes: readonly Prisma.Sql[]
  /** Queues the write's events for receivers. */
  events: Prisma.Sql | null
  /** Stores the changes for followers. */
  changes: Prisma.Sql | null
  jobs: readonly Statement[]
}

type Outcome = { writes?: readonly Prisma.Sql[]; events?: readonly NewEvent[]; jobs?: readonly Job[] }

/** The number of events that were queued, and whether followers of changes have something to read. */
export type CommitResult = { events: number; hasChanges: boolean }

/**
 * Returns the statements that store the write's events, changes and jobs. They run in the transaction of the write, so nothing
 * is stored unless it commits.
 */
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
 * Sends all statements without waiting, then COMMIT. If one fails, PostgreSQL rolls back instead. Throws if one cannot be sent.
 */
export function sendCommit(
  connection: Pick<WriteConnection, 'send' | 'commit'>,
  { writes, events, changes, jobs }: LastStatements,
  success: readonly Statement[] = [],
): Promise<CommitResult> {
  const send = (statement: Statement) => connection.send(statement)
  const written = writes.slice(0, -1).map(send)
  const last = inOneStatement([...writes.slice(-1), ...(changes ? [changes] : [])], events)
  const queued = last && send(last)
  const sentJobs = jobs.map(send)
  const recorded = success.map((statement) =>
    send(statement).catch((cause) => {
      throw isAnswered(cause) ? notRecorded(cause) : cause
    }),
  )
  const committed = awaitInOrder([...written, queued, ...sentJobs, ...recorded, connection.commit()])
  return committed.then(async () => ({
    events: events === null ? 0 : (await queued)?.rows[0].queued,
    hasChanges: changes !== null,
  }))
}

/**
 * Joins statements, because each costs about as much as the row that it inserts. They touch different rows, so their order
 * does not matter.
 */
function inOneStatement(writes: readonly Prisma.Sql[], events: Prisma.Sql | null): Prisma.Sql | null {
  const [write, ...others] = writes
  if (events === null && others.length === 0) return write ?? null
  const parts = writes.map((each, index) => Prisma.sql`${Prisma.raw(`write_${index}`)} as (${each})`)
  if (events === null) return Prisma.sql`with ${Prisma.join(parts)} select`
  return Prisma.sql`
    with ${Prisma.join([...parts, Prisma.sql`queued as (${events} returning 1)`])}
    select count(*)::int as queued from queued`
}
