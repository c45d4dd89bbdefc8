import { conflict } from '../../core/errors.ts'
import { Prisma } from '../../database/generated/client.ts'
import { featureTable, grantTable, type Table } from '../../database/table.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { Limits } from '../../operation/operation.ts'

/**
 * Throws 409 if the organization has too many features. Called after the write, while the organization is locked, so that two
 * concurrent writes cannot exceed the cap together.
 */
export async function assertRoomForFeature(tx: Transaction, organizationId: string, limits: Limits): Promise<void> {
  const count = await tx.feature.count({ where: { organizationId } })
  if (count <= limits.maxFeatures) return
  throw conflict(
    { field: 'features', value: limits.maxFeatures },
    `An organization may have at most ${limits.maxFeatures} features. Delete one that is no longer needed, or have MAX_FEATURES raised on the server.`,
  )
}

/** The same for plans, including archived plans. */
export async function assertRoomForPlan(tx: Transaction, organizationId: string, limits: Limits): Promise<void> {
  const count = await tx.plan.count({ where: { organizationId } })
  if (count <= limits.maxPlans) return
  throw conflict(
    { field: 'plans', value: limits.maxPlans },
    `An organization may have at most ${limits.maxPlans} plans, including archived ones. Delete one that never had a subscription, or have MAX_PLANS raised on the server.`,
  )
}

/**
 * Counts the bytes of features and grants; every write that changes these calls it last. Throws 409 if they grew above the cap;
 * a catalog above the cap may shrink. Counts everything each time, so that the number cannot drift: about 100 ms for a catalog
 * at the cap, and a millisecond for 200 features and 12 plans.
 */
export async function countCatalogBytes(
  tx: Transaction,
  organizationId: string,
  { bytesBefore, limits }: { bytesBefore: bigint; limits: Limits },
): Promise<void> {
  const [row] = await tx.$queryRaw<{ catalog_bytes: bigint }[]>`
    update organization set catalog_bytes = (
      select coalesce(sum(${bytesOf(featureTable)}), 0) from feature where organization_id = ${organizationId}
    ) + (
      select coalesce(sum(${bytesOf(grantTable)}), 0) from plan_grant where organization_id = ${organizationId}
    )
    where organization_id = ${organizationId} returning catalog_bytes`
  const { catalog_bytes: catalogBytes } = row as { catalog_bytes: bigint }
  if (catalogBytes <= limits.maxCatalogBytes || catalogBytes <= bytesBefore) return
  throw conflict(
    { field: 'catalog_bytes', value: limits.maxCatalogBytes },
    `The features and grants of an organization may have at most ${limits.maxCatalogBytes} bytes in total. Shorten or delete some, or have MAX_CATALOG_BYTES raised on the server.`,
  )
}

/** SQL: the bytes of a row's texts, plus an estimate for its other columns. */
function bytesOf<Row>({ each }: Table<Row>): Prisma.Sql {
  const texts = each.filter(({ field, type }) => field !== 'organizationId' && type.startsWith('text'))
  const values = texts.map(({ name, type }) => (type === 'text' ? name : `array_to_string(${name}, '')`))
  return Prisma.raw(`32${values.map((value) => ` + coalesce(octet_length(${value}), 0)`).join('')}`)
}
