import type { OutsideIdentity } from './actor.ts'
import type { BrowserMarks } from './familiar.ts'
import type { OutsideIssuer } from './outside-issuer.ts'
import type { PasswordWork } from './password-work.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { UserTokens } from './user-token.ts'

/** The parts of identity; the same in every process of one service. */
export type Identity = {
  /** Tokens of local accounts. */
  tokens: UserTokens
  /** Hashes passwords. */
  passwords: PasswordWork
  /** The marks of browsers in which somebody signed in. */
  marks: BrowserMarks
  /** Counts attempts to sign in, and strangers' reads. */
  throttle: SignInThrottle
  /** The outside provider where people can also sign in, or null. */
  outsideIssuer: OutsideIssuer | null
  /** The name under which the log records the requests of an outside identity while it has no account. */
  unknownId(identity: Pick<OutsideIdentity, 'issuer' | 'subject'>): string
  /** Whether signing up needs an invite. */
  signUp: 'open' | 'invited'
}
