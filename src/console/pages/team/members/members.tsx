import { Group } from '@mantine/core'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { type Column, DataTable } from '../../../components/table/data-table.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { type MemberRowFragment, MembersDocument } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { useViewer } from '../../../session/viewer.ts'
import { LastSeen } from '../last-seen.tsx'
import { MemberState } from './member-state.tsx'

/** The people. Programs have their own tab. */
export function Members() {
  const organizationId = useOrganizationId()
  const { nodes, query, ...more } = useOrganizationPages(MembersDocument, {}, ({ members }) => members)
  const people = nodes.filter(({ serviceAccountId }) => serviceAccountId === null)
  return (
    <>
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton rows={4} />}
      {people.length > 0 && (
        <DataTable
          label="Members"
          rows={people}
          rowKey={({ memberId }) => memberId}
          columns={columns}
          to={({ memberId }) => ({
            to: '/o/$organizationId/team/members/$memberId',
            params: { organizationId, memberId },
          })}
        />
      )}
      <LoadMore {...more} />
    </>
  )
}

const columns: readonly [Column<MemberRowFragment>, ...Column<MemberRowFragment>[]] = [
  { title: 'Name', render: (member) => <Name {...member} /> },
  { title: 'E-mail', render: ({ email }) => email ?? '—' },
  { title: 'Role', render: ({ role }) => roleName(role) },
  { title: 'State', render: ({ status }) => <MemberState status={status} /> },
  { title: 'Last seen', align: 'right', render: ({ lastSeenAt }) => <LastSeen at={lastSeenAt} /> },
]

function Name({ memberId, displayName }: MemberRowFragment) {
  const isViewer = useViewer()?.member?.memberId === memberId
  return (
    <Group component="span" gap={8} wrap="nowrap" display="inline-flex">
      {shortenMiddle(displayName, 60)}
      {isViewer && <StateBadge tone="neutral">you</StateBadge>}
    </Group>
  )
}
