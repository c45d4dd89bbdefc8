import { Button, Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { Suspense } from 'react'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { formatNumber } from '../../components/text/number.ts'
import { lazyComponent } from '../../frame/lazy-component.ts'
import type { EvalUsageQuery } from '../../generated/overview.ts'
import { addDays, monthAfter, nameDay, nameMonth } from './calendar.ts'
import { EvalDays } from './eval-days.tsx'
import classes from './eval-section.module.css'
import { projectMonth } from './projection.ts'
import { useToday, useUsage } from './reads.ts'

const EvalMonths = lazyComponent(() => import('./months/eval-months.tsx'), 'EvalMonths')

export function EvalSection() {
  const query = useUsage()
  const months = useFlag('months')
  const earlier = (
    <Button variant="subtle" size="compact-sm" onClick={months.open}>
      Earlier months
    </Button>
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
            about {formatNumber(roundForPeople(projection.total))} by {nameDay(lastDay)}
            {projection.endsOn && used < (allotment ?? 0) && `, used up on ${nameDay(projection.endsOn)}`}
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
          label={`Evals in ${nameMonth(month)} by day`}
        />
      )}
    </div>
  )
}

type NonNullableFields<Query> = { [Field in keyof Query]: NonNullable<Query[Field]> }

/** Three digits: an estimate is not exact. */
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

/** Shows how much of the allotment is used and, dashed, how much will be; the sentence above it has the numbers. */
function AllotmentMeter({ used, allotment, projected }: Props) {
  const share = (value: number) => `${Math.min(allotment === 0 ? 1 : value / allotment, 1) * 100}%`
  return (
    <div className={classes.meter} aria-hidden="true">
      <div className={classes.expected} style={{ width: share(Math.max(projected, used)) }} />
      <div className={used >= allotment ? classes.full : classes.filled} style={{ width: share(used) }} data-drawn />
    </div>
  )
}
