import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { FilterBar, SearchField } from '../../components/page/filters.tsx'
import type { FeatureKind } from '../../generated/features.ts'

const route = getRouteApi('/o/$organizationId/features')

const all = 'ALL'
const kinds = [
  { value: all, label: 'All' },
  { value: 'FLAG', label: 'Flags' },
  { value: 'LIMIT', label: 'Limits' },
  { value: 'CONFIG', label: 'Configs' },
]

/** The filters replace each other in the address: "back" leaves the page, not the last letter. */
export function FeatureFilters() {
  const { q, kind } = route.useSearch()
  const navigate = route.useNavigate()

  function filter(patch: { q?: string | undefined; kind?: FeatureKind | undefined }): void {
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })
  }

  return (
    <FilterBar>
      <SearchField
        label="Filter by key or name"
        value={q ?? ''}
        onChange={(text) => filter({ q: text || undefined })}
      />
      <SegmentedControl
        aria-label="Kind"
        data={kinds}
        value={kind ?? all}
        onChange={(value) => filter({ kind: value === all ? undefined : (value as FeatureKind) })}
      />
    </FilterBar>
  )
}
