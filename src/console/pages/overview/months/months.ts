import { mediaTypes, toHeader, toLines } from '../../../components/export/export-file.ts'
import { daysOfMonth, monthBefore } from '../../../components/text/calendar.ts'
import type { EvalMonthsQueryVariables, UsageOfMonthFragment } from '../../../generated/overview.ts'

/** The eleven months before the current one, as the variables of the query that reads twelve months. */
export function monthsBefore(today: string): EvalMonthsQueryVariables {
  const months = [today.slice(0, 7)]
  const before = () => {
    const month = monthBefore(months.at(-1) as string)
    months.push(month)
    return month
  }
  return {
    month1: before(),
    month2: before(),
    month3: before(),
    month4: before(),
    month5: before(),
    month6: before(),
    month7: before(),
    month8: before(),
    month9: before(),
    month10: before(),
    month11: before(),
  }
}

/** A CSV file with a line for each day up to today, oldest first, including days without evals. */
export function toCsv(months: readonly Pick<UsageOfMonthFragment, 'month' | 'days'>[], today: string): Blob {
  const columns = ['date', 'evals']
  const rows = months.toReversed().flatMap(({ month, days }) => {
    const used = new Map(days.map((day) => [day.date, day.used]))
    return daysOfMonth(month)
      .filter((date) => date <= today)
      .map((date) => ({ date, evals: used.get(date) ?? 0 }))
  })
  return new Blob([toHeader('csv', columns), toLines('csv', rows, columns)], { type: mediaTypes.csv })
}
