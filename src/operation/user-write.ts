import { fairQueueKey, type UserActor } from '../access/actor.ts'
import type { IdentityServices } from '../access/identity-services.ts'
import type { Database } from '../database/client.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Origin } from '../http/origin.ts'
import type { RecordedRequest } from '../recording/entry.ts'
import type { Answers, Definition, PathOf } from './definition.ts'
import type { Kind } from './kind.ts'
import type { Limits } from './limits.ts'
import { recordRefusal } from './record-refusal.ts'
import { runRecorded } from './run-recorded.ts'
import type { Services } from './services.ts'
import { assertHasAccount } from './user-read.ts'
import { transactionLimits } from './write-budget.ts'

/** Runs statements of the operation in the queue of the caller or, if the caller is unknown, of the network address. */
export type RunInTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

type UserWriteDefinition<Route extends string, T, Result, Prepared> = Omit<Definition<Route, T>, 'service'> &
  Answers<Result> & {
    status: 200 | 201 | 204
    /** Which logs get an entry: none, the person's own log, or also the organization's. */
    recordedIn: 'none' | 'user' | 'user_and_organization'
    /** Whether a person may be refused only a limited number of times per minute, against guessing. */
    limitsRefusals?: true
    /** Whether an external identity without an account may call it. */
    mayBeNew?: true
    /** Slow work, or work that must survive a rollback; runs before the transaction. */
    prepare?: (context: {
      database: Database
      inTurn: RunInTurn
      user: UserActor
      input: T
      identity: IdentityServices
      origin: Origin
    }) => Promise<Prepared>
    run(context: {
      tx: Transaction
      now: Date
      user: UserActor
      path: PathOf<Route>
      input: T
      identity: IdentityServices
      origin: Origin
      limits: Limits
      prepared: Prepared
    }): Promise<UserWriteOutcome<Result>>
  }

/** A person's change to their own data. */
export type UserWrite<Route extends string, T, Result> = UserWriteDefinition<Route, T, Result, unknown> & {
  kind: 'user_write'
  service: 'identity'
}

type UserWriteOutcome<Result> = {
  result: Result
  createdId?: string
  /** The organization and member of a write that the organization's log also records. */
  member?: { organizationId: string; memberId: string }
}

export function defineUserWrite<const Route extends string, T, Result, Prepared>(
  operation: UserWriteDefinition<Route, T, Result, Prepared>,
): UserWrite<Route, T, Result> {
  return { kind: 'user_write', service: 'identity', ...(operation as UserWriteDefinition<Route, T, Result, unknown>) }
}

type AnyUserWrite = UserWrite<string, unknown, unknown>

export const userWrite: Kind<AnyUserWrite> = {
  isWrite: true,
  isRecorded: ({ recordedIn }) => recordedIn !== 'none',
  async admit(services, operation, { callers, origin, path }) {
    const user = await callers.person()
    const subject = { operation, actor: user, origin, path }
    return {
      organizationId: () => null,
      ownerId: user.userId,
      run: (readInput) => run(services, subject, readInput),
      async refuse(refusal) {
        if (userWrite.isRecorded(operation)) await recordRefusal(services, subject, refusal)
      },
    }
  },
}

async function run(
  services: Services,
  subject: RecordedRequest & { operation: AnyUserWrite; actor: UserActor },
  readInput: () => unknown,
): Promise<unknown> {
  const { database, identity, limits, queue } = services
  const { operation, actor: user, origin, path } = subject
  if (!operation.mayBeNew) assertHasAccount(user)
  const prepare = async (inTurn: RunInTurn) => {
    const input = operation.input.parse(readInput())
    const prepared = await operation.prepare?.({ database, inTurn, user, input, identity, origin })
    return (tx: Transaction, now: Date) =>
      operation.run({ tx, now, user, path, input, identity, origin, limits, prepared })
  }
  if (operation.recordedIn === 'none') {
    const inTurn: RunInTurn = (work) => queue.run(fairQueueKey(user), work)
    const write = await prepare(inTurn)
    const { result } = await inTurn(() =>
      database.prisma.$transaction((tx) => write(tx, user.authenticatedAt), transactionLimits),
    )
    return result
  }
  return runRecorded(services, {
    subject,
    status: operation.status,
    inOrganization: operation.recordedIn === 'user_and_organization',
    limitsRefusals: operation.limitsRefusals,
    preparation: 'slow',
    // The operation already has a slot of the queue; queued again, it would wait for itself.
    prepare: () => prepare((work) => work()),
    async run({ withPrisma, recorded }, write) {
      const now = await recorded
      return withPrisma((tx) => write(tx, now))
    },
  })
}
