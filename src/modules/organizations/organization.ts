import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { isMoving, organizationIsMoving } from '../../access/moving.ts'
import { defineAnswer, from } from '../../core/answer.ts'
import { idField, nameField, timeFields } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'
import { name } from '../../core/fields.ts'
import type { Columns } from '../../core/names.ts'
import { type Organization, Prisma } from '../../database/generated/client.ts'
import type { Environment } from '../../database/generated/enums.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'

/** The fields that create and update share. */
export const organizationFields = defineFields('Organization', {
  name: { input: name(), answer: nameField().describe('The display name.') },
})

export function environment() {
  return namedEnum(
    'Environment',
    { live: 'Real customers.', test: 'Tests.' } satisfies Record<Environment, string>,
    'Whether an organization is for real customers or for tests, so that nobody edits the wrong one.',
  )
}

export const organizationAnswer = defineAnswer<Organization>('Organization', 'The vendor.', {
  organization_id: from('id', idField().describe('The id of the organization.')),
  ...organizationFields.answer,
  environment: environment()
    .optional()
    .describe('Whether the organization is for real customers or for tests, if this was set.'),
  ...timeFields,
})

/**
 * When a person changes the members of an organization, this is the first lock after the person: such writes wait for each
 * other, so that the last two admins cannot remove each other. Writes to subscribers do not wait. A member's write declares
 * the lock instead (`locks`), because the organization comes before the caller's rights.
 *
 * The order in which rows are locked, everywhere: person, organization, the rights of a write's caller (member, then key or
 * session), the organization's import lock (an advisory lock, which only imports take), other members and their
 * credentials, invite, subscriber, feature, plan, override or subscription; several of a kind by their key.
 */
export async function lockOrganization(tx: Transaction, organizationId: string): Promise<Organization> {
  await tx.$queryRaw`select 1 from organization where organization_id = ${organizationId} for no key update`
  await assertOrganizationStays(tx, organizationId)
  return tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
}

/** 503 while it is being moved. Called once it is locked: org:move locks it before it marks its members. */
export async function assertOrganizationStays(tx: Transaction, organizationId: string): Promise<void> {
  const moving = await tx.$queryRaw<unknown[]>`
    select from member where organization_id = ${organizationId} and ${Prisma.raw(isMoving('member'))} limit 1`
  if (moving.length > 0) throw organizationIsMoving()
}

/**
 * Every write to features or plans calls this first and locks the organization (`locks`): evals read the catalog again after
 * the commit. Returns the catalog's bytes before the write.
 */
export async function renewCatalogVersion(tx: Transaction, organizationId: string): Promise<{ bytesBefore: bigint }> {
  const { catalogBytes } = await tx.organization.update({
    where: { id: organizationId },
    data: { catalogVersion: randomUUID() },
    select: { catalogBytes: true },
  })
  return { bytesBefore: catalogBytes }
}

type WrittenColumns = Columns<z.output<z.ZodObject<typeof organizationFields.input>>>

type NewOrganization = {
  organizationId: string
  now: Date
  /** The person who creates it; absent for an operator. */
  creatorId?: string
} & WrittenColumns

/** A new vendor, with the row that counts its evals. It has no members yet. */
export async function addOrganization(
  tx: Transaction,
  { organizationId, now, ...written }: NewOrganization,
): Promise<void> {
  await tx.organization.create({
    data: { id: organizationId, ...written, createdAt: now, updatedAt: now, evalCounter: { create: {} } },
  })
}
