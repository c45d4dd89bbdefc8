import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationPages } from '../../api/queries.ts'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { AuditLogDocument } from '../../generated/audit-log.ts'
import { AuditTable } from './audit-table.tsx'
import { FilterChips } from './filter-chips.tsx'
import { toFilter } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

export function AuditLogPage() {
  const search = route.useSearch()
  const { nodes, query, ...more } = useOrganizationPages(
    AuditLogDocument,
    { filter: toFilter(search) },
    ({ auditEvents }) => auditEvents,
  )
  return (
    <>
      <PageHeader title="Audit log" description="Who changed what, and what became of it. Newest first." />
      <FilterChips />
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton />}
      {!query.isPending && nodes.length === 0 && <Text c="dimmed">No entry matches.</Text>}
      {nodes.length > 0 && <AuditTable entries={nodes} />}
      <LoadMore {...more} />
    </>
  )
}
