import type { UserActor } from '../access/actor.ts'
import type { Identity } from '../access/identity.ts'
import type { FirstLock } from '../access/rights.ts'
import type { Label } from '../access/roles.ts'
import type { Config } from '../config.ts'
import type { Answer } from '../core/answer.ts'
import type { ErrorCode, OwnCode } from '../core/errors.ts'
import type { Input } from '../core/input.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { Prisma } from '../database/generated/client.ts'
import type { Role } from '../database/generated/enums.ts'
import type { Room } from '../database/load-weighed.ts'
import type { Queries } from '../database/prisma.ts'
import { inOrder, type Sql } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import type { Job } from '../events/queues.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'

/** The names in the braces of a route template: `/org/plans/{key}` has `key`. */
export type PathOf<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathOf<Rest>
  : unknown

/** The context of a read outside of operations: a nested field of GraphQL, for all parents of its level. */
export type ReadScope = {
  db: Queries
  organizationId: string
  /** The database's time when the request was authenticated. */
  now: Date
  /** The request's budget, for reads that may load many rows. */
  room: Room
}

/** What an operation says about itself. Both doors, the audit log and the laws in the tests read it. */
type Facts<Route extends string, T> = {
  /** Also the name of the field in the GraphQL schema. */
  name: string
  /** What it does, in a line for people: the descriptions of both doors begin with it. */
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Template of the REST route; recorded in the audit entry at both doors. */
  route: Route
  service: 'api' | 'identity'
  input: Input<T>
  /** The body of a success at the REST door; null if there is none. */
  answer: Pick<Answer<unknown>, 'schema'> | null
  /** The codes of its own refusals, in addition to those that any operation of its kind may answer. */
  refusals?: readonly (ErrorCode | OwnCode)[]
}

/** The answer is the result of the operation. */
type Answers<Result> = { answer: Answer<Result> | null }

/** An operation in an organization: called with a key or in the console, by members whose role carries a label. */
type MemberFacts<Route extends string, T> = Facts<Route, T> & {
  /** Any one is enough. */
  labels: readonly [Label, ...Label[]]
}

export type Read<Route extends string, T, Result> = MemberFacts<Route, T> &
  Answers<Result> & {
    kind: 'read'
    /** How often a second an organization may ask one process for it; without it, as often as it likes. */
    perSecond?: number
    /** Whether the audit log records it, as it records a write: for reads that show secrets. */
    recorded?: true
    run(context: {
      db: Queries
      organizationId: string
      /** The caller's role, for answers with parts that need a label of their own. */
      role: Role
      path: PathOf<Route>
      input: T
      /** The database's time when the request was authenticated. */
      now: Date
      /** The server's defaults that an answer may contain. */
      limits: Limits
      vault: Vault
      /** The service's address, without a slash at the end: links begin with it. */
      baseUrl: string
      /** Relations to include, in Prisma's terms; absent: those that the REST door answers. */
      selection?: object | undefined
    }): Promise<Result>
  }

/** What a write is given before it is recorded. */
type WriteCall<Route extends string, T> = {
  organizationId: string
  /** Who writes. */
  memberId: string
  path: PathOf<Route>
  input: T
  limits: Limits
  vault: Vault
  /** The service's address, without a slash at the end: links begin with it. */
  baseUrl: string
}

/** `now` is the database's time when the write was recorded. */
type RecordedCall<Route extends string, T> = WriteCall<Route, T> & { now: Date }

type WriteFacts<Route extends string, T, Result> = MemberFacts<Route, T> &
  Answers<Result> & {
    /** The status of a success, at the REST door and in the audit entry. */
    status: 200 | 201 | 204
    /** What the runner locks first, before the caller's rights; the operation does not lock the organization itself. */
    locks?: FirstLock
    /** Whose account the runner locks before everything else. */
    locksPerson?(input: T): string
  }

export type Write<Route extends string, T, Result> = WriteFacts<Route, T, Result> & {
  kind: 'write'
  /**
   * Called right behind the statement that looks at the caller's rights, whose answer is not there yet. What it returns is
   * called once the write is recorded and the caller may.
   */
  start(
    context: WriteCall<Route, T> & { sql: Sql; withPrisma: WithPrisma },
  ): (now: Date) => Promise<WriteOutcome<Result>>
}

