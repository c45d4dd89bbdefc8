import type { IdentityServices } from '../access/identity-services.ts'
import { DomainError } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import type { Definition } from './definition.ts'
import { type Kind, toAdmission } from './kind.ts'
import type { AnonymousClient } from './request.ts'
import type { RunInTurn } from './user-write.ts'

/** A sign-up or sign-in: only the input, such as the password, identifies the caller. */
export type SignIn<Route extends string, T, Result> = Definition<Route, T> & {
  kind: 'sign_in'
  status: 200 | 201
  run(context: {
    database: Database
    inTurn: RunInTurn
    input: T
    identity: IdentityServices
    sender: AnonymousClient
  }): Promise<Result>
}

export function defineSignIn<const Route extends string, T, Result>(
  operation: Omit<SignIn<Route, T, Result>, 'kind' | 'service' | 'method'>,
): SignIn<Route, T, Result> {
  return { kind: 'sign_in', method: 'POST', service: 'identity', ...operation }
}

export const signIn: Kind<SignIn<string, unknown, unknown>> = {
  isWrite: true,
  isRecorded: () => false,
  admit({ database, identity, lookups }, operation, { callers, origin: { ip } }) {
    if (!identity.localSignIn) throw noLocalSignIn()
    const sender = { ip, ...callers.anonymousClient() }
    const inTurn: RunInTurn = (work) => lookups.ofAnonymousClient(ip, work)
    return toAdmission(async (readInput) => {
      const input = operation.input.parse(readInput())
      return operation.run({ database, inTurn, input, identity, sender })
    })
  },
}

/** The same status and code as for an unknown route. */
function noLocalSignIn(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'Signing in and signing up with a password are disabled here. Sign in on the sign-in page of the console.',
  )
}
