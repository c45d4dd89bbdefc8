import { ExportButton } from '../../components/export/export-button.tsx'
import type { ExportRow } from '../../components/export/export-file.ts'
import type { AuditEventFilter } from '../../generated/audit.ts'
import { AuditExportDocument, type AuditExportQuery } from '../../generated/audit-log.ts'

type Entry = NonNullable<AuditExportQuery['auditEvents']>['nodes'][number]

const columns = [
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

/** The entries that the filters match, as `GET /org/audit-events` exports them. */
export function AuditExport({ filter }: { filter: AuditEventFilter }) {
  return (
    <ExportButton
      name="audit-log"
      noun="entries"
      document={AuditExportDocument}
      variables={{ filter }}
      find={({ auditEvents }) => auditEvents}
      columns={columns}
      toRow={toRow}
    />
  )
}

function toRow({ actor, params, ...entry }: Entry): ExportRow {
  return {
    id: entry.id,
    occurred_at: entry.occurredAt,
    request_id: entry.requestId,
    organization_id: entry.organizationId,
    actor: {
      member_id: actor.memberId,
      auth_type: actor.authType.toLowerCase(),
      key_prefix: actor.keyPrefix,
    },
    service: entry.service.toLowerCase(),
    method: entry.method,
    route: entry.route,
    params: Object.fromEntries(params.map(({ name, value }) => [name, value])),
    ip: entry.ip,
    user_agent: entry.userAgent,
    outcome: entry.outcome.toLowerCase(),
    status: entry.status,
    details: entry.details,
    created_id: entry.createdId,
  }
}
