import type { UserActor } from '../access/actor.ts'
import type { Identity } from '../access/identity.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { Role } from '../database/generated/enums.ts'
import type { Queries } from '../database/prisma.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'
import type { Origin } from '../http/origin.ts'
import type { BulkWrite } from './bulk-write.ts'
import type { Answers, Facts, MemberFacts, PathOf } from './facts.ts'
import type { Limits } from './limits.ts'
import type { Write } from './write.ts'

export { type BulkLine, BulkLines, type BulkOutcome, type BulkWrite, defineBulkWrite } from './bulk-write.ts'
export { mayAdd, type PathOf } from './facts.ts'
export type { Limits } from './limits.ts'
export type { ReadScope } from './read-scope.ts'
export { defineFastWrite, defineWrite, type WithPrisma, type Write, type WriteOutcome } from './write.ts'

export type Read<Route extends string, T, Result> = MemberFacts<Route, T> &
  Answers<Result> & {
    kind: 'read'
    /** How often a second an owner may ask one process for it; without it, as often as it likes. */
    perSecond?: number
    /**
     * Whether it looks for a part of names, of which the database may have to read very many: such reads are counted together,
     * 20 a second for an owner, and run one after the other.
     */
    searches?: (input: T) => boolean
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

export type Eval<Route extends string, T, Result> = MemberFacts<Route, T> & {
  kind: 'eval'
  run(context: { gate: Gate; caller: EvalCaller; path: PathOf<Route>; input: T }): Promise<Result>
}

/** Runs statements outside of the operation's own turn: in the caller's, by address if the caller is not known. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

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
      inTurn: InTurn
      user: UserActor
      input: T
      identity: Identity
      origin: Origin
    }) => Promise<Prepared>
    run(context: {
      tx: Transaction
      now: Date
      user: UserActor
      path: PathOf<Route>
      input: T
      identity: Identity
      origin: Origin
      limits: Limits
      prepared: Prepared
    }): Promise<UserWriteOutcome<Result>>
  }

export type UserWrite<Route extends string, T, Result> = UserWriteFacts<Route, T, Result, unknown> & {
  kind: 'user_write'
  service: 'identity'
}

/** Where a password comes from; the mark is that of a browser in which somebody signed in before. */
export type Stranger = { ip: string; browserMark: string | null }

/** Signing up and in: the caller is known only by the input, such as the password. */
export type SignIn<Route extends string, T, Result> = Facts<Route, T> & {
  kind: 'sign_in'
  status: 200 | 201
  run(context: { database: Database; inTurn: InTurn; input: T; identity: Identity; sender: Stranger }): Promise<Result>
}

/** What anyone may read. Requests are counted by address, as attempts to sign in are. */
export type OpenRead<Route extends string, T, Result> = Facts<Route, T> &
  Answers<Result> & {
    kind: 'open_read'
    run(context: { db: Queries; input: T; identity: Identity }): Promise<Result>
  }

export type UserWriteOutcome<Result> = {
  result: Result
  createdId?: string
  /** The organization and member of a write that the organization's log also records. */
  member?: { organizationId: string; memberId: string }
}

/** Operations in an organization, by its members. */
export type MemberOperation =
  // biome-ignore lint/suspicious/noExplicitAny: an operation of any input and result, as the tables hold them.
  Read<string, any, any> | Write<string, any, any> | Eval<string, any, any> | AnyBulkWrite

// biome-ignore lint/suspicious/noExplicitAny: the same.
type AnyBulkWrite = BulkWrite<string, any, any>

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
          Operation extends OpenRead<any, any, infer Result> | BulkWrite<any, any, infer Result>
          ? Result
          : never

export function defineRead<const Route extends string, T, Result>(
  operation: Omit<Read<Route, T, Result>, 'kind' | 'method'> & { method?: 'POST' },
): Read<Route, T, Result> {
  return { kind: 'read', method: 'GET', ...operation }
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
