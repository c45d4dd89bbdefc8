const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** "3 hr. ago", "in 12 days"; "just now" within a minute. */
export function formatRelative(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return seconds > 0 ? 'in under a minute' : 'just now'
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
  return `${local.format(time)} (${timeZone}), ${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
