import type { ReadScope } from '../../operation/operation.ts'

/** When members last acted, to the minute, by member id. Leaves out members who never acted. */
export async function loadLastSeen(
  { db, organizationId }: ReadScope,
  memberIds: readonly string[],
): Promise<Map<string, Date>> {
  const seen = await db.memberLastSeen.findMany({ where: { organizationId, memberId: { in: [...memberIds] } } })
  return new Map(seen.map(({ memberId, at }) => [memberId, at]))
}
