import { Group, Pill } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditSearch } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

const names: Record<keyof AuditSearch, string> = {
  actor: 'Actor',
  route: 'Route',
  param: 'Object',
  request: 'Request',
  outcome: 'Outcome',
}

/** The filters in force, each to be taken away. */
export function FilterChips() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filters = Object.entries(search) as [keyof AuditSearch, string][]
  if (filters.length === 0) return null
  return (
    <Group gap="xs" mb="sm">
      {filters.map(([name, value]) => (
        <Pill
          key={name}
          withRemoveButton
          size="md"
          removeButtonProps={{ 'aria-label': `Remove the filter ${names[name]}` }}
          onRemove={() => void navigate({ search: (old) => ({ ...old, [name]: undefined }) })}
        >
          {names[name]}: {value}
        </Pill>
      ))}
    </Group>
  )
}
