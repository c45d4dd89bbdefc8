import { Switch } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { FilterBar } from '../../components/page/filters.tsx'
import { AddFilter } from './add-filter.tsx'
import { FilterChips } from './filter-chips.tsx'
import { PeriodChoice } from './period-choice.tsx'
import { mayShowChangesOnly, showsChangesOnly } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

/**
 * Adds filters, and lists the active ones below. Unless the person chooses otherwise, the log shows only entries that changed
 * something.
 */
export function AuditFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <FilterBar>
        <AddFilter />
        <PeriodChoice />
        <Switch
          label="Changes only"
          checked={showsChangesOnly(search)}
          disabled={!mayShowChangesOnly(search)}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: (old) => ({ ...old, all: checked ? undefined : true }), replace: true })
          }
        />
      </FilterBar>
      <FilterChips />
    </>
  )
}
