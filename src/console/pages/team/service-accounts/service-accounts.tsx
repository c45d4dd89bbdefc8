import { EmptyList } from '../../../components/feedback/empty-list.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { type Column, DataTable } from '../../../components/table/data-table.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { ServiceAccountsDocument, type ServiceAccountsQuery } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { LastSeen } from '../last-seen.tsx'

type Account = NonNullable<ServiceAccountsQuery['serviceAccounts']>['nodes'][number]

const columns: readonly [Column<Account>, ...Column<Account>[]] = [
  { title: 'Name', render: ({ name }) => shortenMiddle(name, 60) },
  { title: 'Role', render: ({ role }) => roleName(role) },
  { title: 'Keys', align: 'right', render: ({ apiKeys }) => (apiKeys ? countKeys(apiKeys) : '—') },
  { title: 'Last used', align: 'right', render: ({ apiKeys }) => <LastSeen at={lastUse(apiKeys)} /> },
  { title: 'Made', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
]

/** The programs, each with its keys. */
export function ServiceAccounts({ onCreate }: { onCreate: (() => void) | null }) {
  const organizationId = useOrganizationId()
  const { nodes, query, ...more } = useOrganizationPages(
    ServiceAccountsDocument,
    {},
    ({ serviceAccounts }) => serviceAccounts,
  )
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  if (query.isPending) return <TableSkeleton rows={3} />
  if (nodes.length === 0) {
    return (
      <EmptyList title="No service accounts yet" action="Add the first one" onAdd={onCreate}>
        A service account is a program, such as your product’s backend. It calls the API with its own keys.
      </EmptyList>
    )
  }
  return (
    <>
      <DataTable
        label="Service accounts"
        rows={nodes}
        rowKey={({ serviceAccountId }) => serviceAccountId}
        columns={columns}
        to={({ serviceAccountId }) => ({
          to: '/o/$organizationId/team/service-accounts/$serviceAccountId',
          params: { organizationId, serviceAccountId },
        })}
      />
      <LoadMore {...more} />
    </>
  )
}

function countKeys({ nodes, pageInfo }: NonNullable<Account['apiKeys']>): string {
  return pageInfo.hasNextPage ? `more than ${nodes.length}` : String(nodes.length)
}

function lastUse(keys: Account['apiKeys']): string | null {
  const times = keys?.nodes.flatMap(({ lastUsedAt }) => lastUsedAt ?? []) ?? []
  return times.sort().at(-1) ?? null
}
