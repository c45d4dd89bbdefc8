import { EmptyList } from '../../../components/feedback/empty-state.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { LastSeen, Moment } from '../../../components/text/moment.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { MemberDocument, ServiceAccountsDocument, type ServiceAccountsQuery } from '../../../generated/team.ts'
import { useOrganizationPages, useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'

type Account = NonNullable<ServiceAccountsQuery['serviceAccounts']>['nodes'][number]

const columns: Columns<Account> = [
  { title: 'Name', render: ({ name }) => shortenMiddle(name, 60) },
  { title: 'Role', card: 'beside', render: ({ role }) => roleName(role) },
  { title: 'Keys', align: 'right', render: ({ apiKeys }) => (apiKeys ? countKeys(apiKeys) : '—') },
  { title: 'Last used', align: 'right', render: (account) => <LastUse account={account} /> },
  { title: 'Created', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
]

export function ServiceAccounts({ onCreate }: { onCreate: (() => void) | null }) {
  const pages = useOrganizationPages(ServiceAccountsDocument, {}, ({ serviceAccounts }) => serviceAccounts)
  const none = (
    <EmptyList title="No service accounts yet" action="Add the first one" onAdd={onCreate}>
      A service account is a program, such as your product’s backend. It calls the API with its own keys.
    </EmptyList>
  )
  return (
    <PagedList pages={pages} skeleton={<TableSkeleton rows={3} />} none={none}>
      {(accounts) => (
        <DataTable
          label="Service accounts"
          rows={accounts}
          rowKey={({ serviceAccountId }) => serviceAccountId}
          columns={columns}
          to={({ serviceAccountId }) => ({
            to: '/o/$organizationId/team/service-accounts/$serviceAccountId',
            params: { serviceAccountId },
          })}
        />
      )}
    </PagedList>
  )
}

function countKeys({ nodes, pageInfo }: NonNullable<Account['apiKeys']>): string {
  return pageInfo.hasNextPage ? `more than ${nodes.length}` : String(nodes.length)
}

/** When any key was last used. If the account has more keys than the list reads, shows when its member was last seen. */
function LastUse({ account: { apiKeys, memberId } }: { account: Account }) {
  const enabled = useMay('members:read') && apiKeys?.pageInfo.hasNextPage === true
  const member = useOrganizationQuery(MemberDocument, { memberId }, { enabled }).data?.member
  return <LastSeen at={member?.lastSeenAt ?? findLastUse(apiKeys)} />
}

function findLastUse(keys: Account['apiKeys']): string | null {
  const times = keys?.nodes.flatMap(({ lastUsedAt }) => lastUsedAt ?? []) ?? []
  return times.sort().at(-1) ?? null
}
