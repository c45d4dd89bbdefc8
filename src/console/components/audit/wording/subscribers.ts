import { formatNumber } from '../../text/number.ts'
import { isSameJson } from '../../text/value.ts'
import { asChange, changeOf, type Details, isObject, toShownValue } from '../details.ts'
import { key, namePart, type Part, type Sentence, shown, words } from '../sentence.ts'
import { chooseVerb, describeFieldChanges, describeFromTo } from './changes.ts'
import { describeTerms } from './overrides.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const subscriber = ({ param }: EntryFacts) => words`subscriber ${key(param('subscriber_id'))}`
const id = ({ param }: EntryFacts) => key(param('subscriber_id'))

export const subscriberWordings: Wordings = {
  'POST /org/subscribers': {
    tried: () => words`create a subscriber`,
    did: ({ createdId, details }) =>
      words`created subscriber ${key(createdId ?? '')}${
        typeof details?.name === 'string' ? words`, ${namePart(details.name)}` : []
      }`,
  },
  // The import itself, or one of its lines.
  'POST /org/subscribers/import': {
    tried: () => words`import subscribers`,
    did: (facts) => (facts.param('subscriber_id') === '' ? describeImport(facts) : describeImportLine(facts)),
  },
  'PATCH /org/subscribers/{subscriber_id}': {
    tried: (facts) => words`change ${subscriber(facts)}`,
    did: (facts) => describeFieldChanges(subscriber(facts), facts.details),
  },
  'DELETE /org/subscribers/{subscriber_id}': {
    tried: (facts) => words`delete ${subscriber(facts)}`,
    did: (facts) => words`deleted ${subscriber(facts)} with its subscriptions and overrides`,
  },
  'POST /org/subscribers/{subscriber_id}/subscriptions': {
    tried: (facts) => words`subscribe ${id(facts)} to a plan`,
    did: (facts) => words`subscribed ${id(facts)} to plan ${planOf(facts)}`,
  },
  'POST /org/subscribers/{subscriber_id}/subscriptions/change': {
    tried: (facts) => words`change the plan of ${id(facts)}`,
    did: describeMove,
  },
  'POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel': {
    tried: (facts) => words`cancel the subscription of ${id(facts)}`,
    did: (facts) => words`canceled the subscription of ${id(facts)} to plan ${planOf(facts)}`,
  },
}

function describeImport({ details }: EntryFacts): Sentence {
  if (!details) return words`checked an import of subscribers`
  const { created, updated, unchanged, failed } = details as Record<string, number>
  const whom = `${formatNumber(Number(updated))} ${updated === 1 ? 'subscriber' : 'subscribers'}`
  const sharedChange = created === 0 && describeSharedChange(details.each, whom)
  if (sharedChange) return failed === 0 ? sharedChange : words`${sharedChange}; ${String(failed)} refused`
  return words`imported subscribers: ${`${created} created, ${updated} changed, ${unchanged} unchanged, ${failed} refused`}`
}

/** The one value that all lines set: "overrode limit `seats` for 312 subscribers: 5". Null if they set several values. */
function describeSharedChange(each: unknown, whom: Part): Sentence | null {
  if (!isObject(each) || Object.keys(each).length !== 1) return null
  if (each.plan_id === null) return words`canceled the plans of ${whom}`
  if (typeof each.plan_id === 'string') return words`moved ${whom} to plan ${key(each.plan_id)}`
  const [override, ...others] = isObject(each.overrides) ? Object.entries(each.overrides) : []
  return override && others.length === 0 ? describeOverride(override, whom) : null
}

function describeOverride([feature, to]: [feature: string, to: unknown], whom: Part): Sentence {
  if (!isObject(to)) return words`removed the override of ${key(feature)} for ${whom}`
  const note = typeof to.note === 'string' ? words`, ${namePart(to.note)}` : []
  return words`overrode ${String(to.kind)} ${key(feature)} for ${whom}${describeTerms(to)}${note}`
}

/** Describes a line of an import. Names a single change: "overrode limit `seats` for acme: 5, in an import". */
function describeImportLine(facts: EntryFacts): Sentence {
  if (facts.createdId !== null) return words`imported the new ${subscriber(facts)}`
  const { details } = facts
  const same =
    details && (describeReplacement(details, id(facts)) ?? describeSharedChange(toNewValues(details), id(facts)))
  return same ? words`${same}, in an import` : words`changed ${subscriber(facts)} in an import`
}

/** Describes the line's only change with both values. Null unless that change replaced or ended a plan or an override. */
function describeReplacement(details: Details, whom: Part): Sentence | null {
  const [[name, change] = [], ...others] = Object.entries(details)
  if (others.length > 0) return null
  const plan = name === 'plan_id' ? asChange(change) : null
  if (typeof plan?.from === 'string') {
    return typeof plan.to === 'string'
      ? words`moved ${whom} from plan ${key(plan.from)} to plan ${key(plan.to)}`
      : words`canceled the plan ${key(plan.from)} of ${whom}`
  }
  const [[feature = '', override] = [], ...more] =
    name === 'overrides' && isObject(change) ? Object.entries(change) : []
  const { from, to } = asChange(override) ?? {}
  const [before, after] = [toShownValue(from), toShownValue(to)]
  if (more.length > 0 || before === null) return null
  if (after === null) return words`removed the override of ${key(feature)} for ${whom}, which was ${shown(before)}`
  if (isSameJson(before, after)) return null
  return words`${chooseVerb(before, after)} the override of ${key(feature)} for ${whom}${describeFromTo(before, after)}`
}

function toNewValues(changes: Details): Details {
  const entries = Object.entries(changes).map(([name, change]) => {
    if (name === 'overrides' && isObject(change)) return [name, toNewValues(change)]
    return [name, asChange(change)?.to]
  })
  return Object.fromEntries(entries)
}

function planOf({ details }: EntryFacts): Sentence {
  return [key(String(details?.plan_id ?? ''))]
}

/** A change to the same plan starts a new subscription to it. */
function describeMove(facts: EntryFacts): Sentence {
  const move = facts.details && changeOf(facts.details, 'plan_id')
  if (!move) return words`renewed the subscription of ${id(facts)} on the same plan`
  return words`moved ${id(facts)} from plan ${key(String(move.from))} to plan ${key(String(move.to))}`
}
