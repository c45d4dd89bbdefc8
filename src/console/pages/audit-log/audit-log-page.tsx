import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { OnlyFor } from '../../frame/only-for.tsx'
import { AuditEventsDocument } from '../../generated/audit.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { listAuditEvents } from './api-examples.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'
import { EntryDrawer } from './entry-drawer.tsx'
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
  const navigate = route.useNavigate()
  const filter = toFilter(search)
  const { nodes, query, ...more } = useOrganizationPages(
    AuditEventsDocument,
    { filter, first: 50 },
    ({ auditEvents }) => auditEvents,
  )
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what, and what became of it. Newest first; nothing removes an entry."
        actions={
          <UseTheApi
            title="Lists the entries with these filters"
            example={listAuditEvents(filter)}
            opened={search.api === true}
            onChange={(opened) => void navigate({ search: (old) => ({ ...old, api: opened || undefined }) })}
          />
        }
      />
      <AuditFilters />
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton />}
      {!query.isPending && !query.error && nodes.length === 0 && (
        <Text c="dimmed">No {showsChangesOnly(search) ? 'change' : 'entry'} matches.</Text>
      )}
      {nodes.length > 0 && <AuditTable entries={nodes} />}
      <LoadMore {...more} />
      <EntryDrawer />
    </>
  )
}
