import { Anchor, Drawer, Skeleton, Stack, Text, Tooltip } from '@mantine/core'
import { Suspense } from 'react'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { addDays, formatMonth, formatUtcDay, monthAfter } from '../../components/text/calendar.ts'
import { formatNumber, formatShare } from '../../components/text/number.ts'
import { lazyComponent } from '../../frame/lazy-component.ts'
import type { EvalUsageQuery } from '../../generated/overview.ts'
import { EvalDays } from './eval-days.tsx'
import classes from './eval-section.module.css'
import { projectMonth } from './projection.ts'
import { useToday, useUsage } from './reads.ts'

const EvalMonths = lazyComponent(() => import('./months/eval-months.tsx'), 'EvalMonths')

export function EvalSection() {
  const query = useUsage()
  const months = useFlag('months')
  const earlier = (
    <Anchor component="button" type="button" underline="always" onClick={months.open}>
      Earlier months
    </Anchor>
  )
  return (
    <Section title="Evals this month" actions={earlier}>
      <Loaded query={query} skeleton={<EvalSkeleton />}>
        {(usage) => <Usage usage={usage} />}
      </Loaded>
      <Drawer opened={months.isOn} onClose={months.close} title="Evals by month and day">
        <Suspense fallback={<EvalSkeleton />}>
          <EvalMonths />
        </Suspense>
      </Drawer>
    </Section>
  )
}

function Usage({ usage: { evalUsage, previous } }: { usage: NonNullableFields<EvalUsageQuery> }) {
  const today = useToday()
  const { used, allotment, month } = evalUsage
  const projection = projectMonth(evalUsage, previous.days, today)
  const lastDay = addDays(`${monthAfter(month)}-01`, -1)
  return (
    <div>
      <p className={classes.words}>
        <span>
          <strong className={classes.used}>{formatNumber(used)}</strong>{' '}
          {allotment === null ? 'used, no limit' : `of ${formatNumber(allotment)} used`}
        </span>
        {projection && projection.total > 0 && (
          <span className={classes.projected}>
            about {formatNumber(roundForPeople(projection.total))} by {formatUtcDay(lastDay)}
            {projection.endsOn && used < (allotment ?? 0) && `, used up on ${formatUtcDay(projection.endsOn)}`}
          </span>
        )}
      </p>
      {allotment !== null && <AllotmentMeter used={used} allotment={allotment} projected={projection?.total ?? used} />}
      {used === 0 && <Text c="dimmed">No checks this month.</Text>}
      {used > 0 && (
        <EvalDays
          usage={evalUsage}
          expected={projection?.expected ?? []}
          today={today}
          label={`Evals in ${formatMonth(month)} by day`}
        />
      )}
    </div>
  )
}

type NonNullableFields<Query> = { [Field in keyof Query]: NonNullable<Query[Field]> }

/** Rounds an estimate to three significant digits, because it is not more exact than that. */
function roundForPeople(value: number): number {
  return Number(value.toPrecision(3))
}

function EvalSkeleton() {
  return (
    <Stack gap={12} role="status" aria-label="Loading">
      <Skeleton height={22} width="45%" />
      <Skeleton height={8} />
      <Skeleton height={150} />
    </Stack>
  )
}

type Props = { used: number; allotment: number; projected: number }

/** Shows how much of the allotment is used and, dashed, how much is expected to be used by the end of the month. */
function AllotmentMeter({ used, allotment, projected }: Props) {
  const expectedUse = Math.max(projected, used)
  const words = `${formatShare(used, allotment)} used, about ${formatShare(expectedUse, allotment)} by the end of the month`
  const toPercent = (value: number) => `${Math.min(allotment === 0 ? 1 : value / allotment, 1) * 100}%`
  return (
    <Tooltip label={words} events={{ hover: true, focus: true, touch: true }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot show two values. */}
      <div
        className={classes.meter}
        role="meter"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip also appears on focus.
        tabIndex={0}
        aria-label="Allotment of this month"
        aria-valuemin={0}
        aria-valuemax={allotment}
        aria-valuenow={Math.min(used, allotment)}
        aria-valuetext={words}
      >
        <div className={classes.expected} style={{ width: toPercent(expectedUse) }} />
        <div
          className={used >= allotment ? classes.full : classes.filled}
          style={{ width: toPercent(used) }}
          data-drawn
        />
      </div>
    </Tooltip>
  )
}
