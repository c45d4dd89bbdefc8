import { changeOf } from '../details.ts'
import { key, named, type Sentence, words } from '../sentence.ts'
import { changed } from './changes.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const subscriber = ({ param }: EntryFacts) => words`subscriber ${key(param('subscriber_id'))}`
const id = ({ param }: EntryFacts) => key(param('subscriber_id'))

export const subscriberWordings: Wordings = {
  'POST /org/subscribers': {
    tried: () => words`create a subscriber`,
    did: ({ createdId, details }) =>
      words`created subscriber ${key(createdId ?? '')}${
        typeof details?.name === 'string' ? words`, ${named(details.name)}` : []
      }`,
  },
  // The import itself, or one of its lines.
  'POST /org/subscribers/import': {
    tried: () => words`import subscribers`,
    did: (facts) => (facts.param('subscriber_id') === '' ? describeImport(facts) : describeLine(facts)),
  },
  'PATCH /org/subscribers/{subscriber_id}': {
    tried: (facts) => words`change ${subscriber(facts)}`,
    did: (facts) => changed(subscriber(facts), facts.details),
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
  const { created, updated, unchanged, failed } = details
  return words`imported subscribers: ${`${created} created, ${updated} changed, ${unchanged} unchanged, ${failed} refused`}`
}

function describeLine(facts: EntryFacts): Sentence {
  if (facts.createdId !== null) return words`imported the new ${subscriber(facts)}`
  return words`changed ${subscriber(facts)} in an import`
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
