import type { IdentityServices } from '../access/identity-services.ts'
import type { Queries } from '../database/prisma.ts'
import type { Answers, Definition } from './definition.ts'
import { type Kind, toAdmission } from './kind.ts'

/** A read open to anyone. Requests are counted by address, like attempts to sign in. */
export type OpenRead<Route extends string, T, Result> = Definition<Route, T> &
  Answers<Result> & {
    kind: 'open_read'
    run(context: { db: Queries; input: T; identity: IdentityServices }): Promise<Result>
  }

export function defineOpenRead<const Route extends string, T, Result>(
  operation: Omit<OpenRead<Route, T, Result>, 'kind' | 'service' | 'method'>,
): OpenRead<Route, T, Result> {
  return { kind: 'open_read', method: 'GET', service: 'identity', ...operation }
}

export const openRead: Kind<OpenRead<string, unknown, unknown>> = {
  isWrite: false,
  isRecorded: () => false,
  admit: ({ database, identity, lookups }, operation, { origin: { ip } }) =>
    toAdmission(async (readInput) => {
      const input = operation.input.parse(readInput())
      await identity.throttle.countOpenRead(ip)
      return lookups.ofAnonymousClient(ip, () => operation.run({ db: database.prisma, input, identity }))
    }),
}
