import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { useEntryPages } from '../../components/audit/use-entries.ts'
import { useMemberNames } from '../../components/audit/use-names.ts'
import { PageHeader } from '../../components/page/page-header.tsx'
import { PagedList } from '../../components/table/paged-list.tsx'
import { OnlyFor } from '../../frame/read-only-notice.tsx'
import { listAuditEvents } from './api-examples.ts'
import { AuditExport } from './audit-export.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'
import { describeFilter, namedObjectOf } from './describe-filter.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { activeFilters } from './filter-chips.tsx'
import { SubscriberNotice } from './subscriber-notice.tsx'
import { showsChangesOnly, toFilter } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

export function AuditLogPage() {
  return (
    <OnlyFor label="org:audit:read" title="Audit log">
      <AuditLog />
    </OnlyFor>
  )
}

function AuditLog() {
  const search = route.useSearch()
  const filter = toFilter(search)
  const names = useMemberNames()
  const words = activeFilters(search).map(({ name, value }) => {
    return describeFilter(name, value, names.get(namedObjectOf(name, value)?.id ?? '') ?? null)
  })
  // Unlike the list, the exported file also contains the lines of imports.
  const { lines: _, ...exported } = filter
  const pages = useEntryPages({ filter, first: 50 })
  const none = <Text c="dimmed">No {showsChangesOnly(search) ? 'change' : 'entry'} matches.</Text>
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what, and with what outcome. Newest first; nobody can change an entry."
        actions={
          <>
            <AuditExport filter={exported} words={words} />
            <PageApiMenu title="Lists the entries with these filters" example={listAuditEvents(filter)} />
          </>
        }
      />
      <AuditFilters />
      {search.subscriber && <SubscriberNotice subscriberId={search.subscriber} />}
      <PagedList pages={pages} none={none} noun="entry" isFiltered={words.length > 0} keepsRows>
        {(entries) => <AuditTable entries={entries} />}
      </PagedList>
      <EntryDrawer />
    </>
  )
}
