import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { BackLink } from '../../components/page/back-link.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { PlanDocument } from '../../generated/plans.ts'
import { GrantTable } from './grant-table.tsx'
import { PlanState } from './plan-state.tsx'

const route = getRouteApi('/o/$organizationId/plans/$planKey')

export function PlanPage() {
  const { organizationId, planKey } = route.useParams()
  const query = useOrganizationQuery(PlanDocument, { key: planKey })
  return (
    <Loaded query={query} skeleton={<TableSkeleton />}>
      {({ plan }) => (
        <>
          <PageHeader
            above={
              <BackLink to="/o/$organizationId/plans" params={{ organizationId }}>
                Plans
              </BackLink>
            }
            title={plan.name}
          />
          <Properties
            items={[
              ['Key', <KeyText key="key" value={plan.key} max={64} copy="key" />],
              ['Kind', plan.kind],
              ['State', <PlanState key="state" archivedAt={plan.archivedAt} />],
              ['Changed', <Moment key="changed" at={plan.updatedAt} />],
            ]}
          />
          <Section title="Grants">
            {plan.grants.length === 0 ? (
              <Text c="dimmed">It grants nothing.</Text>
            ) : (
              <GrantTable grants={plan.grants} />
            )}
          </Section>
        </>
      )}
    </Loaded>
  )
}
