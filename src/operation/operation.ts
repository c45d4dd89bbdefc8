import type { Label } from '../access/roles.ts'
import type { Input } from '../core/input.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { Prisma, PrismaClient } from '../database/generated/client.ts'
import type { NewEvent } from '../events/event.ts'
import type { Job } from '../events/queues.ts'
import type { Gate } from '../modules/entitlements/gate.ts'

/** The names in the braces of a route template: `/org/plans/{key}` has `key`. */
export type PathOf<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathOf<Rest>
  : unknown

export type Transaction = Prisma.TransactionClient

/** What a read beside the operations works on: a nested field of GraphQL, for all parents of its level. */
export type ReadScope = {
  db: PrismaClient
  organizationId: string
  /** The database's clock when the request was authenticated. */
  now: Date
}

/** What an operation says of itself. Both doors, the audit log and the laws in the tests read it. */
type Facts<Route extends string, T> = {
  /** As the field of the GraphQL schema is called. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Template of the REST route; the audit entry carries it whichever door was used. */
  route: Route
  service: 'api' | 'identity'
  /** Any one is enough. */
  labels: readonly [Label, ...Label[]]
  input: Input<T>
}

export type Read<Route extends string, T, Result> = Facts<Route, T> & {
  kind: 'read'
  run(context: {
    db: PrismaClient
    organizationId: string
    path: PathOf<Route>
    input: T
    /** The database's clock when the request was authenticated. */
    now: Date
    /** Defaults of the server that an answer may name. */
    limits: EvalLimits
    /** Relations to read along, in Prisma's words; absent: those that the REST door answers. */
    selection?: object | undefined
  }): Promise<Result>
}

export type Write<Route extends string, T, Result> = Facts<Route, T> & {
  kind: 'write'
  /** Of the answer when it succeeds, at the REST door and in the audit entry. */
  status: 200 | 201 | 204
  run(context: {
    tx: Transaction
    /** The database's clock when the write was recorded. */
    now: Date
    organizationId: string
    path: PathOf<Route>
    input: T
    vault: Vault
  }): Promise<WriteOutcome<Result>>
}

export type Eval<Route extends string, T, Result> = Facts<Route, T> & {
  kind: 'eval'
  run(context: { gate: Gate; keyHash: Buffer; path: PathOf<Route>; input: T }): Promise<Result>
}

/** What a write did. The runner records it in the transaction of the write. */
export type WriteOutcome<Result> = {
  result: Result
  /** The id or key that was made, on a create. */
  createdId?: string
  /** What changed, as the spec words it for this write; null when nothing did. */
  details: Record<string, unknown> | null
  /** What receivers are told; queued if the organization has an endpoint. */
  events?: readonly NewEvent[]
  /** Work for later, beside the deliveries that events lead to by themselves. */
  jobs?: readonly Job[]
  /** What the answer waits for once the write is committed; it does not fail. */
  settle?: (database: Database) => Promise<void>
}

export type EvalLimits = { evalRateLimitPerSecond: number; evalMonthlyAllotment: number | null }

// biome-ignore lint/suspicious/noExplicitAny: an operation of any input and result, as the tables hold them.
export type AnyOperation = Read<string, any, any> | Write<string, any, any> | Eval<string, any, any>

export function defineRead<const Route extends string, T, Result>(
  operation: Omit<Read<Route, T, Result>, 'kind' | 'method'>,
): Read<Route, T, Result> {
  return { kind: 'read', method: 'GET', ...operation }
}

export function defineWrite<const Route extends string, T, Result>(
  operation: Omit<Write<Route, T, Result>, 'kind'>,
): Write<Route, T, Result> {
  return { kind: 'write', ...operation }
}

export function defineEval<const Route extends string, T, Result>(
  operation: Omit<Eval<Route, T, Result>, 'kind'>,
): Eval<Route, T, Result> {
  return { kind: 'eval', ...operation }
}
