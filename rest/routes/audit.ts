import type { Page } from '../../src/core/pagination.ts'
import { StoredJson } from '../../src/core/stored-json.ts'
import type { AuditEvent } from '../../src/modules/audit/audit-event.ts'
import { listAuditEvents, listUserAuditEvents } from '../../src/modules/audit/read-audit-events.ts'
import { asText, pageParameters } from '../query.ts'
import { route } from '../route.ts'

const filterParameters = {
  ...pageParameters,
  actor_member_id: asText,
  outcome: asText,
  method: asText,
  route: asText,
  'params[]': asText,
  service: asText,
  request_id: asText,
  created_id: asText,
  occurred_after: asText,
  occurred_before: asText,
}

export const auditRoutes = [
  route(listAuditEvents, { query: filterParameters, reply: logBody }),
  route(listUserAuditEvents, { query: filterParameters, reply: logBody }),
]

function logBody({ items, hasMore }: Page<AuditEvent>) {
  return { audit_events: items.map(auditEventBody), has_more: hasMore }
}

function auditEventBody(event: AuditEvent) {
  return {
    id: event.id,
    occurred_at: event.occurredAt,
    request_id: event.requestId,
    ...(event.userId !== null && { user_id: event.userId }),
    organization_id: event.organizationId,
    actor: { member_id: event.memberId, auth_type: event.authType, key_prefix: event.keyPrefix },
    service: event.service,
    method: event.method,
    route: event.route,
    params: event.params,
    ip: event.ip,
    user_agent: event.userAgent,
    outcome: event.outcome,
    status: event.status,
    details: event.details === null ? null : new StoredJson(event.details),
    created_id: event.createdId,
  }
}
