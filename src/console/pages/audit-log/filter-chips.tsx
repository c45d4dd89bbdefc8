import { Group, Pill, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useFormerNameQuery } from '../../components/audit/use-names.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { describeFilter, namedObjectOf } from './describe-filter.ts'
import type { AuditSearch } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

const chipOrder = ['actor', 'object', 'subscriber', 'action', 'outcome', 'request', 'since', 'until'] as const

/** The active filters, in the order of their chips. */
export function activeFilters(search: AuditSearch): { name: (typeof chipOrder)[number]; value: string }[] {
  return chipOrder.flatMap((name) => {
    const value = search[name]
    return value === undefined ? [] : [{ name, value }]
  })
}

/** The active filters, each with a button that removes it. */
export function FilterChips() {
  const search: AuditSearch = route.useSearch()
  const navigate = route.useNavigate()
  const filters = activeFilters(search)
  if (filters.length === 0) return null
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Active filters" data-part>
      {filters.map(({ name, value }) => (
        <Chip
          key={name}
          name={name}
          value={value}
          onRemove={() => void navigate({ search: (old) => ({ ...old, [name]: undefined }) })}
        />
      ))}
    </Group>
  )
}

function Chip({ name, value, onRemove }: { name: (typeof chipOrder)[number]; value: string; onRemove(): void }) {
  const former = useFormerNameQuery(namedObjectOf(name, value))
  if (former.isPending) return <Skeleton width={160} height={28} />
  const text = shortenMiddle(describeFilter(name, value, former.name), 60)
  return (
    <Pill
      withRemoveButton
      size="md"
      removeButtonProps={{ 'aria-label': `Remove the filter ${text}`, tabIndex: 0, 'aria-hidden': false }}
      onRemove={onRemove}
    >
      {text}
    </Pill>
  )
}
