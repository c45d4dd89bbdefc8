import type { ExternalIdentity } from './actor.ts'
import type { ExternalIssuer } from './external-issuer.ts'
import type { BrowserMarks } from './known-devices.ts'
import type { OidcProvider } from './oidc-provider.ts'
import type { PasswordQueue } from './password-queue.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { UserTokens } from './user-token.ts'

/** The services with which a process identifies people. All processes of an installation configure them in the same way. */
export type IdentityServices = {
  /** Issues and verifies the tokens of local accounts. */
  tokens: UserTokens
  /** Hashes passwords. */
  passwords: PasswordQueue
  /** The marks of browsers in which somebody signed in. */
  marks: BrowserMarks
  /** Counts attempts to sign in, and anonymous clients' reads. */
  throttle: SignInThrottle
  /** The external issuer whose tokens are also accepted, or null. */
  externalIssuer: ExternalIssuer | null
  /** The OpenID Connect provider where users of the console sign in, or null. */
  oidc: OidcProvider | null
  /** Whether people sign in with a password. If not, sessions that were opened with a password have ended. */
  localSignIn: boolean
  /** The name under which the log records the requests of an external identity while it has no account. */
  unknownId(identity: Pick<ExternalIdentity, 'issuer' | 'subject'>): string
  /** Whether signing up needs an invite. */
  signUp: 'open' | 'invited'
}
