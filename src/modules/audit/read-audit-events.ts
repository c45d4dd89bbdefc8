import type { Page } from '../../core/pagination.ts'
import { defineRead, defineUserRead } from '../../operation/operation.ts'
import { type AuditEvent, auditFilterInput } from './audit-event.ts'
import { loadAuditEvents } from './load-audit-events.ts'

export const listAuditEvents = defineRead({
  name: 'auditEvents',
  route: '/org/audit-events',
  service: 'identity',
  labels: ['org:audit:read'],
  input: auditFilterInput,
  async run({ db, organizationId, input }): Promise<Page<AuditEvent>> {
    return loadAuditEvents(db, { organizationId }, input)
  },
})

/** The caller's own account activity. Only they can read it. */
export const listUserAuditEvents = defineUserRead({
  name: 'userAuditEvents',
  route: '/user/audit-events',
  input: auditFilterInput,
  async run({ db, user, input }): Promise<Page<AuditEvent>> {
    return loadAuditEvents(db, { userId: user.userId }, input)
  },
})
