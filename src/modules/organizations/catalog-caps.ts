import { conflict } from '../../core/errors.ts'
import type { Limits, Transaction } from '../../operation/operation.ts'

/**
 * 409 when the organization has too many features, or its catalog too many bytes. Called after a write that may have made
 * it grow, while the organization is locked, so that two writes at once cannot pass a cap together.
 */
export async function assertRoomForFeature(tx: Transaction, organizationId: string, limits: Limits): Promise<void> {
  const count = await tx.feature.count({ where: { organizationId } })
  if (count <= limits.maxFeatures) return
  throw conflict(
    { field: 'features', value: limits.maxFeatures },
    `An organization has at most ${limits.maxFeatures} features. Delete one that is not needed any more, or have MAX_FEATURES raised on the server.`,
  )
}

/** The same for plans; archived ones count. */
export async function assertRoomForPlan(tx: Transaction, organizationId: string, limits: Limits): Promise<void> {
  const count = await tx.plan.count({ where: { organizationId } })
  if (count <= limits.maxPlans) return
  throw conflict(
    { field: 'plans', value: limits.maxPlans },
    `An organization has at most ${limits.maxPlans} plans, archived ones included. Delete one that never had a subscription, or have MAX_PLANS raised on the server.`,
  )
}

/** The same for the bytes of features and grants. A catalog that is beyond the cap already may shrink. */
export async function assertCatalogBytes(
  tx: Transaction,
  organizationId: string,
  { bytesBefore, limits }: { bytesBefore: bigint; limits: Limits },
): Promise<void> {
  const { catalogBytes } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { catalogBytes: true },
  })
  if (catalogBytes <= limits.maxCatalogBytes || catalogBytes <= bytesBefore) return
  throw conflict(
    { field: 'catalog_bytes', value: limits.maxCatalogBytes },
    `The features and grants of an organization have at most ${limits.maxCatalogBytes} bytes. Shorten or delete some, or have MAX_CATALOG_BYTES raised on the server.`,
  )
}
