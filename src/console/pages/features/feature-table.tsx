import { Text } from '@mantine/core'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { Figure } from '../../components/text/figure.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { KindBadge } from '../../components/text/kind-badge.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { type Count, describeCount } from '../../components/text/number.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { FeatureOverrideCountsDocument } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import type { Feature } from './feature.ts'
import { type GrantingPlan, type GrantingPlans, useGrantingPlans } from './use-granting-plans.ts'

export function FeatureTable({ features }: { features: readonly Feature[] }) {
  const { data: granting, live, error } = useGrantingPlans()
  const overrides = useOverrideCounts()
  if (features.length === 0) {
    return <EmptyState title="No feature matches">Change the filter to see more.</EmptyState>
  }
  // Wait for the names of the plans: they may need a second line, which would move the rows below.
  if (!granting && !error) return <TableSkeleton />
  return (
    <DataTable
      label="Features"
      rows={features}
      rowKey={({ key }) => key}
      columns={columnsWith(granting, live, overrides)}
      to={({ key }) => ({ to: '/o/$organizationId/features/$featureKey', params: { featureKey: key } })}
    />
  )
}

function columnsWith(
  granting: GrantingPlans | undefined,
  live: number,
  overrides: Map<string, Count> | undefined,
): Columns<Feature> {
  // Fixed widths: counts arrive after the features, and must not move the columns.
  return [
    { title: 'Name', width: '21%', render: ({ name }) => shortenMiddle(name, 60) },
    { title: 'Key', width: '17%', card: 'below', render: ({ key }) => <KeyText value={key} /> },
    {
      title: 'Kind',
      width: '14%',
      card: 'beside',
      render: ({ kind, valueType }) => <KindBadge kind={kind} detail={valueType?.toLowerCase() ?? null} />,
    },
    {
      title: 'Granted by',
      width: '27%',
      card: 'bare',
      render: ({ key }) => (granting ? describePlans(granting.get(key) ?? [], live) : ''),
    },
    { title: 'Overrides', align: 'right', render: ({ key }) => <OverrideCount count={overrides?.get(key)} /> },
    { title: 'Changed', align: 'right', card: 'end', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ]
}

/** The number of live overrides. */
function OverrideCount({ count }: { count: Count | undefined }) {
  if (!count) return null
  if (count.value === 0)
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    )
  return count.isExact ? <Figure>{describeCount(count)}</Figure> : describeCount(count)
}

const maxPlanNames = 3

/** Archived plans are named only if no other plan grants the feature. */
function describePlans(plans: readonly GrantingPlan[], livePlans: number) {
  const live = plans.filter(({ archivedAt }) => archivedAt === null)
  if (plans.length === 0) return <Text c="dimmed">no plan</Text>
  if (live.length === 0) return <Text c="dimmed">only archived plans</Text>
  if (live.length > maxPlanNames && live.length === livePlans) return `all ${livePlans} plans`
  const named = live.slice(0, maxPlanNames).map(({ name }) => shortenMiddle(name, 32))
  const others = live.length - named.length
  return others > 0 ? `${named.join(', ')} and ${others} more` : named.join(', ')
}

/** The live overrides of each feature, by its key; undefined until they are counted, and for roles that may not see them. */
function useOverrideCounts(): Map<string, Count> | undefined {
  const enabled = useMay('overrides:read')
  const { data } = useOrganizationQuery(FeatureOverrideCountsDocument, {}, { enabled })
  return (
    data && new Map(data.features.flatMap(({ key, overrideCount }) => (overrideCount ? [[key, overrideCount]] : [])))
  )
}
