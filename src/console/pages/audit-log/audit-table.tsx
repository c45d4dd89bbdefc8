import { getRouteApi } from '@tanstack/react-router'
import type { AuditEntry } from '../../components/audit/describe-entry.ts'
import { EntryLine } from '../../components/audit/entry-line.tsx'
import { describeOutcome } from '../../components/audit/outcome.ts'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/text/state-badge.tsx'

const route = getRouteApi('/o/$organizationId/audit-log')

const columns: Columns<AuditEntry> = [
  { title: 'What', render: (entry) => <EntryLine entry={entry} /> },
  { title: 'Outcome', width: '170px', render: (entry) => <Outcome entry={entry} /> },
  { title: 'When', width: '130px', align: 'right', render: ({ occurredAt }) => <Moment at={occurredAt} /> },
]

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const search = route.useSearch()
  return (
    <DataTable
      label="Audit log"
      rows={entries}
      rowKey={({ id }) => id}
      columns={columns}
      to={({ id }) => ({
        to: '/o/$organizationId/audit-log',
        search: { ...search, entry: id },
      })}
    />
  )
}

function Outcome({ entry }: { entry: AuditEntry }) {
  const { tone, text } = describeOutcome(entry)
  return <StateBadge tone={tone}>{text}</StateBadge>
}
