import { describeAction, type Names } from '../../components/audit/describe-entry.ts'
import { describeType, parseObject } from '../../components/audit/history-of.ts'
import type { AuditSearch } from './to-filter.ts'

export const outcomes: Record<NonNullable<AuditSearch['outcome']>, string> = {
  RESPONDED: 'answered',
  REJECTED: 'refused before it ran',
  NO_RESPONSE: 'answer lost',
  PENDING: 'never finished',
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A filter in words, for its chip: "by Ada", "plan pro", "since 12 Nov 2026". */
export function describeFilter(name: keyof AuditSearch, value: string, names: Names): string {
  switch (name) {
    case 'actor':
      return `by ${names.get(value) ?? value}`
    case 'object': {
      const of = parseObject(value)
      if (!of) return `${value} (unknown, not applied)`
      return of.id === undefined ? describeType(of.type) : `${describeType(of.type)} ${names.get(of.id) ?? of.id}`
    }
    case 'subscriber':
      return `everything of subscriber ${value}`
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
