import { unauthorized } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import type { Role } from '../database/generated/enums.ts'
import type { Actor } from './actor.ts'
import { hashApiKey } from './api-key.ts'

type KeyRow = { organization_id: string; member_id: string; role: Role; key_prefix: string; now: Date }

/**
 * The member whose key this is; 401 when the key is unknown or its member disabled.
 * Asked anew for each request, so that a revocation holds from the next one on, in every process.
 */
export async function authenticateKey(database: Database, key: string | undefined): Promise<Actor> {
  if (key === undefined || key === '') throw unauthorized()
  const keyHash = hashApiKey(key)
  if (!keyHash) throw unauthorized('This API key is not valid.')

  const { rows } = await database.pool.query<KeyRow>({
    name: 'authenticate-key',
    text: `select k.organization_id, k.member_id, m.role, k.key_prefix, clock_timestamp() as now
             from api_key k
             join member m on m.organization_id = k.organization_id and m.member_id = k.member_id
            where k.key_hash = $1 and m.status = 'active'`,
    values: [keyHash],
  })
  const [row] = rows
  if (!row) throw unauthorized('This API key is not valid, was revoked, or its member is disabled.')
  return {
    organizationId: row.organization_id,
    memberId: row.member_id,
    role: row.role,
    authType: 'member_apikey',
    keyPrefix: row.key_prefix,
    keyHash,
    authenticatedAt: row.now,
  }
}
