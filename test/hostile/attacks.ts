import { type Attack, pause } from './attack.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { connectionAttacks } from './attacks/connections.ts'
import { documentAttacks } from './attacks/documents.ts'
import { hostAttacks } from './attacks/hosts.ts'
import { identityAttacks } from './attacks/identity.ts'
import { introspectionAttacks } from './attacks/introspection.ts'
import { rightsAttacks } from './attacks/rights.ts'
import { tenantAttacks } from './attacks/tenants.ts'
import { writeAttacks } from './attacks/writes.ts'

/** Measures others while nobody attacks: the baseline of a busy machine. */
const calm: Attack = { name: 'nothing at all', run: (scene) => pause(scene, 3_000) }

/** Every attack with a name. */
export const namedAttacks: readonly Attack[] = [
  calm,
  ...documentAttacks,
  ...introspectionAttacks,
  ...bodyAttacks,
  ...connectionAttacks,
  ...hostAttacks,
  ...identityAttacks,
  ...rightsAttacks,
  ...writeAttacks,
  ...tenantAttacks,
]