/** Prisma's client in the transaction of the write. */
export type WithPrisma = <Result>(run: (tx: Transaction) => Promise<Result>) => Promise<Result>

export type Eval<Route extends string, T, Result> = MemberFacts<Route, T> & {
  kind: 'eval'
  run(context: { gate: Gate; caller: EvalCaller; path: PathOf<Route>; input: T }): Promise<Result>
}

/** A personal action, with the person's own sign-in. */
export type UserRead<Route extends string, T, Result> = Facts<Route, T> &
  Answers<Result> & {
    kind: 'user_read'
    run(context: {
      db: Queries
      user: UserActor
      path: PathOf<Route>
      input: T
      selection?: object | undefined
    }): Promise<Result>
  }

type UserWriteFacts<Route extends string, T, Result, Prepared> = Omit<Facts<Route, T>, 'service'> &
  Answers<Result> & {
    status: 200 | 201 | 204
    /** Which logs have an entry: none, the person's own, or also the organization's. */
    recordedIn: 'none' | 'user' | 'user_and_organization'
    /** Whether an outside identity without an account may call it. */
    mayBeNew?: true
    /** Slow work, or work that must survive a rollback; runs before the transaction. */
    prepare?: (context: {
      database: Database
      user: UserActor
      input: T
      identity: Identity
      ip: string
    }) => Promise<Prepared>
    run(context: {
      tx: Transaction
      now: Date
      user: UserActor
      path: PathOf<Route>
      input: T
      identity: Identity
      prepared: Prepared
    }): Promise<UserWriteOutcome<Result>>
  }

export type UserWrite<Route extends string, T, Result> = UserWriteFacts<Route, T, Result, unknown> & {
  kind: 'user_write'
  service: 'identity'
}

/** Signing up and in: the caller is known only by the input, such as the password. */
export type SignIn<Route extends string, T, Result> = Facts<Route, T> & {
  kind: 'sign_in'
  status: 200 | 201
  run(context: { database: Database; input: T; identity: Identity; ip: string }): Promise<Result>
}

/** What anyone may read. Requests are counted by address, as attempts to sign in are. */
export type OpenRead<Route extends string, T, Result> = Facts<Route, T> &
  Answers<Result> & {
    kind: 'open_read'
    run(context: { db: Queries; input: T; identity: Identity }): Promise<Result>
  }

/** The result of a write. The runner records it in the transaction of the write. */
export type WriteOutcome<Result> = {
  result: Result
  /** The id or key of the created object, on a create. */
  createdId?: string
  /** What changed, as the contract defines it for this write; null when nothing did. */
  details: Record<string, unknown> | null
  /** The last statements, whose answers nobody needs. They are sent together with COMMIT. */
  writes?: readonly Prisma.Sql[]
  /** Events that notify receivers; queued if the organization has an endpoint. */
  events?: readonly NewEvent[]
  /** Jobs for later, in addition to the deliveries of events. */
  jobs?: readonly Job[]
  /** The answer waits for this once the write is committed; it does not fail. */
  settle?: (database: Database) => Promise<void>
}

export type UserWriteOutcome<Result> = {
  result: Result
  createdId?: string
  /** The organization and member of a write that the organization's log also records. */
  member?: { organizationId: string; memberId: string }
}

/** The server's limits, from the configuration. */
export type Limits = Pick<
  Config,
  | 'evalRateLimitPerSecond'
  | 'evalMonthlyAllotment'
  | 'maxFeatures'
  | 'maxPlans'
  | 'maxCatalogBytes'
  | 'maxOverrideBytes'
  | 'answerTimeoutMs'
  | 'webhookAllowPrivateNetworks'
>

/** Operations in an organization, by its members. */
export type MemberOperation =
  // biome-ignore lint/suspicious/noExplicitAny: an operation of any input and result, as the tables hold them.
  Read<string, any, any> | Write<string, any, any> | Eval<string, any, any>

