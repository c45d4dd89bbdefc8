import { listAuditEvents, listUserAuditEvents, readAuditEvent } from '../../src/modules/audit/read-audit-events.ts'
import { route } from '../route.ts'

export const auditRoutes = [route(listAuditEvents), route(readAuditEvent), route(listUserAuditEvents)]
