import { VisuallyHidden } from '@mantine/core'
import { formatNumber } from '../../components/text/number.ts'
import { daysOfMonth, nameDay } from './calendar.ts'
import classes from './eval-section.module.css'
import type { Day, Usage } from './projection.ts'

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

type Props = { usage: Usage; expected: readonly Day[]; today: string; label: string }

/** A bar for each day of the month; the expected evals are dashed. Screen readers get a list. */
export function EvalDays({ usage, expected, today, label }: Props) {
  const used = new Map(usage.days.map((day) => [day.date, day.used]))
  const more = new Map(expected.map((day) => [day.date, day.used]))
  const dates = daysOfMonth(usage.month)
  const tallest = Math.max(1, ...dates.map((date) => (used.get(date) ?? 0) + (more.get(date) ?? 0)))
  const even = usage.allotment === null ? null : usage.allotment / dates.length
  // A line far above all bars would flatten them.
  const hasLine = even !== null && even > 0 && even <= tallest * 3
  const top = hasLine ? Math.max(tallest, even * 1.05) : tallest
  const height = (value: number) => `${(value / top) * 100}%`

  return (
    <div>
      <div className={classes.scale} aria-hidden="true">
        <span>{compact.format(Math.round(top))}</span>
        {hasLine && (
          <span className={classes.evenWords}>- - {compact.format(Math.round(even))} a day would last the month</span>
        )}
      </div>
      <div className={classes.plot}>
        {hasLine && <div className={classes.even} style={{ bottom: height(even) }} aria-hidden="true" />}
        <ol className={classes.days} aria-label={label}>
          {dates.map((date) => (
            <li key={date} className={classes.day} title={describe(date, used.get(date) ?? 0, more.get(date), today)}>
              <VisuallyHidden>{describe(date, used.get(date) ?? 0, more.get(date), today)}</VisuallyHidden>
              <span className={classes.more} style={{ height: height(more.get(date) ?? 0) }} hidden={!more.get(date)} />
              <span
                className={date === today ? `${classes.bar} ${classes.today}` : classes.bar}
                style={{ height: height(used.get(date) ?? 0) }}
                hidden={!used.get(date)}
                data-drawn
              />
            </li>
          ))}
        </ol>
      </div>
      <div className={classes.axis} aria-hidden="true">
        {dates.map((date, index) => (
          <span key={date}>{index % 7 === 0 ? Number(date.slice(8)) : ''}</span>
        ))}
      </div>
    </div>
  )
}

function describe(date: string, used: number, more: number | undefined, today: string): string {
  const day = nameDay(date)
  if (date > today) return more ? `${day}: about ${formatNumber(more)} expected` : `${day}: still to come`
  return date === today && more
    ? `${day}: ${formatNumber(used)} so far, about ${formatNumber(more)} more expected`
    : `${day}: ${formatNumber(used)}`
}
