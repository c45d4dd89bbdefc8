import { newApiKey } from '../../access/api-key.ts'
import { newId } from '../../core/ids.ts'
import type { Transaction } from '../../operation/operation.ts'

export type NewAdmin = { serviceAccountId: string; memberId: string; apiKey: string }
export type NewOrganization = NewAdmin & { organizationId: string }

/** An organization, the counter of its evals, and an admin service account whose key is told this once. */
export async function createOrganization(
  tx: Transaction,
  { name, now }: { name: string; now: Date },
): Promise<NewOrganization> {
  const organizationId = newId()
  await tx.organization.create({
    data: { id: organizationId, name, createdAt: now, updatedAt: now },
    select: { id: true },
  })
  await tx.evalCounter.create({ data: { organizationId }, select: { organizationId: true } })
  return { organizationId, ...(await createAdmin(tx, { organizationId, now })) }
}

/** The way back in: a new key of the oldest admin service account, or of a new one when none is left. */
export async function createAdminKey(
  tx: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<NewAdmin> {
  const account = await tx.serviceAccount.findFirst({
    where: { organizationId, member: { role: 'admin', status: 'active' } },
    orderBy: { id: 'asc' },
    select: { id: true, memberId: true },
  })
  if (!account) return createAdmin(tx, { organizationId, now })
  const { id: serviceAccountId, memberId } = account
  return {
    serviceAccountId,
    memberId,
    apiKey: await createKey(tx, { organizationId, serviceAccountId, memberId, now }),
  }
}

async function createAdmin(
  tx: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<NewAdmin> {
  const [memberId, serviceAccountId] = [newId(), newId()]
  const owner = { organizationId, createdAt: now, updatedAt: now }
  await tx.member.create({
    data: { ...owner, id: memberId, serviceAccountId, displayName: 'Admin', role: 'admin' },
    select: { id: true },
  })
  await tx.serviceAccount.create({
    data: { ...owner, id: serviceAccountId, memberId, name: 'Admin' },
    select: { id: true },
  })
  return {
    serviceAccountId,
    memberId,
    apiKey: await createKey(tx, { organizationId, serviceAccountId, memberId, now }),
  }
}

async function createKey(
  tx: Transaction,
  owner: { organizationId: string; serviceAccountId: string; memberId: string; now: Date },
): Promise<string> {
  const { organizationId, serviceAccountId, memberId, now } = owner
  const { key, prefix, hash } = newApiKey()
  await tx.apiKey.create({
    data: {
      organizationId,
      serviceAccountId,
      memberId,
      id: newId(),
      hash: new Uint8Array(hash),
      prefix,
      name: 'Admin',
      createdAt: now,
    },
    select: { id: true },
  })
  return key
}
