import type { Logger } from 'pino'
import type { Actor, UserActor } from '../access/actor.ts'
import type { Identity } from '../access/identity.ts'
import type { LastUses } from '../access/last-uses.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { type DomainError, forbidden, unauthorized, unavailable } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import type { PrismaClient } from '../database/generated/client.ts'
import { toDomainError } from '../database/outage.ts'
import {
  type AuditEntry,
  hasSucceeded,
  type Origin,
  recordFailure,
  recordPending,
  recordRejected,
  recordSuccess,
} from '../modules/audit/record.ts'
import type { EvalCaller, Gate } from '../modules/entitlements/gate.ts'
import type {
  Eval,
  EvalLimits,
  MemberOperation,
  PathOf,
  Read,
  SignIn,
  Transaction,
  UserOperation,
  UserRead,
  UserWrite,
  Write,
  WriteOutcome,
} from './operation.ts'

export type Services = {
  database: Database
  gate: Gate
  limits: EvalLimits
  identity: Identity
  lastUses: LastUses
  /** Where people reach the service, without a slash at the end; absent: wherever they say they do. */
  publicUrl: string | undefined
  logger: Logger
}

/** One request for one operation, by someone, from somewhere. */
export type Call<Route extends string> = { actor: Actor; origin: Origin; path: PathOf<Route> }

/** One request by a person for themselves. */
export type UserCall<Route extends string> = { user: UserActor; origin: Origin; path: PathOf<Route> }

/** Every wait of a write has an end: for a connection, and for the whole transaction. */
const transactionLimits = { maxWait: 5_000, timeout: 10_000 }

/** 403 when the role carries none of the labels; a refused write is in the audit log. */
export async function assertAllowed(services: Services, operation: MemberOperation, call: Call<string>): Promise<void> {
  if (hasAnyLabel(call.actor.role, operation.labels)) return
  const refusal = forbidden(operation.labels)
  await refuse(services, operation, call, refusal)
  throw refusal
}

/** Records a refusal that came before the operation ran: 403, 400, 413, 415; of operations that the log has at all. */
export async function refuse(
  services: Services,
  operation: MemberOperation,
  { actor, origin, path }: Call<string>,
  { status }: DomainError,
): Promise<void> {
  if (!isRecorded(operation)) return
  await recordRejected(services.database, { operation, actor, origin, path: path as Record<string, string> }, status)
}

function isRecorded(operation: MemberOperation): boolean {
  return operation.kind === 'write' || (operation.kind === 'read' && operation.recorded === true)
}

export async function runRead<Route extends string, T, Result>(
  services: Services,
  operation: Read<Route, T, Result>,
  call: Call<Route>,
  readInput: () => unknown,
  selection?: object,
): Promise<Result> {
  const { database, limits, identity } = services
  const { actor, origin, path } = call
  const read = (db: PrismaClient, input: T) =>
    operation.run({
      db,
      organizationId: actor.organizationId,
      path,
      input,
      now: actor.authenticatedAt,
      limits,
      identity,
      baseUrl: origin.baseUrl,
      selection,
    })
  if (!operation.recorded) return read(database.prisma, operation.input.parse(readInput()))

  return recordAndRun(services, operation, call, 200, () => {
    const input = operation.input.parse(readInput())
    return async (tx) => ({ result: await read(tx as PrismaClient, input), details: null })
  })
}

/**
 * Recorded first, then run: the entry is `pending` before anything happens, and its outcome commits with the write.
 * Whatever fails after that leaves the write undone and the entry with the status of the answer.
 */
export async function runWrite<Route extends string, T, Result>(
  services: Services,
  operation: Write<Route, T, Result>,
  call: Call<Route>,
  rawInput: unknown,
): Promise<Result> {
  const { actor, origin, path } = call
  const { identity } = services
  return recordAndRun(services, operation, call, operation.status, (now) => {
    const input = operation.input.parse(rawInput)
    const { organizationId } = actor
    return (tx) => operation.run({ tx, now, organizationId, path, input, identity, baseUrl: origin.baseUrl })
  })
}

