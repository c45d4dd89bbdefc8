import { Skeleton, Text } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import type { Effect } from '../../../components/history/effect.ts'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { JsonChanges } from '../../../components/text/json-change-list.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { StateBadge, type Tone } from '../../../components/text/state-badge.tsx'
import { valueOfAnswer } from '../../../components/text/value.ts'
import { ShownValue } from '../features/shown-value.tsx'
import { useExplanation } from '../features/use-explanation.ts'
import { type Comparison, compare, type FeatureChange } from './compare-plans.ts'
import classes from './plan-preview.module.css'

const tones: Record<Effect, Tone> = {
  lost: 'bad',
  lowered: 'bad',
  changed: 'neutral',
  raised: 'good',
  gained: 'good',
}

const columns: Columns<FeatureChange> = [
  {
    title: 'Feature',
    render: ({ feature, from, to }) => (
      <>
        {shortenMiddle(feature.name, 40)}
        <JsonChanges from={valueOfAnswer(from)} to={valueOfAnswer(to)} />
      </>
    ),
  },
  { title: 'Effect', card: 'beside', render: ({ effect }) => <StateBadge tone={tones[effect]}>{effect}</StateBadge> },
  { title: 'Now', align: 'right', render: ({ from }) => <ShownValue entitlement={from} /> },
  { title: 'Then', align: 'right', render: ({ to }) => <ShownValue entitlement={to} /> },
]

type Props = {
  subscriberId: string
  /** The key of a plan; "none" for no plan. */
  planKey: string
}

/** The features that the subscriber would gain and lose, shown before the change is made. */
export function PlanPreview({ subscriberId, planKey }: Props) {
  const now = useExplanation(subscriberId)
  const then = useExplanation(subscriberId, { ifPlan: planKey })
  const query = {
    data: now.data && then.data && compare(now.data.features, then.data.features),
    error: now.error ?? then.error,
    refetch: () => Promise.all([now.refetch(), then.refetch()]),
  }
  return (
    <Loaded query={query} skeleton={<Skeleton height={160} role="status" aria-label="Loading" />}>
      {(comparison) => <Preview {...comparison} />}
    </Loaded>
  )
}

function Preview({ changes, hidden, unchanged }: Comparison) {
  return (
    <section aria-label="What would change" className={classes.preview}>
      {changes.length === 0 ? (
        <Text>Nothing would change for this subscriber.</Text>
      ) : (
        <DataTable label="What would change" rows={changes} rowKey={({ feature }) => feature.key} columns={columns} />
      )}
      {hidden.length > 0 && (
        <Text c="dimmed">
          Hidden by an override, so unchanged for now: {hidden.map(({ name }) => shortenMiddle(name, 40)).join(', ')}.
        </Text>
      )}
      {unchanged > 0 && (
        <Text c="dimmed">
          {unchanged} {unchanged === 1 ? 'feature stays' : 'features stay'} as {unchanged === 1 ? 'it is' : 'they are'}.
        </Text>
      )}
    </section>
  )
}
