import type { Transaction } from '../../operation/operation.ts'

/**
 * First in every write to features or plans: evals read the catalog anew from the commit on, and such writes of one
 * organization wait for each other.
 *
 * The order in which rows are locked, everywhere: organization, subscriber, feature, plan, override or subscription;
 * several of a kind by their key.
 */
export async function raiseCatalogVersion(tx: Transaction, organizationId: string): Promise<void> {
  await tx.organization.update({
    where: { id: organizationId },
    data: { catalogVersion: { increment: 1 } },
    select: { id: true },
  })
}
