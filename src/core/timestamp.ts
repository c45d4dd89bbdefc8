const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * The instant of an RFC 3339 timestamp, truncated to milliseconds; null when it has another format, names a date that does
 * not exist, or is outside the years 1 to 9999. Second 60 and hour 24 are invalid.
 */
export function parseTimestamp(text: string): Date | null {
  const match = rfc3339.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null

  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  local.setUTCHours(hour, minute, second, milliseconds)
  const offsetMinutes = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const instant = new Date(local.getTime() - offsetMinutes * 60_000)
  const utcYear = instant.getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? instant : null
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

/** The `updated_at` of a changed row: now, but always later than before, so that two states never have the same value. */
export function nextUpdatedAt(row: { updatedAt: Date }, now: Date): Date {
  return new Date(Math.max(now.getTime(), row.updatedAt.getTime() + 1))
}