/** `prepare` makes what runs in the transaction; what it refuses is recorded like any other failure. */
async function recordAndRun<Result>(
  services: Services,
  operation: MemberOperation,
  { actor, origin, path }: Call<string>,
  status: number,
  prepare: (now: Date) => (tx: Transaction) => Promise<WriteOutcome<Result>>,
): Promise<Result> {
  const { database, logger } = services
  const entry = await recordPending(database, { operation, actor, origin, path: path as Record<string, string> })
  try {
    const { result } = await commit(services, entry, status, prepare(entry.recordedAt))
    return result
  } catch (error) {
    const failure = toDomainError(error)
    await recordFailure(database, entry, failure.status).catch((cause) =>
      logger.warn({ err: cause, auditEventId: entry.id }, 'the outcome of a refused write could not be recorded'),
    )
    throw failure
  }
}

/** One transaction for the write and its outcome. Where the reply to COMMIT is lost, the audit entry tells what became of it. */
async function commit<Result>(
  { database }: Services,
  entry: AuditEntry,
  status: number,
  run: (tx: Transaction) => Promise<WriteOutcome<Result>>,
): Promise<WriteOutcome<Result>> {
  let outcome: WriteOutcome<Result> | undefined
  try {
    await database.prisma.$transaction(async (tx) => {
      const ran = await run(tx)
      await recordSuccess(tx, entry, status, ran)
      outcome = ran
    }, transactionLimits)
    if (!outcome) throw new Error('The transaction ended without an outcome.')
    return outcome
  } catch (error) {
    if (!outcome) throw error
    if (await hasSucceeded(database, entry)) return outcome
    throw unavailable('The database did not take the change. Nothing was changed; try again in a moment.', error)
  }
}

export function runEval<Route extends string, T, Result>(
  services: Services,
  operation: Eval<Route, T, Result>,
  { caller, path }: { caller: EvalCaller; path: PathOf<Route> },
  input: T,
): Promise<Result> {
  return operation.run({ gate: services.gate, caller, path, input })
}

export async function runUserRead<Route extends string, T, Result>(
  { database }: Services,
  operation: UserRead<Route, T, Result>,
  { user, path }: UserCall<Route>,
  readInput: () => unknown,
  selection?: object,
): Promise<Result> {
  assertHasAccount(user)
  return operation.run({ db: database.prisma, user, path, input: operation.input.parse(readInput()), selection })
}

export async function runUserWrite<Route extends string, T, Result>(
  { database, identity }: Services,
  operation: UserWrite<Route, T, Result>,
  { user, origin, path }: UserCall<Route>,
  rawInput: unknown,
): Promise<Result> {
  if (!operation.mayBeNew) assertHasAccount(user)
  const input = operation.input.parse(rawInput)
  await operation.prepare?.({ database, user, input, identity, ip: origin.ip })
  return database.prisma.$transaction(async (tx) => {
    const { result } = await operation.run({ tx, now: user.authenticatedAt, user, path, input, identity })
    return result
  }, transactionLimits)
}

/** Records a refusal of the body, of operations that the person's log has. */
export async function refuseUser(
  _services: Services,
  _operation: UserOperation,
  _call: UserCall<string>,
  _refusal: DomainError,
): Promise<void> {}

/** 401 for an outside identity that may do nothing but join. */
function assertHasAccount({ newIdentity }: UserActor): void {
  if (newIdentity)
    throw unauthorized('There is no account for you here yet. Join an organization with an invite first.')
}

export async function runSignIn<Route extends string, T, Result>(
  { database, identity }: Services,
  operation: SignIn<Route, T, Result>,
  { ip }: Origin,
  rawInput: unknown,
): Promise<Result> {
  return operation.run({ database, input: operation.input.parse(rawInput), identity, ip })
}
