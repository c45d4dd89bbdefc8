import { Text } from '@mantine/core'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { sortPlans } from '../../components/order/by-position.ts'
import { Section } from '../../components/page/section.tsx'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { EntitlementValue } from '../../components/text/entitlement-value.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { toValue } from '../../components/text/value.ts'
import { FeatureGrantsDocument, type FeatureGrantsQuery } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import type { Feature } from './feature.ts'

type Plan = NonNullable<FeatureGrantsQuery['plans']>[number]
type PlanRow = Omit<Plan, 'grants'> & { grant: Plan['grants'][number] | undefined }

const columns: Columns<PlanRow> = [
  {
    title: 'Plan',
    render: ({ name, archivedAt }) => (
      <>
        {shortenMiddle(name, 60)}
        {archivedAt && (
          <Text span c="dimmed">
            {' '}
            archived
          </Text>
        )}
      </>
    ),
  },
  { title: 'Key', card: 'below', render: ({ key }) => <KeyText value={key} /> },
  {
    title: 'Value',
    align: 'right',
    card: 'beside',
    render: ({ grant }) =>
      grant ? (
        <EntitlementValue {...toValue(grant)} />
      ) : (
        <Text span c="dimmed">
          not granted
        </Text>
      ),
  },
]

/** The feature's value on each plan. Archived plans that do not grant the feature are left out. */
export function GrantsOfFeature({ feature }: { feature: Feature }) {
  const query = useOrganizationQuery(FeatureGrantsDocument, {})
  return (
    <Section title="On each plan">
      <Loaded query={query} skeleton={<TableSkeleton rows={6} />}>
        {({ plans }) => <PlanTable rows={toRows(plans, feature.key)} />}
      </Loaded>
    </Section>
  )
}

function PlanTable({ rows }: { rows: readonly PlanRow[] }) {
  if (rows.length === 0) return <Text c="dimmed">There are no plans yet.</Text>
  return (
    <DataTable
      label="Its value on each plan"
      rows={rows}
      rowKey={({ key }) => key}
      columns={columns}
      to={({ key }) => ({ to: '/o/$organizationId/plans/$planKey', params: { planKey: key } })}
    />
  )
}

function toRows(plans: readonly Plan[], featureKey: string): PlanRow[] {
  return sortPlans(plans)
    .map(({ grants, ...plan }) => ({ ...plan, grant: grants.find(({ feature }) => feature === featureKey) }))
    .filter(({ grant, archivedAt }) => grant !== undefined || archivedAt === null)
}
