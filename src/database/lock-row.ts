import { Prisma } from './generated/client.ts'
import type { Sql } from './sql.ts'

const keyColumns = { feature: 'feature_key', plan: 'plan_key', subscriber: 'subscriber_id' } as const

/** `share` is for who refers to the row and needs it to stay as it is; `update` is for who changes or deletes it. */
export type LockStrength = 'share' | 'update'

/**
 * Locks the row until the transaction ends, and returns it as it is then; null if there is none. The row may have been
 * deleted and created again while we waited for the lock: it counts as missing then, as nobody holds the new one.
 */
export async function lockRow<Row>(
  sql: Sql,
  { table, columns }: { table: keyof typeof keyColumns; columns: Prisma.Sql },
  { organizationId, key }: { organizationId: string; key: string },
  strength: LockStrength,
): Promise<Row | null> {
  const [row] = await sql.query<Row>(Prisma.sql`
    select ${columns} from ${Prisma.raw(table)}
     where organization_id = ${organizationId} and ${Prisma.raw(keyColumns[table])} = ${key} for ${Prisma.raw(strength)}`)
  return row ?? null
}
