import { BarChart } from '../../components/chart/bar-chart.tsx'
import { daysOfMonth, formatUtcDay } from '../../components/text/calendar.ts'
import { formatNumber } from '../../components/text/number.ts'
import type { Day, Usage } from './projection.ts'

type Props = { usage: Usage; expected: readonly Day[]; today: string; label: string }

/** A bar for each day of the month; expected evals are dashed. */
export function EvalDays({ usage, expected, today, label }: Props) {
  const used = new Map(usage.days.map((day) => [day.date, day.used]))
  const expectedByDate = new Map(expected.map((day) => [day.date, day.used]))
  const dates = daysOfMonth(usage.month)
  const meanPerDay = usage.allotment === null ? null : usage.allotment / dates.length
  return (
    <BarChart
      label={label}
      line={meanPerDay === null ? null : { value: meanPerDay, words: (value) => `${value} a day would last the month` }}
      bars={dates.map((date, index) => ({
        name: formatUtcDay(date),
        words: describe(date, used.get(date) ?? 0, expectedByDate.get(date), today),
        parts: [
          { value: used.get(date) ?? 0, look: date === today ? 'today' : 'filled' },
          { value: expectedByDate.get(date) ?? 0, look: 'dashed' },
        ],
        tick: index % 7 === 0 ? String(index + 1) : '',
      }))}
    />
  )
}

function describe(date: string, used: number, more: number | undefined, today: string): string {
  if (date > today) return more ? `about ${formatNumber(more)} expected` : 'still to come'
  return date === today && more
    ? `${formatNumber(used)} so far, about ${formatNumber(more)} more expected`
    : formatNumber(used)
}
