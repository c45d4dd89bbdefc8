import { Text } from '@mantine/core'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { FeatureOverridesDocument } from '../../../generated/features.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { columns } from '../overrides/override-columns.tsx'
import { type ListName, lists } from './lists.ts'
import { RemovableTable } from './removable-table.tsx'

/** A list that the server can pick by itself. */
export function HygieneList({ list }: { list: ListName }) {
  const { filter, order, none, label } = lists[list]
  const { nodes, query, ...more } = useOrganizationPages(
    FeatureOverridesDocument,
    { filter, order, first: 50 },
    ({ overrides }) => overrides,
  )
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  if (query.isPending) return <TableSkeleton />
  if (nodes.length === 0) return <Text>{none}</Text>
  return (
    <>
      <RemovableTable
        label={`Overrides: ${label}`}
        rows={nodes}
        columns={[
          columns.subscriber,
          columns.feature,
          columns.value,
          columns.ends,
          columns.note,
          columns.setBy,
          columns.changed,
        ]}
      />
      <LoadMore {...more} />
    </>
  )
}
