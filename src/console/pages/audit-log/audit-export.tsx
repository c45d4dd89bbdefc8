import { describeEntry } from '../../components/audit/describe-entry.ts'
import { toText } from '../../components/audit/sentence.ts'
import { useMemberNames } from '../../components/audit/use-names.ts'
import { ExportButton } from '../../components/export/export-button.tsx'
import type { ExportRow } from '../../components/export/export-file.ts'
import { exportFileName } from '../../components/export/file-name.ts'
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

/** Columns with names beside those with ids, for people who read the file. */
const namedColumns = ['member_name', 'what']

type Props = {
  filter: AuditEventFilter
  /** The filters in words, for the file's name. */
  words: readonly string[]
}

/** Exports the entries that match the filter, as `GET /org/audit-events` returns them. The CSV file has names, too. */
export function AuditExport({ filter, words }: Props) {
  const names = useMemberNames()
  return (
    <ExportButton
      name={exportFileName(['audit-log', ...words], new Date())}
      noun="entries"
      document={AuditExportDocument}
      variables={{ filter }}
      find={({ auditEvents }) => auditEvents}
      columns={columns}
      toRow={toRow}
      namedColumns={namedColumns}
      toNames={(entry) => ({
        member_name: entry.actor.member?.displayName,
        what: toText(describeEntry(entry, names)),
      })}
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
