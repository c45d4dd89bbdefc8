/* Days and months in UTC as the server writes them: 2026-11-21 and 2026-11. */

const dayMs = 86_400_000

/** The day this many days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

export function daysOfMonth(month: string): string[] {
  const days: string[] = []
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) days.push(day)
  return days
}

export function monthBefore(month: string): string {
  return addDays(`${month}-01`, -1).slice(0, 7)
}

export function monthAfter(month: string): string {
  return addDays(daysOfMonth(month).at(-1) as string, 1).slice(0, 7)
}

const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

export function formatMonth(month: string): string {
  return monthName.format(new Date(`${month}-01T00:00:00Z`))
}

/** "21 November". */
export function formatUtcDay(date: string): string {
  return dayName.format(new Date(`${date}T00:00:00Z`))
}
