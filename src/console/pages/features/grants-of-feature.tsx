import { Skeleton, Text } from '@mantine/core'
import { Section } from '../../components/page/section.tsx'
import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { EntitlementValue } from '../../components/text/entitlement-value.tsx'
import { toValue } from '../../components/text/grant-value.ts'
import { KeyText } from '../../components/text/key-text.tsx'
import { StateBadge } from '../../components/text/state-badge.tsx'
import { useOrganizationId } from '../../frame/use-organization-id.ts'
import type { Feature } from './feature.ts'
import { type GrantingPlan, useGrantingPlans } from './use-granting-plans.ts'

const columns: readonly [Column<GrantingPlan>, ...Column<GrantingPlan>[]] = [
  { title: 'Plan', render: ({ name }) => name },
  { title: 'Key', render: ({ key }) => <KeyText value={key} /> },
  {
    title: 'State',
    render: ({ archivedAt }) =>
      archivedAt ? <StateBadge tone="neutral">archived</StateBadge> : <StateBadge tone="good">active</StateBadge>,
  },
  { title: 'Value', align: 'right', render: ({ grant }) => <EntitlementValue {...toValue(grant)} /> },
]

/** What each plan grants for the feature. */
export function GrantsOfFeature({ feature }: { feature: Feature }) {
  const organizationId = useOrganizationId()
  const granting = useGrantingPlans()
  const plans = granting?.get(feature.key) ?? []
  return (
    <Section title="Granted by">
      {granting && plans.length === 0 && <Text c="dimmed">No plan grants this feature.</Text>}
      {!granting && <Skeleton height={36} />}
      {plans.length > 0 && (
        <DataTable
          label="Plans that grant this feature"
          rows={plans}
          rowKey={({ key }) => key}
          columns={columns}
          to={({ key }) => ({ to: '/o/$organizationId/plans/$planKey', params: { organizationId, planKey: key } })}
        />
      )}
    </Section>
  )
}
