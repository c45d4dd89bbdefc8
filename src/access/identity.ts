import type { OutsideIdentity } from './actor.ts'
import type { OutsideIssuer } from './outside-issuer.ts'
import type { PasswordWork } from './password-work.ts'
import type { UserTokens } from './user-token.ts'

/** What identity is made of in this process; the same in every process of one service. */
export type Identity = {
  /** Tokens of local accounts. */
  tokens: UserTokens
  /** Passwords are hashed in it. */
  passwords: PasswordWork
  /** Where else people sign in; null when there is no such place. */
  outsideIssuer: OutsideIssuer | null
  /** What the log keeps the requests of an outside identity under while it has no account. */
  unknownId(identity: Pick<OutsideIdentity, 'issuer' | 'subject'>): string
  /** Whether signing up needs an invite. */
  signUp: 'open' | 'invited'
}
