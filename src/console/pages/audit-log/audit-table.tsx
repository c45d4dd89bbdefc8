import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditEntry } from '../../components/audit/describe-entry.ts'
import { EntryLine } from '../../components/audit/entry-line.tsx'
import { type FoldedEntry, foldImports, toPartsSearch } from '../../components/audit/fold-imports.ts'
import { describeOutcome } from '../../components/audit/outcome.ts'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/text/state-badge.tsx'

const route = getRouteApi('/o/$organizationId/audit-log')

const columns: Columns<FoldedEntry> = [
  { title: 'What', render: ({ entry }) => <EntryLine entry={entry} /> },
  { title: 'Outcome', width: '170px', card: 'below', render: ({ entry }) => <Outcome entry={entry} /> },
  {
    title: 'When',
    width: '130px',
    align: 'right',
    card: 'end',
    render: ({ entry: { occurredAt } }) => <Moment at={occurredAt} />,
  },
]

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const search = route.useSearch()
  return (
    <DataTable
      label="Audit log"
      rows={foldImports(entries)}
      rowKey={({ entry: { id } }) => id}
      columns={columns}
      to={({ entry: { id }, parts }) => ({
        to: '/o/$organizationId/audit-log',
        search: { ...search, entry: id, ...toPartsSearch(parts) },
      })}
    />
  )
}

function Outcome({ entry }: { entry: AuditEntry }) {
  const { tone, text } = describeOutcome(entry)
  // Nearly all requests succeeded: a dimmed text makes the others stand out.
  if (tone === 'good') return <Text c="dimmed">{text}</Text>
  return <StateBadge tone={tone}>{text}</StateBadge>
}
