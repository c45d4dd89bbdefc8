import { NativeSelect, Text } from '@mantine/core'
import { HistoryLink } from '../../../components/audit/history.tsx'
import { useIsLoadingFeatureNames } from '../../../components/feature/feature-name.tsx'
import { sortByPosition } from '../../../components/order/by-position.ts'
import { FilterBar } from '../../../components/page/filters.tsx'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { CatalogNamesDocument } from '../../../generated/explanation.ts'
import { EntitlementHistoryDocument } from '../../../generated/history.ts'
import { useOrganizationPages, useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { ChangeLines } from './change-lines.tsx'

/** Lists the changes of the subscriber's entitlements, newest first; only those of one feature if the address names it. */
export function HistoryTab() {
  const { subscriberId, search, filter } = useSubscriberSearch()
  const feature = search.of
  const pages = useOrganizationPages(
    EntitlementHistoryDocument,
    { subscriberId, first: 25, ...(feature !== undefined && { feature }) },
    ({ subscriber }) => subscriber.history,
  )
  const isWaiting = useIsLoadingFeatureNames()
  return (
    <>
      <FilterBar>
        <FeatureChoice value={feature ?? ''} onChange={(key) => filter({ of: key || undefined })} />
        <HistoryLink of={{ subscriber: subscriberId }} />
      </FilterBar>
      <PagedList
        pages={pages}
        isWaiting={isWaiting}
        none={<Text c="dimmed">Nothing has changed.</Text>}
        noun="change"
        isFiltered={feature !== undefined}
        keepsRows
      >
        {(changes) => <ChangeLines changes={changes} label="History" mayRevert />}
      </PagedList>
    </>
  )
}

function FeatureChoice({ value, onChange }: { value: string; onChange(key: string): void }) {
  const enabled = useMay('features:read')
  const features = useOrganizationQuery(CatalogNamesDocument, {}, { enabled }).data?.features ?? []
  const known = sortByPosition(features).map(({ key, name }) => ({ value: key, label: shortenMiddle(name, 60) }))
  // A feature that was deleted since has a history too.
  const others = value === '' || features.some(({ key }) => key === value) ? [] : [{ value, label: value }]
  return (
    <NativeSelect
      aria-label="Feature"
      data={[{ value: '', label: 'All features' }, ...others, ...known]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={{ base: '100%', xs: 260 }}
    />
  )
}
