import { newId } from '../../core/ids.ts'
import type { Transaction } from '../../database/transaction.ts'
import { addInvite, type LinkContext } from '../invites/invite.ts'
import { addOrganization, lockOrganization } from '../organizations/organization.ts'
import { addApiKey } from '../service-accounts/api-key.ts'
import { addServiceAccount, loadServiceAccount } from '../service-accounts/service-account.ts'

export type NewAdmin = { serviceAccountId: string; memberId: string; apiKey: string }
export type NewOrganization = NewAdmin & { organizationId: string; inviteLink: string }

/**
 * Creates an organization with an admin service account and an invite for its first admin. The key and the link are shown only
 * once.
 */
export async function setUpOrganization(
  tx: Transaction,
  { name, now, links }: { name: string; now: Date; links: LinkContext },
): Promise<NewOrganization> {
  const organizationId = newId()
  await addOrganization(tx, { organizationId, name, now })
  const admin = await addAdmin(tx, { organizationId, now })
  const invite = await addInvite(tx, links, { organizationId, now, input: { role: 'admin' } })
  return { organizationId, ...admin, inviteLink: invite.link }
}

/** Restores access with a new key for the oldest admin service account, or for a new account if there is none. */
export async function createAdminKey(
  tx: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<NewAdmin> {
  // Lock first, because an admin may be deleting the account right now.
  await lockOrganization(tx, organizationId)
  const oldest = await tx.serviceAccount.findFirst({
    where: { organizationId, member: { role: 'admin', status: 'active' } },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
  if (!oldest) return addAdmin(tx, { organizationId, now })
  const account = await loadServiceAccount(tx, organizationId, oldest.id)
  const { key } = await addApiKey(tx, account, { now, input: { name: 'Admin' } })
  return { serviceAccountId: account.id, memberId: account.memberId, apiKey: key }
}

/** Adds an admin service account with a key to an organization. */
export async function addAdmin(
  tx: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<NewAdmin> {
  const account = await addServiceAccount(tx, { organizationId, name: 'Admin', role: 'admin', now })
  const { key } = await addApiKey(tx, account, { now, input: { name: 'Admin' } })
  return { serviceAccountId: account.id, memberId: account.memberId, apiKey: key }
}
