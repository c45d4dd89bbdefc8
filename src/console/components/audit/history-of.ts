import type { AuditEventFilter, AuditObjectType } from '../../generated/audit.ts'
import type { NamedObject } from './sentence.ts'

/** The subject of a history: one object, or a subscriber with its subscriptions and overrides. */
export type HistoryOf = { type: AuditObjectType; id?: string } | { subscriber: string }

/** The audit log's search parameters for a history. */
export type HistorySearch = { object?: string | undefined; subscriber?: string | undefined }

export function toHistorySearch(of: HistoryOf): HistorySearch {
  if ('subscriber' in of) return of
  const type = of.type.toLowerCase()
  return { object: of.id === undefined ? type : `${type}:${of.id}` }
}

const types: Record<AuditObjectType, string> = {
  FEATURE: 'feature',
  PLAN: 'plan',
  SUBSCRIBER: 'subscriber',
  SUBSCRIPTION: 'subscription',
  OVERRIDE: 'override',
  WEBHOOK: 'webhook',
  MEMBER: 'member',
  INVITE: 'invite',
  SERVICE_ACCOUNT: 'service account',
  API_KEY: 'key',
}

/** The type in words, such as "service account". */
export function describeType(type: AuditObjectType): string {
  return types[type]
}

/** The object, if people know it by a name; null if they know it by its id or key. */
export function toNamedObject(of: HistoryOf): NamedObject | null {
  if (!('type' in of) || of.id === undefined) return null
  const { type, id } = of
  return type === 'MEMBER' || type === 'SERVICE_ACCOUNT' || type === 'API_KEY' ? { type, id } : null
}

/** Parses an object from the page's address, such as "plan:pro". Null if the type is unknown or its id is missing. */
export function parseObject(text: string): { type: AuditObjectType; id?: string } | null {
  const at = text.indexOf(':')
  const word = (at === -1 ? text : text.slice(0, at)).toUpperCase()
  const type = (Object.keys(types) as AuditObjectType[]).find((each) => each === word)
  if (!type) return null
  if (type === 'WEBHOOK') return { type }
  return at === -1 || at === text.length - 1 ? null : { type, id: text.slice(at + 1) }
}

export function toHistoryFilter(of: HistoryOf): AuditEventFilter {
  if ('subscriber' in of) return { ...toSubscriberFilter(of.subscriber), changed: true }
  const object = of.id === undefined ? { type: of.type } : { type: of.type, id: of.id }
  return of.type === 'SERVICE_ACCOUNT' ? { object, withParts: true, changed: true } : { object }
}

/** Filters the requests about a subscriber, its subscriptions and its overrides, including those that changed nothing. */
export function toSubscriberFilter(subscriberId: string): AuditEventFilter {
  return { object: { type: 'SUBSCRIBER', id: subscriberId }, withParts: true }
}
