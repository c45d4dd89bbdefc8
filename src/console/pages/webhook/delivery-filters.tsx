import { NativeSelect, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { AddressSearch, FilterBar } from '../../components/page/filters.tsx'
import type { WebhookEventState } from '../../generated/webhook.ts'
import { eventTypes } from './event-types.ts'

const route = getRouteApi('/o/$organizationId/webhook')

const all = 'ALL'
const states = [
  { value: all, label: 'All' },
  { value: 'QUEUED', label: 'Queued' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
]

export function DeliveryFilters() {
  const { state, type, subscriber } = route.useSearch()
  const navigate = route.useNavigate()

  function filter(patch: ReturnType<typeof route.useSearch>): void {
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })
  }

  return (
    <FilterBar>
      <SegmentedControl
        aria-label="State"
        data={states}
        value={state ?? all}
        onChange={(value) => filter({ state: value === all ? undefined : (value as WebhookEventState) })}
      />
      <NativeSelect
        aria-label="Type"
        data={[{ value: '', label: 'All types' }, ...eventTypes]}
        value={type ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ type: eventTypes.find((each) => each === value) })}
      />
      <AddressSearch
        label="Subscriber id"
        value={subscriber ?? ''}
        onSearch={(id) => filter({ subscriber: id || undefined })}
      />
    </FilterBar>
  )
}
