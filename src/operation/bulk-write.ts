import type { Input } from '../core/input.ts'
import type { Prisma } from '../database/generated/client.ts'
import type { Sql } from '../database/sql.ts'
import type { NewEvent } from '../events/event.ts'
import type { Job } from '../events/queues.ts'
import type { ChangedLine } from '../recording/insert-lines.ts'
import type { Answers, MemberDefinition } from './definition.ts'
import type { Limits } from './limits.ts'

/** A line of a bulk write before it is parsed. */
export type BulkLine = {
  /** Counted from 1, as in the file. */
  number: number
  /** The length of the line's text. */
  bytes: number
  /** Parses the line; throws a refusal if it cannot be parsed. */
  read(): unknown
}

/** The lines of a request, in lists of any length, and a callback for its progress. */
export class BulkLines {
  readonly lists: AsyncIterable<readonly BulkLine[]>
  readonly report: (progress: object) => void

  constructor(lists: AsyncIterable<readonly BulkLine[]>, report: (progress: object) => void = () => {}) {
    this.lists = lists
    this.report = report
  }
}

/** The outcome of one transaction of a bulk write. */
export type BulkOutcome<Result> = {
  result: Result
  writes: readonly Prisma.Sql[]
  events: readonly NewEvent[]
  jobs: readonly Job[]
  /** Entries of the audit log, for the lines that changed something. */
  changed: readonly ChangedLine[]
  /** For a dry run: whether the lines would change something, so that the cap on stored bytes refuses them. */
  wouldChange?: boolean
}

type BulkCall<T> = {
  organizationId: string
  /** The member who sent the request. */
  memberId: string
  input: T
  limits: Limits
  /** Aborted once the caller's rights have ended, with the refusal as its reason. */
  signal: AbortSignal
  /** Runs work that keeps a batch in memory, once a slot is free. Waiting for lines takes no slot. */
  inSlot<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Runs one of many transactions in the queue of the organization's requests. The transaction checks the caller's rights and
   * locks them until it ends. `work` must send its statements that lock and read before it waits for anything.
   */
  transact<Result>(work: (sql: Sql) => Promise<BulkOutcome<Result>>): Promise<Result>
}

/** A write of any number of lines, in many transactions: committed lines stay, whatever happens later. */
export type BulkWrite<Route extends string, T, Result> = MemberDefinition<Route, T> &
  Answers<Result> & {
    kind: 'bulk_write'
    status: 200
    /** A line in the REST API, where lines are the body and the other fields are the query. */
    line: Pick<Input<unknown>, 'name' | 'shape' | 'unknown' | 'variants'>
    /** The progress that the REST API reports. */
    progress: Answers<unknown>['answer']
    run(call: BulkCall<T>): Promise<{ result: Result; details: Record<string, unknown> | null }>
  }

export function defineBulkWrite<const Route extends string, T, Result>(
  operation: Omit<BulkWrite<Route, T, Result>, 'kind' | 'status'>,
): BulkWrite<Route, T, Result> {
  return { kind: 'bulk_write', status: 200, ...operation }
}
