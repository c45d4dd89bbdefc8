import { Skeleton, Text, Title } from '@mantine/core'
import { AnswerLegend } from '../../components/chart/legend.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { formatRounded } from '../../components/text/number.ts'
import { FeatureBars, type RequestedFeature } from './feature-bars.tsx'
import { useRequestedFeatures } from './reads.ts'
import classes from './requested-section.module.css'

const shownFeatures = 5

/** Shows which features checks asked for most this month, and which features were denied most. */
export function RequestedSection() {
  return (
    <Section title="Asked this month" actions={<AnswerLegend />}>
      <Loaded
        query={useRequestedFeatures()}
        skeleton={<Skeleton className={classes.skeleton} role="status" aria-label="Loading" />}
      >
        {({ evalUsageByFeature, features }) => {
          const names = new Map(features.map(({ key, name }) => [key, name]))
          const asked = evalUsageByFeature.features.map((used) => ({
            ...used,
            name: names.get(used.feature) ?? null,
          }))
          return asked.length === 0 ? <NoChecksYet /> : <MostRequestedFeatures features={asked} />
        }}
      </Loaded>
    </Section>
  )
}

function NoChecksYet() {
  return (
    <Text c="dimmed">
      Nothing yet. Once your product makes checks, this shows which features they ask for most, and which they are
      denied.
    </Text>
  )
}

function MostRequestedFeatures({ features }: { features: readonly RequestedFeature[] }) {
  const granted = features.reduce((sum, feature) => sum + feature.granted, 0)
  const denied = features.reduce((sum, feature) => sum + feature.denied, 0)
  const mostDenied = features
    .filter((feature) => feature.denied > 0)
    .toSorted((one, other) => other.denied - one.denied)
    .slice(0, shownFeatures)
  return (
    <>
      <p className={classes.words}>
        Checks asked for features about <strong>{formatRounded(granted + denied)}</strong> times: about{' '}
        {formatRounded(granted)} granted, {formatRounded(denied)} denied.
      </p>
      <div className={classes.lists}>
        <section aria-label="Most asked for">
          <Title order={3}>Most asked for</Title>
          <FeatureBars features={features.slice(0, shownFeatures)} shows="all" />
        </section>
        <section aria-label="Most denied">
          <Title order={3}>Most denied</Title>
          {mostDenied.length === 0 ? (
            <Text c="dimmed" mt={8}>
              No check was denied a feature this month.
            </Text>
          ) : (
            <FeatureBars features={mostDenied} shows="denied" />
          )}
        </section>
      </div>
    </>
  )
}
