import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Tally } from '../../../components/import/run-import.ts'
import { Section } from '../../../components/page/section.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { JsonChanges } from '../../../components/text/json-change-list.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { Value } from '../../../components/text/value.ts'
import { PlanName } from '../plan/plan-name.tsx'
import { type AffectedSubscriber, type BulkChange, type Catalog, effectsOf, type FeatureEffect } from './bulk-change.ts'
import { RefusedSubscribers } from './bulk-errors.tsx'
import type { useBulk } from './use-bulk.ts'

type Props = Pick<ReturnType<typeof useBulk>, 'step' | 'reached' | 'unknown' | 'unchangedCount' | 'tally'> & {
  change: BulkChange
  catalog: Catalog
}

/** The number of rows shown at first, and added by each "Show more". */
const pageRows = 100

/** The affected subscribers and the effects on each, by plan, because subscribers of a plan mostly see the same effects. */
export function BulkReach({ step, reached, unknown, unchangedCount, tally, change, catalog }: Props) {
  const [shownRows, setShownRows] = useState(pageRows)
  const rows = reached.map((each) => ({ reached: each, effects: effectsOf(each, change, catalog) }))
  const losing = rows.filter(({ effects }) => effects.some(({ isLoss }) => isLoss)).length
  return (
    <Stack gap="md">
      <Section title={titles[step] ?? 'Result'}>
        <Text role="status">{describeCounts(step, { reached: reached.length, losing, unchangedCount, tally })}</Text>
        {unknown.length > 0 && (
          <Text mt="xs">{`No subscriber has these ids: ${unknown.slice(0, 20).join(', ')}${unknown.length > 20 ? `, and ${unknown.length - 20} more` : ''}.`}</Text>
        )}
        {change.type === 'plan' && <Text mt="xs">Overrides stay in force, whatever the plan.</Text>}
        <RefusedSubscribers tally={tally} reached={reached} />
      </Section>
      {rows.length > 0 && (
        <Section title={step === 'checked' ? 'Who, and what changes' : 'Who, and what changed'}>
          <DataTable
            label="Subscribers that the change reaches"
            rows={rows.slice(0, shownRows)}
            rowKey={({ reached: { subscriberId } }) => subscriberId}
            columns={toColumns(step, change, catalog)}
            to={({ reached: { subscriberId } }) => ({
              to: '/o/$organizationId/subscribers/$subscriberId',
              params: { subscriberId },
            })}
          />
          {rows.length > shownRows && (
            <Button variant="default" size="compact-sm" mt="xs" onClick={() => setShownRows(shownRows + pageRows)}>
              {`Show more of the other ${rows.length - shownRows}`}
            </Button>
          )}
        </Section>
      )}
    </Stack>
  )
}

const titles: Partial<Record<Props['step'], string>> = { checked: 'Check', undone: 'Undone' }

type Counts = { reached: number; losing: number; unchangedCount: number; tally: Tally }

function describeCounts(
  step: Props['step'],
  { reached, losing, unchangedCount, tally: { lines, failed } }: Counts,
): string {
  // A change that was stopped, or whose connection broke, was sent for only some of the subscribers.
  const done = lines - failed
  const refused = failed === 0 ? '' : ` ${failed} ${failed === 1 ? 'is' : 'are'} refused.`
  const unchanged =
    unchangedCount === 0 ? '' : ` ${unchangedCount} ${unchangedCount === 1 ? 'has' : 'have'} it already.`
  if (step === 'undone') return `${done} ${done === 1 ? 'is' : 'are'} back to the previous state.${refused}`
  if (step !== 'checked') return `${done} of ${reached} were changed.${refused}`
  const loss = losing === 0 ? 'Nobody loses anything.' : `${losing} of them would lose something.`
  return reached === 0
    ? `The change reaches nobody.${unchanged}`
    : `The change reaches ${reached}. ${loss}${unchanged}${refused}`
}

type Row = { reached: AffectedSubscriber; effects: FeatureEffect[] }

/** The columns show the effects before the change, the results after it, and the reverted values after Undo. */
function toColumns(step: Props['step'], change: BulkChange, { plans }: Catalog): Columns<Row> {
  const isUndone = step === 'undone'
  return [
    { title: 'Subscriber', render: ({ reached: { subscriberId } }) => <KeyText value={subscriberId} /> },
    { title: 'Name', render: ({ reached: { name } }) => name ?? <Text c="dimmed">—</Text> },
    {
      title: 'Plan',
      render: ({ reached: { activeSubscription } }) => {
        const from = <PlanText planKey={activeSubscription?.planId ?? null} plans={plans} />
        if (step === 'checked' || change.type !== 'plan') return from
        const to = <PlanText planKey={change.planKey} plans={plans} />
        return isUndone ? (
          <>
            {to} to {from}
          </>
        ) : (
          <>
            {from} to {to}
          </>
        )
      },
    },
    {
      title: step === 'checked' ? 'What changes' : 'What changed',
      render: ({ effects }) => (
        <Effects effects={isUndone ? effects.map(toReverse) : effects} isDone={step !== 'checked'} />
      ),
    },
  ]
}

function PlanText({ planKey, plans }: { planKey: string | null; plans: Catalog['plans'] }) {
  if (planKey === null) return 'no plan'
  return <PlanName planId={planKey} plan={plans.find(({ key }) => key === planKey) ?? null} />
}

function toReverse(effect: FeatureEffect): FeatureEffect {
  return { ...effect, from: effect.to, to: effect.from, isLoss: false }
}

const shownEffects = 3

function Effects({ effects, isDone }: { effects: readonly FeatureEffect[]; isDone: boolean }) {
  const [isWhole, setWhole] = useState(false)
  if (effects.length === 0) return <Text c="dimmed">the same values</Text>
  const [before, after] = isDone ? ['from', ' to'] : ['now', ', then']
  return (
    <>
      {effects.slice(0, isWhole ? undefined : shownEffects).map(({ feature, name, from, to, isLoss }) => (
        <div key={feature}>
          {isLoss && <StateBadge tone="bad">{isDone ? 'lost' : 'loses'}</StateBadge>} {name}: {before}{' '}
          <EffectValue value={from} />
          {after} <EffectValue value={to} />
          <JsonChanges from={from} to={to} />
        </div>
      ))}
      {!isWhole && effects.length > shownEffects && (
        <span data-hint>
          <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
            {`Show ${effects.length - shownEffects} more features`}
          </Button>
        </span>
      )}
    </>
  )
}

function EffectValue({ value }: { value: Value | null }) {
  return value ? <EntitlementValue {...value} /> : <span>nothing</span>
}
