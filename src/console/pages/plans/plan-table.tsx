import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useOrganizationId } from '../../frame/use-organization-id.ts'
import type { PlanRowFragment } from '../../generated/plans.ts'
import { PlanState } from './plan-state.tsx'

const columns: readonly [Column<PlanRowFragment>, ...Column<PlanRowFragment>[]] = [
  { title: 'Name', render: ({ name }) => shortenMiddle(name, 60) },
  { title: 'Key', render: ({ key }) => <KeyText value={key} /> },
  { title: 'Kind', render: ({ kind }) => kind },
  { title: 'State', render: ({ archivedAt }) => <PlanState archivedAt={archivedAt} /> },
  { title: 'Grants', align: 'right', render: ({ grants }) => grants.length },
  { title: 'Changed', align: 'right', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
]

export function PlanTable({ plans }: { plans: readonly PlanRowFragment[] }) {
  const organizationId = useOrganizationId()
  return (
    <DataTable
      label="Plans"
      rows={plans}
      rowKey={({ key }) => key}
      columns={columns}
      to={({ key }) => ({ to: '/o/$organizationId/plans/$planKey', params: { organizationId, planKey: key } })}
    />
  )
}
