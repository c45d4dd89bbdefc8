import { found } from '../../core/errors.ts'
import { isUlid } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import type { Page } from '../../core/pagination.ts'
import { defineRead, defineUserRead } from '../../operation/operation.ts'
import { type AuditEvent, auditEventAnswer, auditEventsAnswer } from './audit-event.ts'
import { auditFilterInput } from './audit-filter.ts'
import { findAuditEvent, loadAuditEvents } from './load-audit-events.ts'

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

export const readAuditEvent = defineRead({
  name: 'auditEvent',
  summary: 'Read one entry of the audit log.',
  route: '/org/audit-events/{id}',
  service: 'identity',
  labels: ['org:audit:read'],
  input: noInput,
  answer: auditEventAnswer,
  async run({ db, organizationId, path: { id } }): Promise<AuditEvent> {
    return found('audit_event', id, isUlid(id) && (await findAuditEvent(db, organizationId, id)))
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
