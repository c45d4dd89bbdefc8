import { Prisma } from '../database/generated/client.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Origin } from '../http/origin.ts'
import { toRecordedDetails } from './details.ts'
import { newEntryId } from './insert-entry.ts'
import { insertCreation, insertUnchained } from './record.ts'
import { toStoredAgent } from './stored-text.ts'

/** A change to the member of a person who signs in, made because of the person's groups. */
export type GroupChange = {
  organizationId: string
  memberId: string
  userId: string
  /** The same as if an admin had created (201) or changed (200) the member. */
  status: 200 | 201
  details: Record<string, unknown>
  origin: Origin
}

/**
 * Records the change in the organization's log and in the person's own log, in the transaction that makes the change. The
 * person is the actor.
 */
export async function recordGroupChange(tx: Transaction, change: GroupChange): Promise<void> {
  const { organizationId, memberId, userId, status, details, origin } = change
  const id = newEntryId(origin.receivedAt)
  const createdId = status === 201 ? memberId : null
  const params = JSON.stringify({ member_id: memberId })
  const request = Prisma.sql`
    ${origin.receivedAt.toISOString()}::timestamptz, ${origin.requestId}, 'identity', 'GET', '/auth/oidc/callback',
    ${params}::jsonb, ${origin.ip}, ${toStoredAgent(origin.userAgent)}, 'responded'::audit_outcome, ${status}::int, ${createdId}`
  await tx.$executeRaw`
    insert into audit_event (organization_id, audit_event_id, member_id, auth_type, details, changed_at, occurred_at, request_id,
                             service, method, route, params, ip, user_agent, outcome, status, created_id)
    values (${organizationId}, ${id}, ${memberId}, 'jwt', ${toRecordedDetails(details)}, clock_timestamp(), ${request})`
  await tx.$executeRaw(insertUnchained(organizationId, id))
  for (const statement of insertCreation(organizationId, createdId, id)) await tx.$executeRaw(statement)
  await tx.$executeRaw`
    insert into user_audit_event (user_id, audit_event_id, organization_id, member_id, occurred_at, request_id, service, method,
                                  route, params, ip, user_agent, outcome, status, created_id)
    values (${userId}, ${id}, ${organizationId}, ${memberId}, ${request})`
}
