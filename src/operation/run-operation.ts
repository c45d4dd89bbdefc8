import type { Logger } from 'pino'
import type { Actor, UserActor } from '../access/actor.ts'
import type { Identity } from '../access/identity.ts'
import type { LastUses } from '../access/last-uses.ts'
import { holdRights, lockPerson } from '../access/rights.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { type DomainError, forbidden, unauthorized } from '../core/errors.ts'
import type { FairQueue } from '../core/fair-queue.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { PrismaClient } from '../database/generated/client.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Jobs } from '../events/jobs.ts'
import { queueEvents } from '../events/outbox.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'
import type { Origin } from '../http/origin.ts'
import type { OwnAddress } from '../http/own-address.ts'
import type { Subject } from '../recording/entry.ts'
import { recordRejected } from '../recording/insert-entry.ts'
import type { Settler } from '../recording/settler.ts'
import type {
  AnyOperation,
  Eval,
  Limits,
  MemberOperation,
  PathOf,
  Read,
  SignIn,
  UserOperation,
  UserRead,
  UserWrite,
  Write,
  WriteOutcome,
} from './operation.ts'
import { runRecorded, transactionLimits } from './run-recorded.ts'

export type Services = {
  database: Database
  gate: Gate
  jobs: Jobs
  vault: Vault
  limits: Limits
  identity: Identity
  lastUses: LastUses
  settler: Settler
  queue: FairQueue
  address: OwnAddress
  logger: Logger
}

/** One request for one operation, by someone, from somewhere. */
export type Call<Route extends string> = { actor: Actor; origin: Origin; path: PathOf<Route> }

/** One request by a person for themselves. */
export type UserCall<Route extends string> = { user: UserActor; origin: Origin; path: PathOf<Route> }

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
  call: Call<string>,
  refusal: DomainError,
): Promise<void> {
  if (isRecorded(operation)) await reject(services, toSubject(operation, call.actor, call), refusal)
}

/** Nothing ran, so where the entry cannot be written the refusal stands: it goes before 503 in the order of refusals. */
async function reject({ database, logger }: Services, subject: Subject, { status }: DomainError): Promise<void> {
  const { requestId } = subject.origin
  await recordRejected(database, subject, status).catch((error) => {
    logger.error({ err: error.cause ?? error, requestId, status }, 'a refused request is missing from the audit log')
  })
}

function toSubject(
  operation: AnyOperation,
  actor: Actor | UserActor,
  { origin, path }: { origin: Origin; path: unknown },
): Subject {
  return { operation, actor, origin, path: path as Record<string, string> }
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
  const { database, limits, vault } = services
  const { actor, origin, path } = call
  const read = (db: PrismaClient, input: T) =>
    operation.run({
      db,
      organizationId: actor.organizationId,
      path,
      input,
      now: actor.authenticatedAt,
      limits,
      vault,
      baseUrl: origin.baseUrl,
      selection,
    })
  if (!operation.recorded) {
    const input = operation.input.parse(readInput())
    return services.queue.run(actor.organizationId, () => read(database.prisma, input))
  }

  return runRecorded(services, {
    subject: toSubject(operation, actor, call),
    status: 200,
    async run(transact) {
      const input = operation.input.parse(readInput())
      return transact(async ({ tx }) => {
        await holdRights(tx, actor, operation)
        return { result: await read(tx as PrismaClient, input) }
      })
    },
  })
}

export async function runWrite<Route extends string, T, Result>(
  services: Services,
  operation: Write<Route, T, Result>,
  call: Call<Route>,
  rawInput: unknown,
): Promise<Result> {
  const { database, jobs, limits, vault } = services
  const { actor, origin, path } = call
  const { organizationId } = actor
  let settle: WriteOutcome<Result>['settle']
  const result = await runRecorded<Result>(services, {
    subject: toSubject(operation, actor, call),
    status: operation.status,
    async run(transact) {
      const input = operation.input.parse(rawInput)
      return transact(async ({ tx, now }) => {
        if (operation.locksPerson) await lockPerson(tx, operation.locksPerson(input))
        await holdRights(tx, actor, operation)
        const outcome = await operation.run({
          tx,
          now,
          organizationId,
          path,
          input,
          limits,
          vault,
          baseUrl: origin.baseUrl,
        })
        await schedule(tx, jobs, organizationId, outcome)
        settle = outcome.settle
        return outcome
      })
    },
  })
  await settle?.(database)
  return result
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
  { caller, path }: { caller: EvalCaller; path: PathOf<Route> },
  input: T,
): Promise<Result> {
  return operation.run({ gate: services.gate, caller, path, input })
}

export async function runUserRead<Route extends string, T, Result>(
  { database, queue }: Services,
  operation: UserRead<Route, T, Result>,
  { user, path }: UserCall<Route>,
  readInput: () => unknown,
  selection?: object,
): Promise<Result> {
  assertHasAccount(user)
  const input = operation.input.parse(readInput())
  return queue.run(user.userId, () => operation.run({ db: database.prisma, user, path, input, selection }))
}

export async function runUserWrite<Route extends string, T, Result>(
  services: Services,
  operation: UserWrite<Route, T, Result>,
  call: UserCall<Route>,
  rawInput: unknown,
): Promise<Result> {
  const { database, identity } = services
  const { user, origin, path } = call
  if (!operation.mayBeNew) assertHasAccount(user)
  const prepare = async () => {
    const input = operation.input.parse(rawInput)
    const prepared = await operation.prepare?.({ database, user, input, identity, ip: origin.ip })
    return (tx: Transaction, now: Date) => operation.run({ tx, now, user, path, input, identity, prepared })
  }
  if (operation.recordedIn === 'none') {
    const write = await prepare()
    const { result } = await database.prisma.$transaction((tx) => write(tx, user.authenticatedAt), transactionLimits)
    return result
  }
  return runRecorded(services, {
    subject: toSubject(operation, user, call),
    status: operation.status,
    inOrganization: operation.recordedIn === 'user_and_organization',
    async run(transact) {
      const write = await prepare()
      return transact(({ tx, now }) => write(tx, now))
    },
  })
}

/** Records a refusal of the body, of operations that the person's log has. */
export async function refuseUser(
  services: Services,
  operation: UserOperation,
  call: UserCall<string>,
  refusal: DomainError,
): Promise<void> {
  if (operation.kind !== 'user_write' || operation.recordedIn === 'none') return
  await reject(services, toSubject(operation, call.user, call), refusal)
}

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
