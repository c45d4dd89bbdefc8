import { useOrganizationPages } from '../../api/queries.ts'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { TeamDocument } from '../../generated/team.ts'
import { MemberTable } from './member-table.tsx'

export function TeamPage() {
  const { nodes, query, ...more } = useOrganizationPages(TeamDocument, {}, ({ members }) => members)
  return (
    <>
      <PageHeader title="Team" description="The people and programs that act in this organization." />
      <ReadOnlyNotice label="members:write" what="change members" />
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton rows={4} />}
      {nodes.length > 0 && <MemberTable members={nodes} />}
      <LoadMore {...more} />
    </>
  )
}
