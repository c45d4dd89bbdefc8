import { Prisma } from '../../database/generated/client.ts'

/**
 * SQL: whether the entry created an object with this id. Uses an array, because otherwise the planner would scan the log
 * instead of looking up the few entries.
 */
export function hasCreated(organizationId: string, id: string): Prisma.Sql {
  return Prisma.sql`audit_event_id = any(array(
    select audit_event_id from audit_event_creation where organization_id = ${organizationId} and created_id = ${id}))`
}
