import type pg from 'pg'
import { lookUpTokenSubjects } from '../access/look-up-token-subjects.ts'
import { isMoved, organizationMoveInProgress } from '../access/organization-move.ts'
import { hasAnyLabel, type Label } from '../access/roles.ts'
import { type TokenSubject, tokenHasEnded } from '../access/subscriber-token.ts'
import { currentTime } from '../core/clock.ts'
import { forbidden, unauthorized } from '../core/errors.ts'
import type { Role } from '../database/generated/enums.ts'
import type { ChangeFeed } from './feed.ts'
import type { Follower } from './follower.ts'

const checkIntervalMs = 2_000

/**
 * Ends followers within a few seconds after their key was revoked or has expired, their member was disabled or lost the label,
 * or their token has ended. Runs one statement for all keys and one for all tokens; if one of them fails, the followers that it
 * checks continue. Returns a stop function.
 */
export function watchRights(feed: ChangeFeed, pool: pg.Pool, labels: readonly Label[]): () => void {
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    void Promise.allSettled([checkKeys(feed, pool, labels), checkTokens(feed, pool, labels)]).finally(() => {
      isChecking = false
    })
  }, checkIntervalMs)
  return () => clearInterval(timer)
}

const text = `
select encode(k.key_hash, 'hex') as hash, m.role, ${isMoved('m')} as "isMoved"
  from unnest($1::text[], $2::text[]) as requested (organization_id, hash)
  join api_key k on k.organization_id = requested.organization_id and k.key_hash = decode(requested.hash, 'hex')
  join member m on m.organization_id = k.organization_id and m.member_id = k.member_id
 where (k.expires_at is null or k.expires_at > clock_timestamp()) and m.status = 'active'`

async function checkKeys(feed: ChangeFeed, pool: pg.Pool, labels: readonly Label[]): Promise<void> {
  const followers = feed.followers().flatMap((follower) => {
    const { credential } = follower
    return typeof credential === 'string' ? { follower, hash: credential } : []
  })
  if (followers.length === 0) return
  const organizations = new Map(followers.map(({ follower, hash }) => [hash, follower.organizationId]))
  const values = [[...organizations.values()], [...organizations.keys()]]
  const { rows } = await pool.query<{ hash: string; role: Role; isMoved: boolean }>({
    name: 'rights-of-followers',
    text,
    values,
  })
  const rowsByHash = new Map(rows.map((row) => [row.hash, row]))
  for (const { follower, hash } of followers) {
    const row = rowsByHash.get(hash)
    if (row === undefined) follower.end(unauthorized('This API key is no longer valid, or its member is disabled.'))
    else if (row.isMoved) follower.end(organizationMoveInProgress())
    else if (!hasAnyLabel(row.role, labels)) follower.end(forbidden(labels))
  }
}

async function checkTokens(feed: ChangeFeed, pool: pg.Pool, labels: readonly Label[]): Promise<void> {
  const followers = feed.followers().filter(isByToken)
  if (followers.length === 0) return
  const now = currentTime()
  for (const follower of followers) if (follower.credential.expiresAt <= now) follower.end(tokenHasEnded())
  const credentials = followers.map(({ credential }) => credential)
  const tokenSubjects = await lookUpTokenSubjects(pool, credentials, labels)
  for (const [index, follower] of followers.entries()) {
    const tokenSubject = tokenSubjects[index]
    if (!tokenSubject) follower.end(tokenHasEnded())
    else if (tokenSubject.isMoved) follower.end(organizationMoveInProgress())
  }
}

function isByToken(follower: Follower): follower is Follower & { credential: TokenSubject } {
  return typeof follower.credential !== 'string'
}
