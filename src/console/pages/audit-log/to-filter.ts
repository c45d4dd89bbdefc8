import { parseObject, toHistoryFilter, toSubscriberFilter } from '../../components/audit/history-of.ts'
import type { AuditEventFilter, AuditMethod, AuditOutcome } from '../../generated/audit.ts'

/** The filters in the page's address. */
export type AuditSearch = {
  actor?: string | undefined
  object?: string | undefined
  subscriber?: string | undefined
  action?: string | undefined
  request?: string | undefined
  outcome?: AuditOutcome | undefined
  since?: string | undefined
  until?: string | undefined
  all?: true | undefined
}

/** Converts the filters in the page's address to the API's filter. Invalid ones are left out. */
export function toFilter(search: AuditSearch): AuditEventFilter {
  const { actor, object, subscriber, action, request, outcome } = search
  const of = object ? parseObject(object) : null
  const [method, route] = action?.split(' ') ?? []
  return {
    ...(of ? toHistoryFilter(of) : subscriber && toSubscriberFilter(subscriber)),
    // The API's filter has only one object, so the subscriber is filtered by the parameter of the request's path.
    ...(of && subscriber && { params: [{ name: 'subscriber_id', value: subscriber }] }),
    ...(actor && { actorMemberId: actor }),
    ...(method && route && { method: method as AuditMethod, route }),
    ...(request && { requestId: request }),
    ...(outcome && { outcome }),
    ...toPeriod(search),
    ...(showsChangesOnly(search) && { changed: true }),
    // The list shows an import as one entry, whose details have its lines. A filter by object, subscriber or request
    // finds the lines themselves.
    ...(!search.object && !subscriber && !request && { lines: false }),
  }
}

/** The period from the start of the first day to the end of the last day. */
export function toPeriod({ since, until }: AuditSearch): { occurredAfter?: string; occurredBefore?: string } {
  const [after, before] = [startOfDay(since), startOfDay(until, 1)]
  return { ...(after && { occurredAfter: after }), ...(before && { occurredBefore: before }) }
}

/** Whether entries that changed nothing may be hidden: a filter by outcome, request or action shows them, too. */
export function mayShowChangesOnly({ action, request, outcome }: AuditSearch): boolean {
  return !action && !request && !outcome
}

export function showsChangesOnly(search: AuditSearch): boolean {
  return mayShowChangesOnly(search) && !search.all
}

/** The start of the day that is `later` days after `day`, in the person's time zone; null if `day` is invalid. */
function startOfDay(day: string | undefined, later = 0): string | null {
  const [year, month, date] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(day ?? '')
      ?.slice(1)
      .map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return null
  const time = new Date(year, month - 1, date + later)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** The day that is `days` days before `now`, in the format "2026-11-22". */
export function dayBefore(now: Date, days: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}
