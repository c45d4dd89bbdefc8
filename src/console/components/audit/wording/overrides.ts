import { changeOf, type Details, findValueChange, toShownValue } from '../details.ts'
import { key, type Sentence, shown, time, words } from '../sentence.ts'
import { chooseVerb, describeFromTo } from './changes.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const featureForSubscriber = ({ param }: EntryFacts) =>
  words`${key(param('feature_key'))} for ${key(param('subscriber_id'))}`

export const overrideWordings: Wordings = {
  'PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}': {
    tried: (facts) => words`override ${featureForSubscriber(facts)}`,
    did: describePut,
  },
  'DELETE /org/subscribers/{subscriber_id}/overrides/{feature_key}': {
    tried: (facts) => words`remove the override of ${featureForSubscriber(facts)}`,
    did: (facts) => words`removed the override of ${featureForSubscriber(facts)}`,
  },
}

function describePut(facts: EntryFacts): Sentence {
  const { details } = facts
  if (!details) return words`saved the override of ${featureForSubscriber(facts)} without changes`
  if (facts.createdId !== null) return describeNew(facts, details)
  const value = findValueChange(details)
  if (wasExpired(facts, details)) {
    const what = value ? words`: ${shown(value.to)}` : []
    return words`granted ${featureForSubscriber(facts)} again with an override${what}${describeEnd(details)}`
  }
  if (value) {
    const { from, to } = value
    return words`${chooseVerb(from, to)} the override of ${featureForSubscriber(facts)}${describeFromTo(from, to)}${describeEnd(details)}`
  }
  return (
    describeStart(facts, details) ??
    describeExpiry(facts, details) ??
    words`changed the note on the override of ${featureForSubscriber(facts)}`
  )
}

function describeNew(facts: EntryFacts, details: Details): Sentence {
  return words`overrode ${String(details.kind)} ${featureForSubscriber(facts)}${describeTerms(details)}`
}

/** The terms of a new override: ": 25, from …, until …". */
export function describeTerms(details: Details): Sentence {
  const value = toShownValue(details)
  const from = typeof details.starts_at === 'string' ? words`, from ${time(details.starts_at)}` : []
  const until = typeof details.expires_at === 'string' ? words`, until ${time(details.expires_at)}` : []
  return words`${value ? words`: ${shown(value)}` : []}${from}${until}`
}

/** ", until …": the new end of the override. Empty if the end did not change. */
function describeEnd(details: Details): Sentence {
  const change = changeOf(details, 'expires_at')
  if (!change) return []
  return typeof change.to === 'string' ? words`, until ${time(change.to)}` : words`, with no expiry`
}

/** Whether the override had expired, so that there was nothing left to extend or to change. */
function wasExpired({ at }: EntryFacts, details: Details): boolean {
  const change = changeOf(details, 'expires_at')
  return typeof change?.from === 'string' && new Date(change.from) <= at
}

/** Describes an entry that changed the start, but not the value. Null if the start did not change. */
function describeStart(facts: EntryFacts, details: Details): Sentence | null {
  const change = changeOf(details, 'starts_at')
  if (!change) return null
  const { to } = change
  if (typeof to !== 'string')
    return words`started the override of ${featureForSubscriber(facts)}${describeEnd(details)}`
  return words`set the override of ${featureForSubscriber(facts)} to start: ${time(to)}${describeEnd(details)}`
}

/** Describes an entry that changed only the expiry, and perhaps the note. Null if the expiry did not change. */
function describeExpiry(facts: EntryFacts, details: Details): Sentence | null {
  const change = changeOf(details, 'expires_at')
  if (!change) return null
  const { from, to } = change
  if (typeof to !== 'string') return words`made the override of ${featureForSubscriber(facts)} permanent`
  if (typeof from !== 'string') return words`set the override of ${featureForSubscriber(facts)} to expire: ${time(to)}`
  const verb = Date.parse(to) > Date.parse(from) ? 'extended' : 'shortened'
  return words`${verb} the override of ${featureForSubscriber(facts)} until ${time(to)}`
}
