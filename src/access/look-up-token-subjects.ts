import type pg from 'pg'
import type { Role } from '../database/generated/enums.ts'
import { isMoved } from './organization-move.ts'
import { hasAnyLabel, type Label } from './roles.ts'
import type { TokenSubject } from './subscriber-token.ts'

/** The result for a valid token: requests use the owner's share. `isMoved`: whether the organization has moved. */
type ValidTokenSubject = { ownerId: string; isMoved: boolean }

const text = `
select h.ordinal::int, coalesce(o.creator_id, o.organization_id) as "ownerId", m.role,
       ${isMoved('m')} as "isMoved"
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
       with ordinality as h(organization_id, key_id, subscriber_id, since, ordinal)
  join api_key k on k.organization_id = h.organization_id and k.key_id = h.key_id
   and (k.expires_at is null or k.expires_at > clock_timestamp())
  join member m on m.organization_id = h.organization_id and m.member_id = k.member_id and m.status = 'active'
  join organization o on o.organization_id = h.organization_id
  join subscriber s on s.organization_id = h.organization_id and s.subscriber_id = h.subscriber_id and s.created_at = h.since`

/** Looks up whether each token subject's token is still valid: null if its key, label or subscriber no longer exists. */
export async function lookUpTokenSubjects(
  pool: Pick<pg.Pool, 'query'>,
  tokenSubjects: readonly TokenSubject[],
  labels: readonly Label[],
): Promise<(ValidTokenSubject | null)[]> {
  const values = [
    tokenSubjects.map(({ organizationId }) => organizationId),
    tokenSubjects.map(({ keyId }) => keyId),
    tokenSubjects.map(({ subscriberId }) => subscriberId),
    tokenSubjects.map(({ subscriberSince }) => subscriberSince),
  ]
  const { rows } = await pool.query<{ ordinal: number; ownerId: string; role: Role; isMoved: boolean }>({
    name: 'look-up-token-subjects',
    text,
    values,
  })
  const found = new Map(
    rows
      .filter(({ role }) => hasAnyLabel(role, labels))
      .map(({ ordinal, ownerId, isMoved }) => [ordinal, { ownerId, isMoved }]),
  )
  return tokenSubjects.map((_, index) => found.get(index + 1) ?? null)
}
