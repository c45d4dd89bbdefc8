import { conflict, type DomainError } from '../../core/errors.ts'
import { type PlanGrant, Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
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
    `An organization may have at most ${limits.maxFeatures} features. Delete one that is no longer needed, or ask the operator of this server to raise MAX_FEATURES.`,
  )
}

/** Throws 409 if the organization has too many plans, including archived plans. Called like `assertRoomForFeature`. */
export async function assertRoomForPlan(tx: Transaction, organizationId: string, limits: Limits): Promise<void> {
  const count = await tx.plan.count({ where: { organizationId } })
  if (count <= limits.maxPlans) return
  throw conflict(
    { field: 'plans', value: limits.maxPlans },
    `An organization may have at most ${limits.maxPlans} plans, including archived ones. Delete one that never had a subscription, or ask the operator of this server to raise MAX_PLANS.`,
  )
}

/**
 * Counts the bytes of features and grants. Every write that changes features or grants calls this afterwards. Throws 409 if
 * they grew above the cap; a catalog above the cap may shrink. Counts everything each time, so that the number cannot drift:
 * about 100 ms for a catalog at the cap, and a millisecond for 200 features and 12 plans.
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
  const refusal = findCatalogBytesRefusal(catalogBytes, { bytesBefore, limits })
  if (refusal) throw refusal
}

/** Returns 409 if the bytes grew above the cap; null if the write may succeed. */
function findCatalogBytesRefusal(
  bytes: bigint,
  { bytesBefore, limits: { maxCatalogBytes } }: { bytesBefore: bigint; limits: Limits },
): DomainError | null {
  if (bytes <= maxCatalogBytes || bytes <= bytesBefore) return null
  return conflict(
    { field: 'catalog_bytes', value: maxCatalogBytes },
    `The features and grants of an organization may have at most ${maxCatalogBytes} bytes in total. Shorten or delete some, or ask the operator of this server to raise MAX_CATALOG_BYTES.`,
  )
}

type GrantsChange = {
  organizationId: string
  removed: readonly PlanGrant[]
  added: readonly PlanGrant[]
  limits: Limits
}

/** Returns 409 if a write of these grants would be refused for the catalog's bytes; else null. */
export async function previewCatalogBytes(
  db: Queries,
  { organizationId, removed, added, limits }: GrantsChange,
): Promise<DomainError | null> {
  const { catalogBytes: bytesBefore } = await db.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { catalogBytes: true },
  })
  const bytes = bytesBefore + BigInt(sumBytes(added) - sumBytes(removed))
  return findCatalogBytesRefusal(bytes, { bytesBefore, limits })
}

/** The bytes of a row's texts, plus an estimate for its other columns. */
function bytesOf<Row>(table: Table<Row>): Prisma.Sql {
  const values = textsOf(table).map(({ name, type }) => (type === 'text' ? name : `array_to_string(${name}, '')`))
  return Prisma.raw(`${otherBytes}${values.map((value) => ` + coalesce(octet_length(${value}), 0)`).join('')}`)
}

/** The bytes of grants that are not stored, counted in the same way. */
function sumBytes(grants: readonly PlanGrant[]): number {
  const texts = textsOf(grantTable)
  const bytesOfGrant = (grant: PlanGrant) =>
    texts.reduce((bytes, { field }) => bytes + Buffer.byteLength(String(grant[field] ?? '')), otherBytes)
  return grants.reduce((bytes, grant) => bytes + bytesOfGrant(grant), 0)
}

const otherBytes = 32

function textsOf<Row>({ each }: Table<Row>): Table<Row>['each'] {
  return each.filter(({ field, type }) => field !== 'organizationId' && type.startsWith('text'))
}
