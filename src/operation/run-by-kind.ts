import type { Actor, UserActor } from '../access/actor.ts'
import { holdRights, lockPerson } from '../access/rights.ts'
import { countOpenRead } from '../access/sign-in-throttle.ts'
import { unauthorized } from '../core/errors.ts'
import type { Queries } from '../database/prisma.ts'
import { inOrder } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EvalCaller } from '../gate/gate.ts'
import type { Origin } from '../http/origin.ts'
import { lastStatements } from './last-statements.ts'
import type { Eval, OpenRead, Read, SignIn, UserRead, UserWrite, Write, WriteOutcome } from './operation.ts'
import { runRecorded, transactionLimits } from './run-recorded.ts'
import type { Services } from './services.ts'

type Asked = { origin: Origin; path: Record<string, string> }
type MemberCall = Asked & { actor: Actor }
type PersonCall = Asked & { user: UserActor }

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
    if (operation.perSecond) services.rates.take(operation.name, actor.organizationId, operation.perSecond)
    return services.queue.run(actor.organizationId, () => read(database.prisma, input))
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
  const { database, jobs, limits, vault } = services
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
      const [now] = await inOrder([recorded, person, rights])
      const outcome = await finish(now)
      settle = outcome.settle
      return {
        ...outcome,
        last: await lastStatements(jobs, organizationId, outcome),
        onCommitted({ events }) {
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
  const input = operation.input.parse(readInput())
  const result = await operation.run({ gate: services.gate, caller, path, input })
  if (caller.keyHash !== undefined) services.lastUses.key(caller.keyHash)
  return result
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
  return queue.run(user.userId, () => operation.run({ db: database.prisma, user, path, input, selection }))
}

export async function runUserWrite<T, Result>(
  services: Services,
  operation: UserWrite<string, T, Result>,
  call: PersonCall,
  readInput: () => unknown,
): Promise<Result> {
  const { database, identity } = services
  const { user, origin, path } = call
  if (!operation.mayBeNew) assertHasAccount(user)
  const prepare = async () => {
    const input = operation.input.parse(readInput())
    const prepared = await operation.prepare?.({ database, user, input, identity, ip: origin.ip })
    return (tx: Transaction, now: Date) => operation.run({ tx, now, user, path, input, identity, prepared })
  }
  if (operation.recordedIn === 'none') {
    const write = await prepare()
    const { result } = await database.prisma.$transaction((tx) => write(tx, user.authenticatedAt), transactionLimits)
    return result
  }
  return runRecorded(services, {
    subject: { operation, actor: user, origin, path },
    status: operation.status,
    inOrganization: operation.recordedIn === 'user_and_organization',
    isSlowToPrepare: true,
    prepare,
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
  { database, identity }: Services,
  operation: SignIn<string, T, Result>,
  { ip }: Origin,
  readInput: () => unknown,
): Promise<Result> {
  return operation.run({ database, input: operation.input.parse(readInput()), identity, ip })
}

export async function runOpenRead<T, Result>(
  { database, identity }: Services,
  operation: OpenRead<string, T, Result>,
  { ip }: Origin,
  readInput: () => unknown,
): Promise<Result> {
  const input = operation.input.parse(readInput())
  await countOpenRead(database, ip)
  return operation.run({ db: database.prisma, input, identity })
}
