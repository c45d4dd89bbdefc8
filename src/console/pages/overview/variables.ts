import { monthBefore } from '../../components/text/calendar.ts'

/*
 * The variables of the overview's reads. Times are rounded, so that all sections share one read, and it is not repeated each
 * second.
 */

const minuteMs = 60_000
const hourMs = 3_600_000
const windowMs = 7 * 24 * hourMs

/** An event is late if it still waits this long after it was due. */
export const lateAfterMs = 2 * minuteMs

export function usageVariables(now: Date) {
  return { previous: monthBefore(now.toISOString().slice(0, 7)) }
}

export function deliveryVariables(now: Date) {
  const late = Math.floor((now.getTime() - lateAfterMs) / minuteMs) * minuteMs
  return { occurredBefore: new Date(late).toISOString() }
}

/** Overrides that end within a week. */
export function expiringVariables(now: Date) {
  return { expiresBefore: new Date(Math.ceil(now.getTime() / hourMs) * hourMs + windowMs).toISOString() }
}

export const shownChanges = 8

/** Reads more entries than are shown, because the parts of an import are shown as one entry. */
export const changesVariables = { filter: { changed: true, lines: false }, first: 4 * shownChanges }
