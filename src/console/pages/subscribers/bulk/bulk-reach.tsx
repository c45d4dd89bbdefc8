import { Stack, Text } from '@mantine/core'
import { Section } from '../../../components/page/section.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { Value } from '../../../components/text/value.ts'
import { type BulkChange, type Catalog, effectsOf, type FeatureEffect, type Reached } from './bulk-change.ts'
import { ImportedErrors } from './bulk-errors.tsx'
import type { useBulk } from './use-bulk.ts'

type Props = Pick<ReturnType<typeof useBulk>, 'step' | 'reached' | 'unknown' | 'same' | 'tally'> & {
  change: BulkChange
  catalog: Catalog
}

const shownRows = 200

/** Whom the change reaches, and what it does to them: by plan, because those on one plan mostly have the same. */
export function BulkReach({ step, reached, unknown, same, tally, change, catalog }: Props) {
  const rows = reached.map((each) => ({ reached: each, effects: effectsOf(each, change, catalog) }))
  const losing = rows.filter(({ effects }) => effects.some(({ isLoss }) => isLoss)).length
  return (
    <Stack gap="md">
      <Section title={titles[step] ?? 'Result'}>
        <Text role="status">{describe(step, { reached: reached.length, losing, same, failed: tally.failed })}</Text>
        {unknown.length > 0 && (
          <Text mt="xs">{`No subscriber has these ids: ${unknown.slice(0, 20).join(', ')}${unknown.length > 20 ? `, and ${unknown.length - 20} more` : ''}.`}</Text>
        )}
        {change.type === 'plan' && <Text mt="xs">Overrides stay in force, whatever the plan.</Text>}
        <ImportedErrors tally={tally} reached={reached} />
      </Section>
      {rows.length > 0 && (
        <Section title="Who, and what changes">
          <DataTable
            label="Subscribers that the change reaches"
            rows={rows.slice(0, shownRows)}
            rowKey={({ reached: { subscriberId } }) => subscriberId}
            columns={columns}
            to={({ reached: { subscriberId } }) => ({
              to: '/o/$organizationId/subscribers/$subscriberId',
              params: { subscriberId },
            })}
          />
          {rows.length > shownRows && <Text c="dimmed">{`and ${rows.length - shownRows} more`}</Text>}
        </Section>
      )}
    </Stack>
  )
}

const titles: Partial<Record<Props['step'], string>> = { checked: 'Check', undone: 'Undone' }

type Counts = { reached: number; losing: number; same: number; failed: number }

function describe(step: Props['step'], { reached, losing, same, failed }: Counts): string {
  const refused = failed === 0 ? '' : ` ${failed} ${failed === 1 ? 'is' : 'are'} refused.`
  const unchanged = same === 0 ? '' : ` ${same} ${same === 1 ? 'has' : 'have'} it already.`
  if (step === 'undone') return `${reached - failed} have again what they had before.${refused}`
  if (step !== 'checked') return `${reached - failed} of ${reached} were changed.${refused}`
  const loss = losing === 0 ? 'Nobody loses anything.' : `${losing} of them would lose something.`
  return reached === 0
    ? `The change reaches nobody.${unchanged}`
    : `The change reaches ${reached}. ${loss}${unchanged}${refused}`
}

type Row = { reached: Reached; effects: FeatureEffect[] }

const columns: Columns<Row> = [
  { title: 'Subscriber', render: ({ reached: { subscriberId } }) => <KeyText value={subscriberId} /> },
  { title: 'Name', render: ({ reached: { name } }) => name ?? <Text c="dimmed">—</Text> },
  {
    title: 'Plan',
    render: ({ reached: { activeSubscription } }) => activeSubscription?.planId ?? <Text c="dimmed">no plan</Text>,
  },
  { title: 'What changes', render: ({ effects }) => <Effects effects={effects} /> },
]

const shownEffects = 3

function Effects({ effects }: { effects: readonly FeatureEffect[] }) {
  if (effects.length === 0) return <Text c="dimmed">the same values</Text>
  return (
    <>
      {effects.slice(0, shownEffects).map(({ feature, name, from, to, isLoss }) => (
        <div key={feature}>
          {isLoss && <StateBadge tone="bad">loses</StateBadge>} {name}: now <Shown value={from} />, then{' '}
          <Shown value={to} />
        </div>
      ))}
      {effects.length > shownEffects && <Text c="dimmed">{`and ${effects.length - shownEffects} more features`}</Text>}
    </>
  )
}

function Shown({ value }: { value: Value | null }) {
  return value ? <EntitlementValue {...value} /> : <span>nothing</span>
}
