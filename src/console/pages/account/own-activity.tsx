import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { OwnActivityDocument, type OwnActivityQuery } from '../../generated/account.ts'
import { usePersonPages } from '../../session/queries.ts'
import { describeOwnAction } from './describe-own-action.ts'

type Entry = NonNullable<OwnActivityQuery['user']>['auditEvents']['nodes'][number]

const columns: readonly [Column<Entry>, ...Column<Entry>[]] = [
  { title: 'What', render: describeOwnAction },
  { title: 'When', render: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'Status', render: ({ status }) => status ?? '—', align: 'right' },
  { title: 'Address', render: ({ ip }) => ip },
]

export function OwnActivity() {
  const { nodes, query, ...more } = usePersonPages(OwnActivityDocument, {}, ({ user }) => user.auditEvents)
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  if (query.isPending) return <TableSkeleton rows={3} />
  return (
    <>
      <DataTable label="Own activity" rows={nodes} rowKey={({ id }) => id} columns={columns} />
      <LoadMore {...more} />
    </>
  )
}
