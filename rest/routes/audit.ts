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
  route(listAuditEvents, { query: filterParameters }),
  route(listUserAuditEvents, { query: filterParameters }),
]
