import { Drawer, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Answer } from '../../../api/typed-document.ts'
import { FeatureName } from '../../../components/feature/feature-name.tsx'
import { comparePositions } from '../../../components/order/by-position.ts'
import { BackLink } from '../../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../../components/page/object-loaded.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useFlag } from '../../../components/page/use-flag.ts'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { KindBadge } from '../../../components/text/kind-badge.tsx'
import { toValue } from '../../../components/text/value.ts'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { PlanDocument, type PlanQuery, type PlanRowFragment } from '../../../generated/plans.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { EditPlanForm } from './edit-plan-form.tsx'
import { PlanActions } from './plan-actions.tsx'
import { PlanDetails } from './plan-details.tsx'
import { PlanHistory } from './plan-history.tsx'

const route = getRouteApi('/o/$organizationId/plans/$planKey')

export function PlanPage() {
  const { organizationId, planKey } = route.useParams()
  const edit = useFlag('edit')
  const query = useOrganizationQuery(PlanDocument, { key: planKey })
  const mayWrite = useMay('plans:write')
  const above = (
    <BackLink to="/o/$organizationId/plans" params={{ organizationId }}>
      Plans
    </BackLink>
  )
  return (
    <ObjectLoaded query={query} id={planKey} above={above}>
      {({ plan, features }) => (
        <>
          <PageHeader
            above={above}
            title={plan.name}
            description="What a subscriber on this plan may use."
            actions={<PlanActions plan={plan} onEdit={edit.open} />}
          />
          <ReadOnlyNotice label="plans:write" what="change plans" />
          <PlanDetails plan={plan} />
          <Section title="Grants">
            {plan.grants.length === 0 ? (
              <Text c="dimmed">It grants nothing.</Text>
            ) : (
              <GrantTable grants={sortGrants(features, plan.grants)} />
            )}
          </Section>
          <PlanHistory plan={plan} />
          <Drawer opened={mayWrite && edit.isOn} onClose={edit.close} title="Rename plan">
            <EditPlanForm plan={plan} onClose={edit.close} />
          </Drawer>
        </>
      )}
    </ObjectLoaded>
  )
}

type Grant = PlanRowFragment['grants'][number]

/** Sorts the grants in the order of the features. A grant whose feature was added between the two reads comes last. */
function sortGrants(features: Answer<PlanQuery>['features'], grants: readonly Grant[]): Grant[] {
  const positions = new Map(features.map(({ key, position }) => [key, position]))
  return grants.toSorted((one, other) =>
    comparePositions(
      { position: positions.get(one.feature) ?? null },
      { position: positions.get(other.feature) ?? null },
    ),
  )
}

const columns: Columns<Grant> = [
  { title: 'Feature', render: ({ feature }) => <FeatureName featureKey={feature} /> },
  { title: 'Kind', card: 'bare', render: ({ kind }) => <KindBadge kind={kind} /> },
  { title: 'Value', align: 'right', card: 'beside', render: (grant) => <EntitlementValue {...toValue(grant)} /> },
]

function GrantTable({ grants }: { grants: readonly Grant[] }) {
  return (
    <DataTable
      label="Grants"
      rows={grants}
      rowKey={({ feature }) => feature}
      columns={columns}
      to={({ feature }) => ({
        to: '/o/$organizationId/features/$featureKey',
        params: { featureKey: feature },
      })}
    />
  )
}
