import { Button, NativeSelect, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { CrossIcon } from '../../components/icons/actions.tsx'
import { AddressSearch, FilterBar } from '../../components/page/filters.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useMay } from '../../session/viewer.ts'
import classes from './subscriber-filters.module.css'
import { usePlanChoices } from './use-plan-choices.ts'

const route = getRouteApi('/o/$organizationId/subscribers')

const [all, without] = ['', '*without']

const overrideFilters = [
  ['with_override_of', 'With an override'],
  ['without_override_of', 'Without an override'],
] as const

/** The filters of the list, which are in the page's address. The search waits for a pause in typing. */
export function SubscriberFilters() {
  const { q, plan, without_plan: withoutPlan, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const mayReadPlans = useMay('plans:read')
  // The choice is shown at once, so that the list of subscribers does not move. Until the plans are read, it offers
  // only the chosen plan.
  const listed = usePlanChoices() ?? (plan === undefined ? [] : [{ key: plan, archivedAt: null }])

  function filterByPlan(value: string): void {
    const patch = { plan: undefined, without_plan: undefined }
    const chosen = value === without ? { without_plan: true as const } : { plan: value || undefined }
    void navigate({ search: (old) => ({ ...old, ...patch, ...chosen }), replace: true })
  }

  return (
    <FilterBar>
      <AddressSearch
        label="Search by id or name"
        value={q ?? ''}
        onSearch={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
      />
      {mayReadPlans && (
        <NativeSelect
          aria-label="Plan"
          value={withoutPlan ? without : (plan ?? all)}
          onChange={(event) => filterByPlan(event.currentTarget.value)}
          w={{ base: '100%', xs: 200 }}
          data={[
            { value: all, label: 'All plans' },
            { value: without, label: 'Without a plan' },
            ...listed.map(({ key, archivedAt }) => ({ value: key, label: archivedAt ? `${key} (archived)` : key })),
          ]}
        />
      )}
      {overrideFilters.map(([name, words]) => {
        const feature = search[name]
        return (
          feature !== undefined && (
            <Button
              key={name}
              variant="light"
              rightSection={<CrossIcon size={14} />}
              aria-label={`${words} of ${feature}: remove this filter`}
              onClick={() => void navigate({ search: (old) => ({ ...old, [name]: undefined }), replace: true })}
            >
              {words} of {shortenMiddle(feature, 40)}
            </Button>
          )
        )
      })}
      <Text className={classes.hint}>
        Finds the start of an id or name; with 3 letters or more, the end of an id and any part of a name.
      </Text>
    </FilterBar>
  )
}
