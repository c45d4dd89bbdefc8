import type { Attack } from './attack.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { connectionAttacks } from './attacks/connections.ts'
import { documentAttacks } from './attacks/documents.ts'
import { hostAttacks } from './attacks/hosts.ts'
import { identityAttacks } from './attacks/identity.ts'
import { importAttacks } from './attacks/imports.ts'
import { introspectionAttacks } from './attacks/introspection.ts'
import { largeAnswerAttacks } from './attacks/large-answers.ts'
import { poolAttacks } from './attacks/pool.ts'
import { receiverAttacks } from './attacks/receivers.ts'
import { relayAttacks } from './attacks/relay.ts'
import { rightsAttacks } from './attacks/rights.ts'
import { signinAttacks } from './attacks/signin.ts'
import { socketAttacks } from './attacks/sockets.ts'
import { startAttacks } from './attacks/start.ts'
import { storageAttacks } from './attacks/storage.ts'
import { tenantAttacks } from './attacks/tenants.ts'
import { textAttacks } from './attacks/texts.ts'
import { tokenAttacks } from './attacks/tokens.ts'
import { writeAttacks } from './attacks/writes.ts'

/** Every attack with a name. */
export const namedAttacks: readonly Attack[] = [
  ...documentAttacks,
  ...introspectionAttacks,
  ...bodyAttacks,
  ...connectionAttacks,
  ...socketAttacks,
  ...hostAttacks,
  ...identityAttacks,
  ...rightsAttacks,
  ...writeAttacks,
  ...signinAttacks,
  ...tenantAttacks,
  ...largeAnswerAttacks,
  ...receiverAttacks,
  ...tokenAttacks,
  ...startAttacks,
  ...poolAttacks,
  ...importAttacks,
  ...storageAttacks,
  ...textAttacks,
  ...relayAttacks,
]
