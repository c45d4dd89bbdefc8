import { type Actor, shareOf, type UserActor } from '../access/actor.ts'
import { FromElsewhere } from '../access/allowed-networks.ts'
import { holdRights, lockPerson } from '../access/rights.ts'
import { DomainError, unauthorized } from '../core/errors.ts'
import type { Queries } from '../database/prisma.ts'
import { inOrder } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EvalCaller } from '../gate/gate.ts'
import type { Origin } from '../http/origin.ts'
import { mayAdd } from './facts.ts'
import { lastStatements } from './last-statements.ts'
import type {
  Eval,
  InTurn,
  OpenRead,
  Read,
  SignIn,
  Stranger,
  UserRead,
  UserWrite,
  Write,
  WriteOutcome,
} from './operation.ts'
import { runRecorded, transactionLimits } from './run-recorded.ts'
import type { Services } from './services.ts'

type Asked = { origin: Origin; path: Record<string, string> }
type MemberCall = Asked & { actor: Actor }
type PersonCall = Asked & { user: UserActor }

const searchesPerSecond = 20

export async function runRead<T, Result>(
  services: Services,
  operation: Read<string, T, Result>,
  call: MemberCall,
  readInput: () => unknown,
  selection?: object,
): Promise<Result> {
  const { database, limits, vault } = services
  const { actor, origin, path } = call
  const read = (db: Queries, input: T) =>
    operation.run({
      db,
      organizationId: actor.organizationId,
      role: actor.role,
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
    if (operation.perSecond) services.rates.take(operation.name, actor.ownerId, operation.perSecond)
    const readInTurn = () => services.queue.run(shareOf(actor), () => read(database.prisma, input))
    if (!operation.searches?.(input)) return readInTurn()
    services.rates.take('search', actor.ownerId, searchesPerSecond)
    return services.searches.run(shareOf(actor), readInTurn)
  }

  return runRecorded(services, {
    subject: { operation, actor, origin, path },
    status: 200,
    prepare: () => operation.input.parse(readInput()),
    async run({ sql, withPrisma, recorded }, input) {
      await inOrder([recorded, holdRights(sql, actor, operation)])
      return { result: await withPrisma((tx) => read(tx, input)) }
    },
  })
}

export async function runWrite<T, Result>(
  services: Services,
  operation: Write<string, T, Result>,
  call: MemberCall,
  readInput: () => unknown,
): Promise<Result> {
  const { database, jobs, limits, storedRoom, vault } = services
  const { actor, origin, path } = call
  const { organizationId, memberId } = actor
  let settle: WriteOutcome<Result>['settle']
  const result = await runRecorded(services, {
    subject: { operation, actor, origin, path },
    status: operation.status,
    prepare: () => operation.input.parse(readInput()),
    async run({ sql, withPrisma, recorded }, input) {
      // Sent together, executed and judged one after the other.
      const person = operation.locksPerson && lockPerson(sql, operation.locksPerson(input))
      const rights = holdRights(sql, actor, operation)
      const { baseUrl } = origin
      const finish = operation.start({
        sql,
        withPrisma,
        organizationId,
        memberId,
        path,
        input,
        limits,
        vault,
        baseUrl,
      })
      const [now, , stored] = await inOrder([recorded, person, rights])
      const outcome = await finish(now)
      settle = outcome.settle
      const room = mayAdd(operation) ? storedRoom.enter(organizationId, stored) : null
      return {
        ...outcome,
        last: await lastStatements(jobs, organizationId, outcome),
        onCommitted({ events }) {
          room?.add(input)
          if (events > 0 || outcome.mayBeDue) jobs.wake(organizationId)
        },
      }
    },
  })
  await settle?.(database)
  return result
}

export async function runEval<T, Result>(
  services: Services,
  operation: Eval<string, T, Result>,
  { caller, path }: { caller: EvalCaller; path: Record<string, string> },
  readInput: () => unknown,
): Promise<Result> {
  const { gate, lastUses, lookups } = services
  const { keyHash } = caller
  const input = operation.input.parse(readInput())
  try {
    const result = await operation.run({ gate, caller, path, input })
    if (keyHash !== undefined) lastUses.key(keyHash)
    return result
  } catch (error) {
    const hasEnded = error instanceof DomainError && error.status === 401 && !(error instanceof FromElsewhere)
    if (keyHash !== undefined && hasEnded) lookups.forget(keyHash)
    throw error
  }
}

export async function runUserRead<T, Result>(
  { database, queue }: Services,
  operation: UserRead<string, T, Result>,
  { user, path }: PersonCall,
  readInput: () => unknown,
  selection?: object,
): Promise<Result> {
  assertHasAccount(user)
  const input = operation.input.parse(readInput())
  return queue.run(shareOf(user), () => operation.run({ db: database.prisma, user, path, input, selection }))
}

export async function runUserWrite<T, Result>(
  services: Services,
  operation: UserWrite<string, T, Result>,
  call: PersonCall,
  readInput: () => unknown,
): Promise<Result> {
  const { database, identity, limits, queue } = services
  const { user, origin, path } = call
  if (!operation.mayBeNew) assertHasAccount(user)
  const prepare = async (inTurn: InTurn) => {
    const input = operation.input.parse(readInput())
    const prepared = await operation.prepare?.({ database, inTurn, user, input, identity, origin })
    return (tx: Transaction, now: Date) =>
      operation.run({ tx, now, user, path, input, identity, origin, limits, prepared })
  }
  if (operation.recordedIn === 'none') {
    const { prisma } = database
    const inTurn: InTurn = (work) => queue.run(shareOf(user), work)
    const write = await prepare(inTurn)
    const { result } = await inTurn(() =>
      prisma.$transaction((tx) => write(tx, user.authenticatedAt), transactionLimits),
    )
    return result
  }
  return runRecorded(services, {
    subject: { operation, actor: user, origin, path },
    status: operation.status,
    inOrganization: operation.recordedIn === 'user_and_organization',
    isSlowToPrepare: true,
    // It has its turn already, and would wait for itself in another one.
    prepare: () => prepare((work) => work()),
    async run({ withPrisma, recorded }, write) {
      const now = await recorded
      return withPrisma((tx) => write(tx, now))
    },
  })
}

/** 401 for an outside identity that may only join. */
function assertHasAccount({ newIdentity }: UserActor): void {
  if (newIdentity)
    throw unauthorized('There is no account for you here yet. Join an organization with an invite first.')
}

export async function runSignIn<T, Result>(
  { database, identity, lookups }: Services,
  operation: SignIn<string, T, Result>,
  sender: Stranger,
  readInput: () => unknown,
): Promise<Result> {
  const input = operation.input.parse(readInput())
  return operation.run({ database, inTurn: (work) => lookups.ofStranger(sender.ip, work), input, identity, sender })
}

export async function runOpenRead<T, Result>(
  { database, identity, lookups }: Services,
  operation: OpenRead<string, T, Result>,
  { ip }: Origin,
  readInput: () => unknown,
): Promise<Result> {
  const input = operation.input.parse(readInput())
  await identity.throttle.countOpenRead(ip)
  return lookups.ofStranger(ip, () => operation.run({ db: database.prisma, input, identity }))
}
