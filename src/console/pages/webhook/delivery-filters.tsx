import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { FilterBar } from '../../components/page/filter-bar.tsx'
import { SearchField } from '../../components/page/search-field.tsx'
import type { WebhookEventState } from '../../generated/webhook.ts'

const route = getRouteApi('/o/$organizationId/webhook')

const all = 'ALL'
const states = [
  { value: all, label: 'All' },
  { value: 'QUEUED', label: 'Queued' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
]
const types = ['entitlements.stale', 'plan.grants.updated', 'webhook.test'] as const
const typingMs = 300

export function DeliveryFilters() {
  const { state, type, subscriber } = route.useSearch()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(subscriber ?? '')

  function filter(patch: ReturnType<typeof route.useSearch>): void {
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })
  }

  const filterSubscriber = useDebouncedCallback((id: string) => filter({ subscriber: id || undefined }), typingMs)

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
        data={[{ value: '', label: 'All types' }, ...types]}
        value={type ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ type: types.find((each) => each === value) })}
      />
      <SearchField
        label="Subscriber id"
        value={typed}
        onChange={(text) => {
          setTyped(text)
          filterSubscriber(text)
        }}
      />
    </FilterBar>
  )
}
