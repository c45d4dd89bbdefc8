import { Text } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { FoundRows } from '../../../components/table/found-rows.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { findLosses } from '../history/losses.ts'
import { namesOf, type StoryFacts } from '../story/story.ts'
import { StorySection } from '../story/story-section.tsx'
import { useStory } from '../story/use-story.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { AnotherTimeNotice } from './another-time.tsx'
import { filterExplained } from './explained.ts'
import { FeatureDrawer } from './feature-drawer.tsx'
import { FeatureFilters } from './feature-filters.tsx'
import { FeatureTable } from './feature-table.tsx'
import { useExplanation } from './use-explanation.ts'

/** The tab of features: recent changes, what the subscriber may use, and why. */
export function FeatureList() {
  const { subscriberId, search } = useSubscriberSearch()
  const { at } = search
  const story = useStory()
  const explanation = useExplanation(subscriberId, { at, keepPrevious: true, firstEnd: story.firstEnd })
  // The story is above the table, and would push it down if it appeared later.
  const data = story.isSettled ? explanation.data : undefined
  if (data?.features.length === 0) return <Text c="dimmed">There are no features in the catalog yet.</Text>
  const features = data?.features.map((feature) => ({
    ...feature,
    scheduled: story.facts.scheduled.find((override) => override.feature === feature.key && override.startsAt !== null),
  }))
  const facts = data && features && { ...story.facts, features, plan: data.plan }
  return (
    <>
      {facts && at === undefined && <StorySection facts={facts} />}
      {/* Also shown when the server refuses the time in the address. */}
      {(data || at !== undefined) && <FeatureFilters features={data?.features ?? []} />}
      {data !== undefined && data.unknown > 0 && (
        <Text c="dimmed" mb="sm">
          Not shown: {data.unknown} {data.unknown === 1 ? 'value' : 'values'} of that time that the audit log lacks.
        </Text>
      )}
      <Loaded query={{ ...explanation, data: facts }} skeleton={<TableSkeleton />}>
        {(facts) => <Explained facts={facts} at={at} />}
      </Loaded>
    </>
  )
}

function Explained({ facts, at }: { facts: StoryFacts; at: string | undefined }) {
  const { search } = useSubscriberSearch()
  const { features, plan, changes, now } = facts
  const shown = filterExplained(features, search)
  const losses = findLosses(features, changes, now)
  const planName = plan === null ? null : namesOf(facts).plan(plan)
  return (
    <>
      {at !== undefined && <AnotherTimeNotice at={at} plan={planName} />}
      <FoundRows found={search.q === undefined && search.source === undefined ? null : shown.length} noun="feature" />
      <FeatureTable features={shown} planName={planName} losses={losses} />
      <FeatureDrawer {...{ features, plan, planName, losses }} />
    </>
  )
}
