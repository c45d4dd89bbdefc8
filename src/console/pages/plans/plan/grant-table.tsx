import { FeatureName } from '../../../components/feature/feature-name.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { KindBadge } from '../../../components/text/kind-badge.tsx'
import { toValue } from '../../../components/text/value.ts'
import type { PlanRowFragment } from '../../../generated/plans.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'

type Grant = PlanRowFragment['grants'][number]

const columns: Columns<Grant> = [
  { title: 'Feature', render: ({ feature }) => <FeatureName featureKey={feature} /> },
  { title: 'Kind', render: ({ kind }) => <KindBadge kind={kind} /> },
  { title: 'Value', align: 'right', render: (grant) => <EntitlementValue {...toValue(grant)} /> },
]

export function GrantTable({ grants }: { grants: readonly Grant[] }) {
  const organizationId = useOrganizationId()
  return (
    <DataTable
      label="Grants"
      rows={grants}
      rowKey={({ feature }) => feature}
      columns={columns}
      to={({ feature }) => ({
        to: '/o/$organizationId/features/$featureKey',
        params: { organizationId, featureKey: feature },
      })}
    />
  )
}
