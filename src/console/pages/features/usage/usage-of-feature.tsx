import { Skeleton, Text } from '@mantine/core'
import { type Bar, BarChart } from '../../../components/chart/bar-chart.tsx'
import { AnswerLegend } from '../../../components/chart/legend.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { daysOfMonth, formatMonth, formatUtcDay } from '../../../components/text/calendar.ts'
import { formatNumber, formatRounded } from '../../../components/text/number.ts'
import { useNow } from '../../../components/text/use-now.ts'
import { FeatureUsageDocument, type FeatureUsageQuery } from '../../../generated/features.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import classes from './usage-of-feature.module.css'

/** Shows, for each day of this month, how often checks asked for the feature and how often it was granted. */
export function UsageOfFeature({ featureKey }: { featureKey: string }) {
  const query = useOrganizationQuery(FeatureUsageDocument, { key: featureKey })
  return (
    <Section title="Asked this month" actions={<AnswerLegend />}>
      <div className={classes.section}>
        <Loaded query={query} skeleton={<Skeleton className={classes.section} role="status" aria-label="Loading" />}>
          {({ evalUsageByFeature: { from, features } }) => <UsageChart used={features[0]} month={from.slice(0, 7)} />}
        </Loaded>
      </div>
    </Section>
  )
}

type UsageOfMonth = NonNullable<FeatureUsageQuery['evalUsageByFeature']>['features'][number]

/** Without checks, the chart is empty, and a text explains what it will show. */
function UsageChart({ used, month }: { used: UsageOfMonth | undefined; month: string }) {
  const { granted, denied, days } = used ?? { granted: 0, denied: 0, days: [] }
  const today = useNow().toISOString().slice(0, 10)
  const byDate = new Map(days.map((day) => [day.date, day]))
  const bars = daysOfMonth(month).map((date, index): Bar => {
    const { granted, denied } = byDate.get(date) ?? { granted: 0, denied: 0 }
    return {
      name: formatUtcDay(date),
      words: date > today ? 'still to come' : `about ${formatNumber(granted)} granted, ${formatNumber(denied)} denied`,
      parts: [
        { value: granted, look: 'filled' },
        { value: denied, look: 'hatched' },
      ],
      tick: index % 7 === 0 ? String(index + 1) : '',
    }
  })
  return (
    <>
      {used ? (
        <p className={classes.words}>
          Asked for about <strong>{formatRounded(granted + denied)}</strong> times this month:{' '}
          {denied === 0
            ? 'granted every time.'
            : `granted about ${formatRounded(granted)} times, denied about ${formatRounded(denied)} times.`}
        </p>
      ) : (
        <Text c="dimmed" className={classes.words}>
          No check asked for it this month. This will show on which days your product asks for it, and how often it is
          granted and denied.
        </Text>
      )}
      <BarChart label={`Checks in ${formatMonth(month)} by day`} bars={bars} />
    </>
  )
}
