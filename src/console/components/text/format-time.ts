const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const numeric = new Intl.RelativeTimeFormat('en')
/** Says "tomorrow" and "yesterday". */
const withDayNames = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dayMs = 86_400_000

/** Units that nearly every row of a log shows, so they are abbreviated. */
const unitAbbreviations: Partial<Record<Intl.RelativeTimeFormatUnit, string>> = { hour: 'h', minute: 'min' }

/** Seconds that are added to a future time, so that "in 14 days" does not become "in 13 days" at once. */
const roundUpSeconds = 60

/** The server's clock may be this many seconds ahead of the browser's, so such a time is shown as "just now". */
const clockSkewSeconds = 5

/** "3 h ago", "in 12 days"; "just now" for the last minute. */
export function formatRelative(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000
  if (seconds > clockSkewSeconds && seconds < roundUpSeconds) return 'in under a minute'
  const counted = seconds > clockSkewSeconds ? seconds + roundUpSeconds : seconds
  for (const [unit, length] of units) {
    const count = Math.trunc(counted / length)
    if (count === 0) continue
    if (unitAbbreviations[unit]) return abbreviate(count, unitAbbreviations[unit])
    return unit === 'day' && Math.abs(count) === 1
      ? withDayNames.format(midnightsBetween(now, time), 'day')
      : numeric.format(count, unit)
  }
  return 'just now'
}

/** Counts calendar days: a time that is 47 hours ahead may be on the day after tomorrow, and is not "tomorrow" then. */
function midnightsBetween(now: Date, time: Date): number {
  const [today = 0, day = 0] = [now, time].map((each) => new Date(each).setHours(0, 0, 0, 0))
  return Math.round((day - today) / dayMs)
}

function abbreviate(count: number, sign: string): string {
  return count < 0 ? `${-count} ${sign} ago` : `in ${count} ${sign}`
}

const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const localShort = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** "12 Mar 2027, 09:00" in the person's time zone. */
export function formatLocal(time: Date): string {
  return localShort.format(time)
}

/** Both exact times: "12 Mar 2027, 09:00:05 (Europe/Berlin), 2027-03-12 08:00:05 UTC". */
export function formatExact(time: Date): string {
  const { timeZone } = local.resolvedOptions()
  return `${local.format(time)} (${timeZone}), ${formatUtc(time)}`
}

/** "2027-03-12 08:00:05 UTC". */
export function formatUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** "12 March" within a sentence, with the year unless it is this year. */
export function formatDay(time: Date, now: Date): string {
  return time.getFullYear() === now.getFullYear() ? day.format(time) : dayOfYear.format(time)
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })
const weekMs = 7 * 86_400_000

/** "today at 20:20", "on Monday at 09:00" within a week, "on 12 March at 09:00". */
export function formatFutureTime(time: Date, now: Date): string {
  const at = `at ${clock.format(time)}`
  if (time.toDateString() === now.toDateString()) return `today ${at}`
  const isThisWeek = time > now && time.getTime() - now.getTime() < weekMs && time.getDay() !== now.getDay()
  return `on ${isThisWeek ? weekday.format(time) : formatDay(time, now)} ${at}`
}

/** "since 20:20 (3 min ago)" today, "since yesterday", "since 12 March". */
export function formatSince(time: Date, now: Date): string {
  const isOn = (day: Date) => time.toDateString() === day.toDateString()
  if (isOn(now)) return `since ${clock.format(time)} (${formatRelative(time, now)})`
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return `since ${isOn(yesterday) ? 'yesterday' : formatDay(time, now)}`
}

/** "12 March 2027": always with the year, for text that is read later. */
export function formatDate(time: Date): string {
  return dayOfYear.format(time)
}
