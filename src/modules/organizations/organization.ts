import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { isMoving, organizationMoveInProgress } from '../../access/organization-move.ts'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { idField, nameField, timeFields } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'
import { name } from '../../core/fields.ts'
import type { Columns } from '../../core/names.ts'
import { type Organization, Prisma } from '../../database/generated/client.ts'
import type { Environment } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
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
  organization_id: fieldFrom('id', idField().describe('The id of the organization.')),
  ...organizationFields.answer,
  environment: environment()
    .optional()
    .describe('Whether the organization is for real customers or for tests, if this was set.'),
  ...timeFields,
})

/**
 * Locks the organization. A person's write that changes its members takes this lock right after the lock of the person, so that
 * the last two admins cannot remove each other. Writes to subscribers do not wait for it. A member's write declares the lock
 * instead (`locks`), because the organization must be locked before the caller's rights.
 *
 * The order of all row locks: idempotency key, person, organization, the rights of the caller (member, then key or session),
 * the organization's import lock (an advisory lock that only imports take), other members and their credentials, invite,
 * subscriber, feature, plan, override or subscription. Rows of the same kind are locked in the order of their keys.
 */
export async function lockOrganization(tx: Transaction, organizationId: string): Promise<Organization> {
  await tx.$queryRaw`select 1 from organization where organization_id = ${organizationId} for no key update`
  await assertOrganizationIsNotMoving(tx, organizationId)
  return tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
}

/**
 * Throws 503 while the organization is being moved. Called after the organization is locked, because `org:move` locks the
 * organization before it marks the members.
 */
export async function assertOrganizationIsNotMoving(tx: Transaction, organizationId: string): Promise<void> {
  if (await isBeingMoved(tx, organizationId)) throw organizationMoveInProgress()
}

/** Whether the organization is being moved, or has moved. */
export async function isBeingMoved(db: Queries, organizationId: string): Promise<boolean> {
  const moving = await db.$queryRaw<unknown[]>`
    select from member where organization_id = ${organizationId} and ${Prisma.raw(isMoving('member'))} limit 1`
  return moving.length > 0
}

/**
 * Every write to features or plans locks the organization (`locks`) and calls this first, so that evals read the catalog again
 * after the commit. Returns the catalog's bytes before the write.
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
  /** The person who creates it; absent if an operator does. */
  creatorId?: string
} & WrittenColumns

/** Adds an organization without members, with the row that counts its evals. */
export async function addOrganization(
  tx: Transaction,
  { organizationId, now, ...written }: NewOrganization,
): Promise<void> {
  await tx.organization.create({
    data: { id: organizationId, ...written, createdAt: now, updatedAt: now, evalCounter: { create: {} } },
  })
}
