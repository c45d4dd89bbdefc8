import type { Logger } from 'pino'
import type { Actor } from '../access/actor.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { type DomainError, forbidden, unavailable } from '../core/errors.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import { toDomainError } from '../database/outage.ts'
import type { Jobs } from '../events/jobs.ts'
import { queueEvents } from '../events/outbox.ts'
import {
  type AuditEntry,
  hasSucceeded,
  type Origin,
  recordFailure,
  recordPending,
  recordRejected,
  recordSuccess,
} from '../modules/audit/record.ts'
import type { Gate } from '../modules/entitlements/gate.ts'
import type { AnyOperation, Eval, EvalLimits, PathOf, Read, Transaction, Write, WriteOutcome } from './operation.ts'

export type Services = {
  database: Database
  gate: Gate
  jobs: Jobs
  vault: Vault
  limits: EvalLimits
  logger: Logger
}

/** One request for one operation, by someone, from somewhere. */
export type Call<Route extends string> = { actor: Actor; origin: Origin; path: PathOf<Route> }

/** Every wait of a write has an end: for a connection, and for the whole transaction. */
const transactionLimits = { maxWait: 5_000, timeout: 10_000 }

/** 403 when the role carries none of the labels; a refused write is in the audit log. */
export async function assertAllowed(services: Services, operation: AnyOperation, call: Call<string>): Promise<void> {
  if (hasAnyLabel(call.actor.role, operation.labels)) return
  const refusal = forbidden(operation.labels)
  await refuse(services, operation, call, refusal)
  throw refusal
}

/** Records a refusal that came before the operation ran: 403, 400, 413, 415. Refused reads and evals are not recorded. */
export async function refuse(
  services: Services,
  operation: AnyOperation,
  { actor, origin, path }: Call<string>,
  { status }: DomainError,
): Promise<void> {
  if (operation.kind !== 'write') return
  await recordRejected(services.database, { operation, actor, origin, path: path as Record<string, string> }, status)
}

export async function runRead<Route extends string, T, Result>(
  services: Services,
  operation: Read<Route, T, Result>,
  call: Call<Route>,
  rawInput: unknown,
  selection?: object,
): Promise<Result> {
  const input = operation.input.parse(rawInput)
  return operation.run({
    db: services.database.prisma,
    organizationId: call.actor.organizationId,
    path: call.path,
    input,
    now: call.actor.authenticatedAt,
    limits: services.limits,
    selection,
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
  const { database, vault, logger } = services
  const { actor, origin } = call
  const path = call.path as Record<string, string>
  const entry = await recordPending(database, { operation: operation as AnyOperation, actor, origin, path })

  try {
    const input = operation.input.parse(rawInput)
    const { result, settle } = await commit(services, entry, operation.status, (tx) =>
      operation.run({ tx, now: entry.recordedAt, organizationId: actor.organizationId, path: call.path, input, vault }),
    )
    await settle?.(database)
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
  { database, jobs }: Services,
  entry: AuditEntry,
  status: number,
  run: (tx: Transaction) => Promise<WriteOutcome<Result>>,
): Promise<WriteOutcome<Result>> {
  let outcome: WriteOutcome<Result> | undefined
  try {
    await database.prisma.$transaction(async (tx) => {
      const ran = await run(tx)
      await recordSuccess(tx, entry, status, ran)
      await schedule(tx, jobs, entry.organizationId, ran)
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

/** The events of a write, and the jobs that it leads to: there if it commits, and only then. */
async function schedule(
  tx: Transaction,
  jobs: Jobs,
  organizationId: string,
  { events = [], jobs: asked = [] }: WriteOutcome<unknown>,
): Promise<void> {
  const queued = await queueEvents(tx, organizationId, events)
  await jobs.send(tx, organizationId, queued > 0 ? [...asked, { queue: 'webhook.wake' }] : asked)
}

export function runEval<Route extends string, T, Result>(
  services: Services,
  operation: Eval<Route, T, Result>,
  { keyHash, path }: { keyHash: Buffer; path: PathOf<Route> },
  input: T,
): Promise<Result> {
  return operation.run({ gate: services.gate, keyHash, path, input })
}
