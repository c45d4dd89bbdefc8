import type { Page } from '../../core/pagination.ts'
import { defineRead, defineUserRead } from '../../operation/operation.ts'
import { type AuditEvent, auditEventsAnswer } from './audit-event.ts'
import { auditFilterInput } from './audit-filter.ts'
import { loadAuditEvents } from './load-audit-events.ts'

export const listAuditEvents = defineRead({
  name: 'auditEvents',
  summary: 'Read the audit log of the organization, newest first.',
  route: '/org/audit-events',
  service: 'identity',
  labels: ['org:audit:read'],
  input: auditFilterInput,
  answer: auditEventsAnswer,
  async run({ db, organizationId, input }): Promise<Page<AuditEvent>> {
    return loadAuditEvents(db, { organizationId }, input)
  },
})

/** The caller's own account activity. Only they can read it. */
export const listUserAuditEvents = defineUserRead({
  name: 'userAuditEvents',
  summary: 'Read what you did with your account and your memberships, newest first.',
  route: '/user/audit-events',
  input: auditFilterInput,
  answer: auditEventsAnswer,
  async run({ db, user, input }): Promise<Page<AuditEvent>> {
    return loadAuditEvents(db, { userId: user.userId }, input)
  },
})
