import { formatRelative } from '../text/format-time.ts'

/** An ISO timestamp; null is never, and '' an incomplete date. */
export type Expiry = string | null

const minuteMs = 60_000
const dayMs = 86_400_000

/** This many days from now, to the minute, as the input shows it. */
export function expiryIn(days: number, from: Date): string {
  return new Date(Math.ceil(from.getTime() / minuteMs) * minuteMs + days * dayMs).toISOString()
}

/** "2027-03-12T09:00" in the person's time zone, as a `datetime-local` input takes it. */
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

/** "Expires 12 March 2027, 09:00 (Berlin), 08:00 UTC, in 14 days". */
export function describeExpiry(expiry: Expiry, now: Date, timeZone = ownTimeZone()): string {
  if (expiry === null) return 'Never expires.'
  const time = new Date(expiry)
  if (Number.isNaN(time.getTime())) return 'Choose a date and a time.'
  const [local, utc] = [partsOf(time, timeZone), partsOf(time, 'UTC')]
  const there = ['UTC', 'Etc/UTC'].includes(timeZone)
    ? `${utc.date}, ${utc.clock} UTC`
    : `${local.date}, ${local.clock} (${cityOf(timeZone)}), ${describeUtc(local, utc)}`
  if (time <= now) return `Expired ${there}, ${formatRelative(time, now)}: it would have no effect.`
  return `Expires ${there}, ${formatRelative(time, now)}`
}

type Parts = { date: string; clock: string }

function partsOf(time: Date, timeZone: string): Parts {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone })
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone })
  return { date: date.format(time), clock: clock.format(time) }
}

/** Includes the date if it differs in UTC. */
function describeUtc(local: Parts, utc: Parts): string {
  return local.date === utc.date ? `${utc.clock} UTC` : `${utc.date}, ${utc.clock} UTC`
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** "Europe/Berlin" is Berlin. */
function cityOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
