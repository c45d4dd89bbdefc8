import { requireFound } from '../../core/errors.ts'
import { isUlid } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import { maxPageSize, type Page } from '../../core/pagination.ts'
import type { Queries } from '../../database/prisma.ts'
import type { ExportPage } from '../../operation/export.ts'
import { defineRead, defineUserRead } from '../../operation/operation.ts'
import { type AuditEvent, auditEventAnswer, auditEventsAnswer } from './audit-event.ts'
import { type AuditFilter, auditFilterInput } from './audit-filter.ts'
import { findAuditEvent, loadAuditEvents } from './load-audit-events.ts'

const exportedColumns = [
  'id',
  'occurred_at',
  'request_id',
  'member_id',
  'auth_type',
  'key_prefix',
  'service',
  'method',
  'route',
  'params',
  'ip',
  'user_agent',
  'outcome',
  'status',
  'details',
  'created_id',
]

type ExportCall = { db: Queries; organizationId: string; input: AuditFilter }

/**
 * Loads a page of an export. Each page is older than the one before, so entries written after the first page was read are left
 * out.
 */
async function exportPage({ db, organizationId, input }: ExportCall, after: string | undefined): Promise<ExportPage> {
  const filter = { ...input, limit: maxPageSize, starting_after: after ?? input.starting_after }
  const { items, hasMore } = await loadAuditEvents(db, { organizationId }, filter)
  const rows = items.map((entry) => auditEventAnswer.toBody(entry) as object)
  return { rows, last: hasMore ? (items.at(-1)?.id ?? null) : null }
}

export const listAuditEvents = defineRead({
  name: 'auditEvents',
  summary: 'Read the audit log of the organization, newest first.',
  route: '/org/audit-events',
  service: 'identity',
  labels: ['org:audit:read'],
  input: auditFilterInput,
  answer: auditEventsAnswer,
  refusals: ['RATE_LIMITED'],
  exports: { columns: exportedColumns, page: exportPage },
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
    return requireFound('audit_event', id, isUlid(id) && (await findAuditEvent(db, organizationId, id)))
  },
})

/** The activity of the caller's own account, which only the caller can read. */
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
