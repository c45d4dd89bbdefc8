import { defineAnswer, from } from '../../core/answer.ts'
import { idField, textField, timeFields } from '../../core/answer-fields.ts'
import type { Organization } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'

export type { Organization } from '../../database/generated/client.ts'

export const organizationAnswer = defineAnswer<Organization>('Organization', 'The vendor.', {
  organization_id: from('id', idField().describe('The id of the organization.')),
  name: textField(1, 255).describe('For people.'),
  ...timeFields,
})

/**
 * First in what a person does to who the members of an organization are, after the person: such writes wait for each
 * other, so that two cannot both leave the other as the last admin. Subscribers are written meanwhile. A member's write
 * names the lock in its facts instead (`locks`), as the organization goes before the caller's rights.
 *
 * The order in which rows are locked, everywhere: person, organization, the rights of a write's caller (member, then key or
 * session), other members and what they act by, invite, subscriber, feature, plan, override or subscription; several of a
 * kind by their key.
 */
export async function lockOrganization(tx: Transaction, organizationId: string): Promise<Organization> {
  await tx.$queryRaw`select 1 from organization where organization_id = ${organizationId} for no key update`
  return tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
}

/**
 * First in every write to features or plans, which lock the organization (`locks`): evals read the catalog again from the
 * commit on. Returns what the catalog's bytes were before the write.
 */
export async function renewCatalogVersion(tx: Transaction, organizationId: string): Promise<{ bytesBefore: bigint }> {
  const [row] = await tx.$queryRaw<{ catalog_bytes: bigint }[]>`
    update organization set catalog_version = gen_random_uuid() where organization_id = ${organizationId}
    returning catalog_bytes`
  return { bytesBefore: (row as { catalog_bytes: bigint }).catalog_bytes }
}

/** A new vendor, with the row that its evals count in. Nobody is in it yet. */
export async function addOrganization(
  tx: Transaction,
  { organizationId, name, now }: { organizationId: string; name: string; now: Date },
): Promise<void> {
  await tx.organization.create({
    data: { id: organizationId, name, createdAt: now, updatedAt: now, evalCounter: { create: {} } },
  })
}
