import type { OutsideIdentity } from './actor.ts'
import type { OutsideIssuer } from './outside-issuer.ts'
import type { PasswordWork } from './password-work.ts'
import type { UserTokens } from './user-token.ts'

/** The parts of identity in this process; the same in every process of one service. */
export type Identity = {
  /** Tokens of local accounts. */
  tokens: UserTokens
  /** Hashes passwords. */
  passwords: PasswordWork
  /** The outside provider where people also sign in; null when there is none. */
  outsideIssuer: OutsideIssuer | null
  /** The name under which the log records the requests of an outside identity while it has no account. */
  unknownId(identity: Pick<OutsideIdentity, 'issuer' | 'subject'>): string
  /** Whether signing up needs an invite. */
  signUp: 'open' | 'invited'
}
