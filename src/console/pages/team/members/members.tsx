import { Group } from '@mantine/core'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { LastSeen } from '../../../components/text/moment.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { type MemberRowFragment, MembersDocument } from '../../../generated/team.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { useViewer } from '../../../session/viewer.ts'
import { MemberState } from './member-state.tsx'

/** The members who are people. Programs have their own tab. */
export function Members() {
  const pages = useOrganizationPages(MembersDocument, {}, ({ members }) => members)
  const people = pages.nodes.filter(({ serviceAccountId }) => serviceAccountId === null)
  return (
    <PagedList pages={{ ...pages, nodes: people }} skeleton={<TableSkeleton rows={4} />} none={null} keepsRows>
      {(rows) => (
        <DataTable
          label="Members"
          rows={rows}
          rowKey={({ memberId }) => memberId}
          columns={columns}
          to={({ memberId }) => ({
            to: '/o/$organizationId/team/members/$memberId',
            params: { memberId },
          })}
        />
      )}
    </PagedList>
  )
}

const columns: Columns<MemberRowFragment> = [
  { title: 'Name', render: (member) => <Name {...member} /> },
  { title: 'E-mail', card: 'below', render: ({ email }) => email ?? '—' },
  { title: 'Role', card: 'beside', render: ({ role }) => roleName(role) },
  {
    title: 'State',
    render: ({ status }) => <MemberState status={status} />,
    isUsual: ({ status }) => status === 'ACTIVE',
  },
  { title: 'Last seen', align: 'right', card: 'end', render: ({ lastSeenAt }) => <LastSeen at={lastSeenAt} /> },
]

function Name({ memberId, displayName, byGroup }: MemberRowFragment) {
  const isViewer = useViewer()?.member?.memberId === memberId
  return (
    <Group component="span" gap={8} wrap="nowrap" display="inline-flex">
      {shortenMiddle(displayName, 60)}
      {isViewer && <StateBadge tone="neutral">you</StateBadge>}
      {byGroup && <StateBadge tone="neutral">by group</StateBadge>}
    </Group>
  )
}
