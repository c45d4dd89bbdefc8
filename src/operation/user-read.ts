import { fairQueueKey, type UserActor } from '../access/actor.ts'
import { unauthorized } from '../core/errors.ts'
import type { Queries } from '../database/prisma.ts'
import type { Answers, Definition, PathOf } from './definition.ts'
import { type Kind, toAdmission } from './kind.ts'

/** A read of a person's own data. */
export type UserRead<Route extends string, T, Result> = Definition<Route, T> &
  Answers<Result> & {
    kind: 'user_read'
    run(context: { db: Queries; user: UserActor; path: PathOf<Route>; input: T }): Promise<Result>
  }

export function defineUserRead<const Route extends string, T, Result>(
  operation: Omit<UserRead<Route, T, Result>, 'kind' | 'method' | 'service'>,
): UserRead<Route, T, Result> {
  return { kind: 'user_read', method: 'GET', service: 'identity', ...operation }
}

export const userRead: Kind<UserRead<string, unknown, unknown>> = {
  isWrite: false,
  isRecorded: () => false,
  async admit({ database, queue }, operation, { callers, path }) {
    const user = await callers.person()
    const run = async (readInput: () => unknown) => {
      assertHasAccount(user)
      const input = operation.input.parse(readInput())
      return queue.run(fairQueueKey(user), () => operation.run({ db: database.prisma, user, path, input }))
    }
    return toAdmission(run, { ownerId: user.userId })
  },
}

/** Throws 401 for an external identity without an account, which may only join an organization. */
export function assertHasAccount({ newIdentity }: UserActor): void {
  if (newIdentity)
    throw unauthorized('There is no account for you here yet. Join an organization with an invite first.')
}
