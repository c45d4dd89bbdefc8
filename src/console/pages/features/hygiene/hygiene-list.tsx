import { Text } from '@mantine/core'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { FeatureOverridesDocument } from '../../../generated/features.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { columns } from '../overrides/override-columns.tsx'
import { type ListName, lists } from './lists.ts'
import { RemovableTable } from './removable-table.tsx'

/** A list that the server can pick by itself. */
export function HygieneList({ list }: { list: ListName }) {
  const { filter, order, none, label } = lists[list]
  const pages = useOrganizationPages(
    FeatureOverridesDocument,
    { filter, order, first: 50 },
    ({ overrides }) => overrides,
  )
  const { subscriber, feature, value, ends, note, setBy, changed } = columns
  return (
    <PagedList pages={pages} none={<Text>{none}</Text>}>
      {(overrides) => (
        <RemovableTable
          label={`Overrides: ${label}`}
          rows={overrides}
          columns={[subscriber, feature, value, ends, note, setBy, changed]}
        />
      )}
    </PagedList>
  )
}
