import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { StateBadge } from '../../components/text/state-badge.tsx'
import type { TeamQuery } from '../../generated/team.ts'

type Member = NonNullable<TeamQuery['members']>['nodes'][number]

const columns: readonly [Column<Member>, ...Column<Member>[]] = [
  { title: 'Name', render: ({ displayName }) => shortenMiddle(displayName, 60) },
  { title: 'E-mail', render: ({ email, serviceAccountId }) => email ?? (serviceAccountId ? 'service account' : '—') },
  { title: 'Role', render: ({ role }) => role.toLowerCase() },
  {
    title: 'Status',
    render: ({ status }) => (
      <StateBadge tone={status === 'ACTIVE' ? 'good' : 'neutral'}>{status.toLowerCase()}</StateBadge>
    ),
  },
  { title: 'Since', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
]

export function MemberTable({ members }: { members: readonly Member[] }) {
  return <DataTable label="Members" rows={members} rowKey={({ memberId }) => memberId} columns={columns} />
}
