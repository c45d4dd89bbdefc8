import { describeAction, wordings } from '../../components/audit/describe-entry.ts'
import { outcomes } from './describe-filter.ts'
import { type AuditSearch, dayBefore } from './to-filter.ts'

/** A filter that a person can choose: its text, and the search parameters that set it. */
export type Suggestion = { group: string; text: string; search: AuditSearch }

export type KnownObjects = {
  members: { memberId: string; displayName: string }[]
  features: { key: string; name: string }[]
  plans: { key: string; name: string }[]
  /** The server's search results for the typed text. */
  subscribers: { id: string; name: string | null }[]
}

const requestId = /^req_[0-9A-HJKMNP-TV-Z]{26}$/i
const memberId = /^[0-9A-HJKMNP-TV-Z]{26}$/i
export const maxPerGroup = 6

/** The filters that the typed text may mean, the likeliest first. */
export function suggest(typed: string, { members, features, plans, subscribers }: KnownObjects): Suggestion[] {
  const text = typed.trim()
  if (requestId.test(text))
    return [{ group: 'Request', text, search: { request: `req_${text.slice(4).toUpperCase()}` } }]
  const matches = toMatcher(text)
  const foundMembers = findMembers(members, text)
  const take = (suggestions: Suggestion[]) => suggestions.slice(0, maxPerGroup)

  return [
    ...take(foundMembers.map(suggestForMember)),
    ...take(
      plans.filter(({ key, name }) => matches('plan', key, name)).map(({ key }) => suggestForObject('Plan', key)),
    ),
    ...take(
      features
        .filter(({ key, name }) => matches('feature', key, name))
        .map(({ key }) => suggestForObject('Feature', key)),
    ),
    ...(matches('webhook') ? [{ group: 'Object', text: 'webhook', search: { object: 'webhook' } }] : []),
    ...subscribers.flatMap(suggestForSubscriber),
    // A deleted subscriber is still in the log, so offer the typed id.
    ...(text === '' || /\s/.test(text) || subscribers.some(({ id }) => id === text)
      ? []
      : suggestForSubscriber({ id: text })),
    // A removed member is still in the log too, so offer the typed member id.
    ...(memberId.test(text) && foundMembers.length === 0 ? [suggestForMemberId(text.toUpperCase())] : []),
    ...take(actions.filter((action) => matches(action.text))),
    ...outcomeSuggestions.filter((outcome) => matches('outcome', outcome.text)),
  ]
}

/** Returns a function that tells whether texts together contain all the words of the typed text. */
function toMatcher(typed: string): (...parts: string[]) => boolean {
  const words = typed.trim().toLowerCase().split(/\s+/)
  return (...parts) => words.every((word) => parts.join(' ').toLowerCase().includes(word))
}

/** The members whose name contains the typed text, or whose id it is. */
export function findMembers(members: KnownObjects['members'], typed: string): KnownObjects['members'] {
  const [matches, id] = [toMatcher(typed), typed.trim().toUpperCase()]
  return members.filter(({ memberId, displayName }) => matches('by', displayName) || memberId === id)
}

function suggestForMemberId(id: string): Suggestion {
  return { group: 'Who', text: `by member ${id}`, search: { actor: id } }
}

function suggestForMember({ memberId, displayName }: KnownObjects['members'][number]): Suggestion {
  return { group: 'Who', text: `by ${displayName}`, search: { actor: memberId } }
}

function suggestForObject(group: 'Plan' | 'Feature', key: string): Suggestion {
  const type = group.toLowerCase()
  return { group, text: `${type} ${key}`, search: { object: `${type}:${key}` } }
}

/** Suggests all entries about the subscriber, and those of the last 30 days: evidence about a customer often covers a month. */
function suggestForSubscriber({ id, name }: { id: string; name?: string | null }): Suggestion[] {
  const [group, words] = ['Subscriber', `${id}${name ? ` (${name})` : ''}`]
  const since = dayBefore(new Date(), 30)
  return [
    { group, text: `changes made directly to ${words}`, search: { subscriber: id } },
    { group, text: `the last 30 days of ${words}`, search: { subscriber: id, since } },
  ]
}

const actions: Suggestion[] = Object.keys(wordings).map((action) => ({
  group: 'Action',
  text: describeAction(action),
  search: { action },
}))

const outcomeSuggestions: Suggestion[] = Object.entries(outcomes).map(([outcome, text]) => ({
  group: 'Outcome',
  text,
  search: { outcome: outcome as NonNullable<AuditSearch['outcome']> },
}))
