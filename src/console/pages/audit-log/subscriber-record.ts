import { describeEntry, type Names } from '../../components/audit/describe-entry.ts'
import { describeOutcome } from '../../components/audit/outcome.ts'
import { toText } from '../../components/audit/sentence.ts'
import type { ExportRow } from '../../components/export/export-file.ts'
import type { Change } from '../../components/history/changes.ts'
import { type Subject, subscriberColumns, toHistoryRows } from '../../components/history/history-rows.ts'
import type { AuditExportQuery, AuditLogCatalogQuery } from '../../generated/audit-log.ts'
import type { toPeriod } from './to-filter.ts'

export type LoggedEntry = NonNullable<AuditExportQuery['auditEvents']>['nodes'][number]

export const recordColumns = [
  ...subscriberColumns.filter((column) => column !== 'remedy'),
  ...['outcome', 'status', 'method', 'route', 'details', 'ip', 'user_agent', 'request_id', 'entry_id'],
]

type RecordData = {
  entries: readonly LoggedEntry[]
  history: { changes: readonly Change[]; hasMore: boolean }
  period: ReturnType<typeof toPeriod>
  memberNames: Names
  catalog: AuditLogCatalogQuery | undefined
}

/** The requests about the subscriber (`request`), and the changes that affected it (`change`), newest first. */
export function toRecord(
  subject: Subject,
  { entries, history, period, memberNames, catalog }: RecordData,
): ExportRow[] {
  const [features, plans] = [catalog?.features ?? [], catalog?.plans ?? []].map(
    (items) => new Map(items.map(({ key, name }) => [key, name])),
  )
  const names = { feature: (key: string) => features?.get(key) ?? key, plan: (key: string) => plans?.get(key) ?? key }
  const changes = toHistoryRows(subject, { ...history, names }).filter(({ at }) => isWithin(String(at), period))
  const requests = entries.map((entry) => toRequestRow(subject, entry, { memberNames, featureName: names.feature }))
  return [...requests, ...changes].sort((one, other) => Date.parse(String(other.at)) - Date.parse(String(one.at)))
}

type RecordNames = { memberNames: Names; featureName(key: string): string }

function toRequestRow(
  { subscriberId, name }: Subject,
  entry: LoggedEntry,
  { memberNames, featureName }: RecordNames,
): ExportRow {
  const feature = entry.params.find((param) => param.name === 'feature_key')?.value
  return {
    at: entry.occurredAt,
    kind: 'request',
    what: toText(describeEntry(entry, memberNames)),
    by: entry.actor.member?.displayName,
    member_id: entry.actor.memberId,
    subscriber_id: subscriberId,
    subscriber_name: name,
    feature,
    feature_name: feature && featureName(feature),
    outcome: describeOutcome(entry).text,
    status: entry.status,
    method: entry.method,
    route: entry.route,
    details: entry.details,
    ip: entry.ip,
    user_agent: entry.userAgent,
    request_id: entry.requestId,
    entry_id: entry.id,
  }
}

function isWithin(at: string, { occurredAfter, occurredBefore }: RecordData['period']): boolean {
  const time = Date.parse(at)
  return (
    (occurredAfter === undefined || time >= Date.parse(occurredAfter)) &&
    (occurredBefore === undefined || time < Date.parse(occurredBefore))
  )
}
