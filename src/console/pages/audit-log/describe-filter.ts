import { describeAction } from '../../components/audit/describe-entry.ts'
import { describeType, parseObject, toNamedObject } from '../../components/audit/history-of.ts'
import { describeUnnamedObject, type NamedObject } from '../../components/audit/sentence.ts'
import { shortenKey } from '../../components/text/shorten.ts'
import type { AuditSearch } from './to-filter.ts'

export const outcomes: Record<NonNullable<AuditSearch['outcome']>, string> = {
  RESPONDED: 'answered',
  REJECTED: 'refused before it ran',
  NO_RESPONSE: 'answer lost',
  PENDING: 'never finished',
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** The member, service account or key that a filter names by its id; null for other filters. */
export function namedObjectOf(name: keyof AuditSearch, value: string): NamedObject | null {
  if (name === 'actor') return { type: 'MEMBER', id: value }
  const of = name === 'object' ? parseObject(value) : null
  return of && toNamedObject(of)
}

/**
 * A filter in words, for its chip: "by Ada", "plan pro", "since 12 Nov 2026". `known` is the name of the object whose id the
 * filter has, or null if the name is unknown.
 */
export function describeFilter(name: keyof AuditSearch, value: string, known: string | null): string {
  switch (name) {
    case 'actor':
      return `by ${known ?? describeUnnamedObject({ type: 'MEMBER', id: value })}`
    case 'object': {
      const of = parseObject(value)
      if (!of) return `${value} (unknown, not applied)`
      return of.id === undefined ? describeType(of.type) : `${describeType(of.type)} ${known ?? shortenKey(of.id)}`
    }
    case 'subscriber':
      return `made directly to subscriber ${value}`
    case 'action':
      return describeAction(value)
    case 'request':
      return `request ${value}`
    case 'outcome':
      return outcomes[value as keyof typeof outcomes]
    case 'since':
    case 'until':
      return `${name} ${describeDay(value)}`
    default:
      return value
  }
}

function describeDay(day: string): string {
  const time = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(time.getTime()) ? day : days.format(time)
}
