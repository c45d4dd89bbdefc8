import { addDays, daysOfMonth } from '../../components/text/calendar.ts'

export type Day = { date: string; used: number }

export type Usage = { month: string; used: number; allotment: number | null; days: readonly Day[] }

type Projection = {
  /** The evals that are still expected today, and on each later day of the month. */
  expected: Day[]
  /** The evals that will have been used by the end of the month. */
  total: number
  /** The day on which the allotment will be used up; null if it lasts until the end of the month. */
  endsOn: string | null
}

const windowDays = 7

/**
 * Projects the month's evals from the last seven full days, or from fewer if the first evals were more recent.
 * Null if no full day has passed since then.
 */
export function projectMonth(usage: Usage, earlier: readonly Day[], today: string): Projection | null {
  const used = new Map([...earlier, ...usage.days].map((day) => [day.date, day.used]))
  const perDay = averagePerDay(used, today)
  if (perDay === null) return null

  const expected: Day[] = []
  let total = usage.used
  let endsOn: string | null = null
  for (const date of daysOfMonth(usage.month).filter((date) => date >= today)) {
    const more = Math.round(Math.max(perDay - (used.get(date) ?? 0), 0))
    total += more
    expected.push({ date, used: more })
    if (endsOn === null && usage.allotment !== null && total >= usage.allotment) endsOn = date
  }
  return { expected, total, endsOn }
}

function averagePerDay(used: ReadonlyMap<string, number>, today: string): number | null {
  const first = [...used.keys()].sort()[0] ?? today
  let [sum, count] = [0, 0]
  for (let back = 1; back <= windowDays; back++) {
    const date = addDays(today, -back)
    if (date < first) break
    sum += used.get(date) ?? 0
    count++
  }
  return count === 0 ? null : sum / count
}
