import { Prisma } from './generated/client.ts'
import type { Transaction } from './transaction.ts'

const keyColumns = { feature: 'feature_key', plan: 'plan_key', subscriber: 'subscriber_id' } as const

/** `share` is for who refers to the row and needs it to stay as it is; `update` is for who changes or deletes it. */
export type LockStrength = 'share' | 'update'

/**
 * Locks the row until the transaction ends, and says whether there is one. The row may have been deleted and created again
 * while we waited for the lock: it counts as missing then, as nobody holds the new one.
 */
export async function lockRow(
  tx: Transaction,
  table: keyof typeof keyColumns,
  { organizationId, key }: { organizationId: string; key: string },
  strength: LockStrength,
): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    select 1 from ${Prisma.raw(table)}
     where organization_id = ${organizationId} and ${Prisma.raw(keyColumns[table])} = ${key} for ${Prisma.raw(strength)}`
  return locked.length > 0
}
