import type { Transaction } from '../../database/transaction.ts'
import type { ReadScope } from '../../operation/operation.ts'

/**
 * Records that a person signed in to the organization. An admin who never signed in does not count when the service checks that
 * an admin remains.
 */
export async function recordSignIn(
  tx: Transaction,
  { organizationId, memberId, now }: { organizationId: string; memberId: string; now: Date },
): Promise<void> {
  await tx.memberLastSeen.createMany({ data: { organizationId, memberId, at: now }, skipDuplicates: true })
}

/** Loads when members last acted, to the minute, by member id. Leaves out members who never acted. */
export async function loadLastSeen(
  { db, organizationId }: ReadScope,
  memberIds: readonly string[],
): Promise<Map<string, Date>> {
  const seen = await db.memberLastSeen.findMany({ where: { organizationId, memberId: { in: [...memberIds] } } })
  return new Map(seen.map(({ memberId, at }) => [memberId, at]))
}
