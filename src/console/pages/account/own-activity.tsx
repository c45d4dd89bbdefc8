import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { PagedList } from '../../components/table/paged-list.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { Figure } from '../../components/text/figure.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { OwnActivityDocument, type OwnActivityQuery } from '../../generated/account.ts'
import { usePersonPages } from '../../session/queries.ts'

type Entry = NonNullable<OwnActivityQuery['user']>['auditEvents']['nodes'][number]

const columns: Columns<Entry> = [
  { title: 'What', render: describeOwnAction },
  { title: 'When', render: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'Status', render: ({ status }) => (status === null ? '—' : <Figure>{status}</Figure>), align: 'right' },
  { title: 'Address', render: ({ ip }) => ip },
]

export function OwnActivity() {
  const pages = usePersonPages(OwnActivityDocument, {}, ({ user }) => user.auditEvents)
  return (
    <PagedList pages={pages} skeleton={<TableSkeleton rows={3} />} none={null}>
      {(entries) => <DataTable label="Your activity" rows={entries} rowKey={({ id }) => id} columns={columns} />}
    </PagedList>
  )
}

const sentences = new Map([
  ['POST /user/sign-up', 'Signed up'],
  ['POST /user/sign-in', 'Signed in'],
  ['POST /user/sign-out', 'Signed out'],
  ['POST /user/password', 'Changed the password'],
  ['PATCH /user', 'Changed the name'],
  ['DELETE /user', 'Deleted the account'],
  ['DELETE /user/sessions/{id}', 'Ended a session'],
  ['DELETE /user/sessions', 'Ended all other sessions'],
  ['POST /user/organizations', 'Created an organization'],
  ['POST /user/organizations/join', 'Joined an organization'],
  ['POST /user/organizations/{organization_id}/sign-in', 'Opened an organization'],
  ['POST /user/organizations/{organization_id}/sign-out', 'Signed out of an organization'],
  ['DELETE /user/organizations/{organization_id}', 'Left an organization'],
])

/** An entry of a person's own log as a sentence; its method and route if there is no sentence for them. */
function describeOwnAction({ method, route }: { method: string; route: string }): string {
  return sentences.get(`${method} ${route}`) ?? `${method} ${route}`
}
