import { formatRelative } from '../text/format-time.ts'

/** An ISO timestamp, or '' for an incomplete date. As an end, null means never; as a start, it means now. */
export type Expiry = string | null

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** The time this many days after `from`, rounded up to a minute, because the input has no seconds. */
export function expiryIn(days: number, from: Date): string {
  return new Date(Math.ceil(from.getTime() / minuteMs) * minuteMs + days * dayMs).toISOString()
}

/** Moves the end of a period with its start, so that the length stays the same. A start of null means now. */
export function moveEnd(end: string, { before, after }: { before: Expiry; after: Expiry }): string {
  const [from = 0, to = 0] = [before, after].map((start) => (start ? Date.parse(start) : Date.now()))
  const lengthMs = Date.parse(end) - from
  // "14 days from now" was chosen a while after the form was opened, so round to whole days.
  const days = Math.round(lengthMs / dayMs)
  const isWholeDays = !before && days > 0 && Math.abs(lengthMs - days * dayMs) < hourMs
  const moved = to + (isWholeDays ? days * dayMs : lengthMs)
  return new Date(Math.round(moved / minuteMs) * minuteMs).toISOString()
}

/** The given hour of tomorrow or of the next given weekday (0 is Sunday), in the person's time zone. */
export function nextMorning(weekday: number | 'tomorrow', now: Date, hour = 9): string {
  const days = weekday === 'tomorrow' ? 1 : ((weekday - now.getDay() + 6) % 7) + 1
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).toISOString()
}

/** "2027-03-12T09:00" in the person's time zone, the format of a `datetime-local` input. */
export function toLocalInput(expiry: Expiry): string {
  if (!expiry) return ''
  const time = new Date(expiry)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

export function fromLocalInput(text: string): Expiry {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

/** Says which moment is meant if the person's clocks skip the local time in the input, or show it twice; null for other times. */
export function describeClockChange(text: string, moment: Expiry): string | null {
  if (!moment) return null
  const time = Date.parse(moment)
  const [typed, shown] = [text.slice(11, 16), clockAt(time)]
  if (typed !== shown) return `Clocks skip ${typed} that day, so ${shown} will be stored.`
  const minutesBehindUtc = (ms: number) => new Date(ms).getTimezoneOffset()
  const backMs = (minutesBehindUtc(time + dayMs) - minutesBehindUtc(time - dayMs)) * minuteMs
  if (backMs <= 0) return null
  if (clockAt(time + backMs) === shown) return `${shown} comes twice that day; the first will be stored.`
  return clockAt(time - backMs) === shown ? `${shown} comes twice that day; the second will be stored.` : null
}

/** "09:00" in the person's time zone. */
function clockAt(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 5)
}

/** "Expires 12 March 2027, 09:00 (Berlin), 08:00 UTC, in 14 days". */
export function describeExpiry(expiry: Expiry, now: Date, timeZone = ownTimeZone()): string {
  if (expiry === null) return 'Never expires.'
  const time = new Date(expiry)
  if (Number.isNaN(time.getTime())) return 'Choose a date and a time.'
  const there = `${describeTime(time, timeZone)}, ${formatRelative(time, now)}`
  return time <= now ? `Expired ${there}: it would have no effect.` : `Expires ${there}`
}

/** "Starts 12 March 2027, 09:00 (Berlin), 08:00 UTC, in 14 days". */
export function describeStart(start: Expiry, now: Date, timeZone = ownTimeZone()): string {
  if (start === null) return 'Starts now.'
  const time = new Date(start)
  if (Number.isNaN(time.getTime())) return 'Choose a date and a time.'
  if (time <= now) return 'Starts now, because that time has passed.'
  return `Starts ${describeTime(time, timeZone)}, ${formatRelative(time, now)}`
}

function describeTime(time: Date, timeZone: string): string {
  const [local, utc] = [toDateAndClock(time, timeZone), toDateAndClock(time, 'UTC')]
  return ['UTC', 'Etc/UTC'].includes(timeZone)
    ? `${utc.date}, ${utc.clock} UTC`
    : `${local.date}, ${local.clock} (${cityOf(timeZone)}), ${describeUtc(local, utc)}`
}

type DateAndClock = { date: string; clock: string }

function toDateAndClock(time: Date, timeZone: string): DateAndClock {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone })
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone })
  return { date: date.format(time), clock: clock.format(time) }
}

/** Includes the date if it differs in UTC. */
function describeUtc(local: DateAndClock, utc: DateAndClock): string {
  return local.date === utc.date ? `${utc.clock} UTC` : `${utc.date}, ${utc.clock} UTC`
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** "Berlin" for "Europe/Berlin". */
function cityOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
