import type pg from 'pg'
import { hasAnyLabel, type Label } from '../access/roles.ts'
import { forbidden, unauthorized } from '../core/errors.ts'
import type { Role } from '../database/generated/enums.ts'
import type { ChangeFeed } from './feed.ts'

const everyMs = 2_000

/**
 * Ends followers whose key was revoked or has expired, and those whose member was disabled or lost the label, within a few
 * seconds. One statement for all of them; if it fails they go on. Returns how to stop.
 */
export function watchRights(feed: ChangeFeed, pool: pg.Pool, labels: readonly Label[]): () => void {
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look(feed, pool, labels)
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

const text = `
select encode(k.key_hash, 'hex') as hash, m.role
  from unnest($1::text[], $2::text[]) as asked (organization_id, hash)
  join api_key k on k.organization_id = asked.organization_id and k.key_hash = decode(asked.hash, 'hex')
  join member m on m.organization_id = k.organization_id and m.member_id = k.member_id
 where (k.expires_at is null or k.expires_at > clock_timestamp()) and m.status = 'active'`

async function look(feed: ChangeFeed, pool: pg.Pool, labels: readonly Label[]): Promise<void> {
  const followers = feed.followers()
  if (followers.length === 0) return
  const asked = new Map(followers.map(({ credentialHash, organizationId }) => [credentialHash, organizationId]))
  const values = [[...asked.values()], [...asked.keys()]]
  const { rows } = await pool.query<{ hash: string; role: Role }>({ name: 'rights-of-followers', text, values })
  const roles = new Map(rows.map(({ hash, role }) => [hash, role]))
  for (const follower of followers) {
    const role = roles.get(follower.credentialHash)
    if (role === undefined) follower.end(unauthorized('The key of this request has ended.'))
    else if (!hasAnyLabel(role, labels)) follower.end(forbidden(labels))
  }
}
