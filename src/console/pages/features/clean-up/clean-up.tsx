import { SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useIsLoadingFeatureNames } from '../../../components/feature/feature-name.tsx'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { useCurrentMinute } from '../../../components/text/use-now.ts'
import { FeatureOverridesDocument } from '../../../generated/features.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { columns } from '../overrides/override-columns.tsx'
import { cleanUpLists, type ListName, toListFilter } from './clean-up-lists.ts'
import { RedundantOverrideList } from './redundant-override-list.tsx'
import { RemovableTable } from './removable-table.tsx'

const route = getRouteApi('/o/$organizationId/features')

const choices = Object.entries(cleanUpLists).map(([value, { label }]) => ({ value, label }))

/** Overrides that may be removed; the list that is shown is in the page's address. */
export function CleanUp() {
  const { list = 'repeats' } = route.useSearch()
  const navigate = route.useNavigate()

  function choose(next: string): void {
    const chosen = next === 'repeats' ? undefined : (next as Exclude<ListName, 'repeats'>)
    void navigate({ search: (old) => ({ ...old, list: chosen }), replace: true })
  }

  return (
    <>
      <SegmentedControl aria-label="Overrides" data={choices} value={list} onChange={choose} />
      <Text c="dimmed" my="xs" maw="80ch">
        {cleanUpLists[list].about}
      </Text>
      {list === 'repeats' ? <RedundantOverrideList /> : <CleanUpList key={list} list={list} />}
    </>
  )
}

/** A list that the server filters. Redundant overrides, in contrast, are found by the console. */
function CleanUpList({ list }: { list: ListName }) {
  const { order, none, label } = cleanUpLists[list]
  const { filter } = toListFilter(list, useCurrentMinute())
  const pages = useOrganizationPages(
    FeatureOverridesDocument,
    { filter, order, first: 50 },
    ({ overrides }) => overrides,
    { keepPrevious: true },
  )
  const isWaiting = useIsLoadingFeatureNames()
  const { subscriber, feature, value, ends, note, setBy, changed } = columns
  return (
    <PagedList pages={pages} isWaiting={isWaiting} none={<Text>{none}</Text>}>
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
