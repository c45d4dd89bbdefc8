import type { AuditEntry } from './describe-entry.ts'
import { describeType, type HistoryOf, toNamedObject } from './history-of.ts'

/** The object of a request: a text that names it, its history, and its page if it has one. */
export type AuditTarget = {
  text: string
  of: HistoryOf
  page: { to: string; params?: Record<string, string> } | null
}

/** Finds the object of an entry. Null if the entry has none, such as the entry of a sign-in. */
export function findTarget({
  route,
  params,
  createdId,
}: Pick<AuditEntry, 'route' | 'params' | 'createdId'>): AuditTarget | null {
  const [, root, noun] = route.split('/')
  if (root !== 'org' || noun === undefined) return null
  const values = new Map(params.map(({ name, value }) => [name, value]))
  const idOf = (name: string) => values.get(name) ?? createdId
  switch (noun) {
    case 'features':
      return toObjectTarget('feature', 'FEATURE', idOf('key'), (featureKey) => ({
        to: 'features/$featureKey',
        params: { featureKey },
      }))
    case 'plans':
      return toObjectTarget('plan', 'PLAN', idOf('key'), (planKey) => ({ to: 'plans/$planKey', params: { planKey } }))
    case 'subscribers':
      return findSubscriberTarget(idOf('subscriber_id'), values.get('feature_key'))
    case 'webhook':
      return { text: 'webhook', of: { type: 'WEBHOOK' }, page: { to: 'webhook' } }
    case 'members':
      return toObjectTarget('member', 'MEMBER', idOf('member_id'), (memberId) => ({
        to: 'team/members/$memberId',
        params: { memberId },
      }))
    case 'service-accounts':
      return toObjectTarget('service account', 'SERVICE_ACCOUNT', idOf('service_account_id'), (serviceAccountId) => ({
        to: 'team/service-accounts/$serviceAccountId',
        params: { serviceAccountId },
      }))
    case 'invites':
      return toObjectTarget('invite', 'INVITE', idOf('invite_id'), () => ({ to: 'team' }))
    default:
      return null
  }
}

/** The target with the name of a member or service account instead of its id, if known. */
export function withName(target: AuditTarget, name: string | null): AuditTarget {
  const what = toNamedObject(target.of)
  return what && name !== null ? { ...target, text: `${describeType(what.type)} ${name}` } : target
}

type ObjectType = Extract<HistoryOf, { type: unknown }>['type']

function toObjectTarget(
  word: string,
  type: ObjectType,
  id: string | null,
  page: (id: string) => AuditTarget['page'],
): AuditTarget | null {
  return id === null ? null : { text: `${word} ${id}`, of: { type, id }, page: page(id) }
}

function findSubscriberTarget(subscriberId: string | null, feature: string | undefined): AuditTarget | null {
  if (subscriberId === null) return null
  const page = { to: 'subscribers/$subscriberId', params: { subscriberId } }
  if (feature === undefined) return { text: `subscriber ${subscriberId}`, of: { subscriber: subscriberId }, page }
  const of = { type: 'OVERRIDE', id: `${subscriberId}/${feature}` } as const
  return { text: `override of ${feature} for ${subscriberId}`, of, page }
}
