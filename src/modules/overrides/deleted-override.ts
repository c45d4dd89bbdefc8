import { isPlainObject } from '../../core/json.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { computedColumns, nullableColumns, query, viaPrisma } from '../../database/sql.ts'
import { hasCreated } from '../audit/has-created.ts'
import { toParamCondition } from '../audit/param-condition.ts'
import { toChange } from '../audit/read-field-changes.ts'

/** The values that lists sort overrides by. */
export type OverridePosition = { id: string; featureKey: string; subscriberId: string; expiresAt: Date | null }

const entryColumns = nullableColumns(
  computedColumns({
    entryId: ['text', Prisma.sql`audit_event_id`],
    method: ['text', Prisma.sql`method`],
    subscriberId: ['text', Prisma.sql`params ->> 'subscriber_id'`],
    featureKey: ['text', Prisma.sql`params ->> 'feature_key'`],
    createdId: ['text', Prisma.sql`created_id`],
    details: ['text', Prisma.sql`details`],
  }),
)

const route = '/org/subscribers/{subscriber_id}/overrides/{feature_key}'
const importRoute = '/org/subscribers/import'

/** The maximum number of later changes of an override that are read. */
const maxChanges = 1_000

/**
 * Finds the position that a deleted override had in the lists, from the audit log; null if no put in the log created it, for
 * example because it was imported.
 */
export async function findDeletedOverride(
  db: Queries,
  organizationId: string,
  id: string,
): Promise<OverridePosition | null> {
  const sql = viaPrisma(db)
  const [creation] = await sql.query(query`
    select ${entryColumns} from audit_event
     where organization_id = ${organizationId} and ${hasCreated(organizationId, id)} and route = ${route} limit 1`)
  if (!creation?.subscriberId || !creation.featureKey) return null
  const { subscriberId, featureKey } = creation
  const changes = await sql.query(query`
    select ${entryColumns} from audit_event
     where organization_id = ${organizationId} and audit_event_id > ${creation.entryId}
       and ${toParamCondition('subscriber_id', subscriberId)}
       and (route = ${route} and ${toParamCondition('feature_key', featureKey)}
            or route = ${importRoute} and jsonb_exists(details::jsonb -> 'overrides', ${featureKey}))
       and outcome = 'responded' and (details is not null or method = 'DELETE')
     order by audit_event_id limit ${maxChanges}`)
  let expiresAt = toExpiry(parse(creation.details).expires_at)
  for (const { method, createdId, details } of changes) {
    if (method === 'DELETE' || createdId !== null) break
    const { overrides, expires_at } = parse(details)
    const imported = isPlainObject(overrides) ? toChange(overrides[featureKey]) : null
    if (imported?.to === null) break
    const expiryChange = isPlainObject(imported?.to) ? { to: imported.to.expires_at } : toChange(expires_at)
    if (expiryChange) expiresAt = toExpiry(expiryChange.to)
  }
  return { id, featureKey, subscriberId, expiresAt }
}

function toExpiry(recorded: unknown): Date | null {
  return typeof recorded === 'string' ? new Date(recorded) : null
}

function parse(details: string | null): Record<string, unknown> {
  return details === null ? {} : JSON.parse(details)
}