/** Personal actions. */
export type UserOperation =
  // biome-ignore lint/suspicious/noExplicitAny: an operation of any input and result, as the tables hold them.
  UserRead<string, any, any> | UserWrite<string, any, any> | SignIn<string, any, any>

// biome-ignore lint/suspicious/noExplicitAny: an operation of any input and result, as the tables hold them.
export type AnyOperation = MemberOperation | UserOperation | OpenRead<string, any, any>

/** The result of running the operation. */
export type ResultOf<Operation extends AnyOperation> =
  // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
  Operation extends Write<any, any, infer Result> | UserWrite<any, any, infer Result>
    ? Result
    : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
      Operation extends Read<any, any, infer Result> | Eval<any, any, infer Result>
      ? Result
      : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
        Operation extends UserRead<any, any, infer Result> | SignIn<any, any, infer Result>
        ? Result
        : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
          Operation extends OpenRead<any, any, infer Result>
          ? Result
          : never

export function defineRead<const Route extends string, T, Result>(
  operation: Omit<Read<Route, T, Result>, 'kind' | 'method'> & { method?: 'POST' },
): Read<Route, T, Result> {
  return { kind: 'read', method: 'GET', ...operation }
}

/** A write through Prisma, or plain SQL in the same transaction. */
export function defineWrite<const Route extends string, T, Result>({
  run,
  ...facts
}: WriteFacts<Route, T, Result> & {
  run(context: RecordedCall<Route, T> & { tx: Transaction; sql: Sql }): Promise<WriteOutcome<Result>>
}): Write<Route, T, Result> {
  return {
    kind: 'write',
    ...facts,
    start:
      ({ withPrisma, ...context }) =>
      (now) =>
        withPrisma((tx) => run({ ...context, tx, now })),
  }
}

/**
 * A write that is called often, in plain SQL: `hold` locks and reads, in one go with the caller's rights; `decide` asks the
 * database nothing, and returns what is written.
 */
export function defineFastWrite<const Route extends string, T, Result, Held extends readonly unknown[]>({
  hold,
  decide,
  ...facts
}: WriteFacts<Route, T, Result> & {
  /** Sends its statements without waiting, in the order of locks. If several fail, the first one is the reason. */
  hold(sql: Sql, call: WriteCall<Route, T>): readonly [...{ [Place in keyof Held]: Promise<Held[Place]> }]
  decide(held: Held, call: RecordedCall<Route, T>): WriteOutcome<Result>
}): Write<Route, T, Result> {
  return {
    kind: 'write',
    ...facts,
    start({ sql, withPrisma: _, ...call }) {
      const holding = inOrder(hold(sql, call))
      holding.catch(() => {})
      return async (now) => decide((await holding) as unknown as Held, { ...call, now })
    },
  }
}

export function defineEval<const Route extends string, T, Result>(
  operation: Omit<Eval<Route, T, Result>, 'kind'>,
): Eval<Route, T, Result> {
  return { kind: 'eval', ...operation }
}

export function defineUserRead<const Route extends string, T, Result>(
  operation: Omit<UserRead<Route, T, Result>, 'kind' | 'method' | 'service'>,
): UserRead<Route, T, Result> {
  return { kind: 'user_read', method: 'GET', service: 'identity', ...operation }
}

export function defineUserWrite<const Route extends string, T, Result, Prepared>(
  operation: UserWriteFacts<Route, T, Result, Prepared>,
): UserWrite<Route, T, Result> {
  return { kind: 'user_write', service: 'identity', ...(operation as UserWriteFacts<Route, T, Result, unknown>) }
}

export function defineSignIn<const Route extends string, T, Result>(
  operation: Omit<SignIn<Route, T, Result>, 'kind' | 'service' | 'method'>,
): SignIn<Route, T, Result> {
  return { kind: 'sign_in', method: 'POST', service: 'identity', ...operation }
}

export function defineOpenRead<const Route extends string, T, Result>(
  operation: Omit<OpenRead<Route, T, Result>, 'kind' | 'service' | 'method'>,
): OpenRead<Route, T, Result> {
  return { kind: 'open_read', method: 'GET', service: 'identity', ...operation }
}
