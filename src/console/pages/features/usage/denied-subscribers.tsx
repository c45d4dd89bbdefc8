import { Text } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { NotShown } from '../../../components/feedback/not-shown.tsx'
import { sortPlans } from '../../../components/order/by-position.ts'
import { Section } from '../../../components/page/section.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { describeCount, formatNumber } from '../../../components/text/number.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { FeatureDenialsDocument, type FeatureDenialsQuery } from '../../../generated/features.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'

type Denial = NonNullable<NonNullable<FeatureDenialsQuery['feature']>['denials']>[number]

/** The server returns at most this many subscribers. */
const maxDeniedSubscribers = 20

/** The subscribers who were denied the feature most often this month. */
export function DeniedSubscribers({ featureKey }: { featureKey: string }) {
  const enabled = useMay('overrides:read')
  const query = useOrganizationQuery(FeatureDenialsDocument, { key: featureKey }, { enabled })
  return (
    <Section title="Denied most often this month">
      {enabled ? (
        <Loaded query={query} skeleton={<TableSkeleton rows={3} />}>
          {({ feature: { denials }, plans }) => (
            <DenialTable denials={denials ?? []} without={describePlansWithoutFeature(featureKey, plans ?? [])} />
          )}
        </Loaded>
      ) : (
        <NotShown what="whom it was denied to" />
      )}
    </Section>
  )
}

const columns: Columns<Denial> = [
  { title: 'Subscriber', render: ({ subscriberId, name }) => shortenMiddle(name ?? subscriberId, 60) },
  { title: 'Id', render: ({ subscriberId }) => <KeyText value={subscriberId} /> },
  { title: 'Denied', align: 'right', render: ({ count }) => `about ${formatNumber(count)} times` },
]

const lists = new Intl.ListFormat('en-GB')

type Plan = NonNullable<FeatureDenialsQuery['plans']>[number]

/**
 * "It is not part of Free (held by 345) and Starter (held by more than 10,000)."; empty if all plans with subscribers have the
 * feature.
 */
function describePlansWithoutFeature(feature: string, plans: readonly Plan[]): string {
  const without = sortPlans(plans).flatMap(({ name, subscriberCount, grants }) => {
    const isHeld = subscriberCount !== null && subscriberCount.value > 0
    const isGranted = grants.some((grant) => grant.feature === feature)
    return isHeld && !isGranted ? [`${shortenMiddle(name, 40)} (held by ${describeCount(subscriberCount)})`] : []
  })
  return without.length === 0 ? '' : ` It is not part of ${lists.format(without)}.`
}

function DenialTable({ denials, without }: { denials: readonly Denial[]; without: string }) {
  if (denials.length === 0) {
    return (
      <Text c="dimmed">
        No check was denied it this month. The subscribers that your product denies it most often appear here.
      </Text>
    )
  }
  return (
    <>
      <Text c="dimmed" mb="xs">
        {denials.length < maxDeniedSubscribers
          ? `Denied to about ${denials.length} ${denials.length === 1 ? 'subscriber' : 'subscribers'}.`
          : `The ${maxDeniedSubscribers} subscribers that were denied it most often.`}
        {without}
      </Text>
      <DataTable
        label="Subscribers that were denied this feature"
        rows={denials}
        rowKey={({ subscriberId }) => subscriberId}
        columns={columns}
        to={({ subscriberId }) => ({ to: '/o/$organizationId/subscribers/$subscriberId', params: { subscriberId } })}
      />
    </>
  )
}
