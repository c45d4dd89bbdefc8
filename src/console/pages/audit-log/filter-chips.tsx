import { Group, Pill } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemberNames } from '../../components/audit/use-member-names.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { describeFilter } from './describe-filter.ts'
import type { AuditSearch } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

const order = ['actor', 'object', 'subscriber', 'action', 'outcome', 'request', 'since', 'until'] as const

/** The filters in force, each to be taken away. */
export function FilterChips() {
  const search: AuditSearch = route.useSearch()
  const navigate = route.useNavigate()
  const names = useMemberNames()
  const filters = order.flatMap((name) => {
    const value = search[name]
    return value === undefined ? [] : [{ name, text: shortenMiddle(describeFilter(name, value, names), 60) }]
  })
  if (filters.length === 0) return null
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Filters in force">
      {filters.map(({ name, text }) => (
        <Pill
          key={name}
          withRemoveButton
          size="md"
          removeButtonProps={{ 'aria-label': `Remove the filter ${text}`, tabIndex: 0, 'aria-hidden': false }}
          onRemove={() => void navigate({ search: (old) => ({ ...old, [name]: undefined }) })}
        >
          {text}
        </Pill>
      ))}
    </Group>
  )
}
