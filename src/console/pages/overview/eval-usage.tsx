import { Skeleton } from '@mantine/core'
import { useOrganizationQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { EvalUsageDocument } from '../../generated/overview.ts'
import classes from './eval-usage.module.css'

const numbers = new Intl.NumberFormat('en')

export function EvalUsage() {
  const query = useOrganizationQuery(EvalUsageDocument, {})
  return (
    <Section title="Evals this month">
      <Loaded query={query} skeleton={<Skeleton height={44} />}>
        {({ evalUsage: { used, allotment, days } }) => (
          <>
            <p className={classes.total}>
              <strong>{numbers.format(used)}</strong>{' '}
              {allotment === null ? 'used, unlimited' : `of ${numbers.format(allotment)} used`}
            </p>
            {days.length > 0 && <Days days={days} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Days({ days }: { days: readonly { date: string; used: number }[] }) {
  const most = Math.max(...days.map(({ used }) => used))
  return (
    <ol className={classes.days} aria-label="Evals by day">
      {days.map(({ date, used }) => (
        <li key={date} className={classes.day}>
          <span>{date}</span>
          <span className={classes.bar} style={{ width: `${(used / most) * 100}%` }} />
          <span className={classes.count}>{numbers.format(used)}</span>
        </li>
      ))}
    </ol>
  )
}
