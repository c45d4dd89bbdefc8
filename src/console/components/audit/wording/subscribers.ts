import { changeOf } from '../details.ts'
import { key, named, type Sentence, words } from '../sentence.ts'
import { changed } from './changes.ts'
import type { Told, Wordings } from './wording.ts'

const subscriber = ({ param }: Told) => words`subscriber ${key(param('subscriber_id'))}`
const id = ({ param }: Told) => key(param('subscriber_id'))

export const subscriberWordings: Wordings = {
  'POST /org/subscribers': {
    tried: () => words`create a subscriber`,
    did: ({ createdId, details }) =>
      words`created subscriber ${key(createdId ?? '')}${
        typeof details?.name === 'string' ? words`, ${named(details.name)}` : []
      }`,
  },
  // The request itself, or one of its lines.
  'POST /org/subscribers/import': {
    tried: () => words`import subscribers`,
    did: (told) => (told.param('subscriber_id') === '' ? describeImport(told) : describeLine(told)),
  },
  'PATCH /org/subscribers/{subscriber_id}': {
    tried: (told) => words`change ${subscriber(told)}`,
    did: (told) => changed(subscriber(told), told.details),
  },
  'DELETE /org/subscribers/{subscriber_id}': {
    tried: (told) => words`delete ${subscriber(told)}`,
    did: (told) => words`deleted ${subscriber(told)} with its subscriptions and overrides`,
  },
  'POST /org/subscribers/{subscriber_id}/subscriptions': {
    tried: (told) => words`subscribe ${id(told)} to a plan`,
    did: (told) => words`subscribed ${id(told)} to plan ${planOf(told)}`,
  },
  'POST /org/subscribers/{subscriber_id}/subscriptions/change': {
    tried: (told) => words`change the plan of ${id(told)}`,
    did: describeMove,
  },
  'POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel': {
    tried: (told) => words`cancel the subscription of ${id(told)}`,
    did: (told) => words`canceled the subscription of ${id(told)} to plan ${planOf(told)}`,
  },
}

function describeImport({ details }: Told): Sentence {
  if (!details) return words`tried out an import of subscribers`
  const { created, updated, unchanged, failed } = details
  return words`imported subscribers: ${`${created} created, ${updated} changed, ${unchanged} unchanged, ${failed} refused`}`
}

function describeLine(told: Told): Sentence {
  if (told.createdId !== null) return words`imported the new ${subscriber(told)}`
  return words`changed ${subscriber(told)} by an import`
}

function planOf({ details }: Told): Sentence {
  return [key(String(details?.plan_id ?? ''))]
}

/** A change to the same plan begins a new subscription to it. */
function describeMove(told: Told): Sentence {
  const move = told.details && changeOf(told.details, 'plan_id')
  if (!move) return words`renewed the subscription of ${id(told)} on the same plan`
  return words`moved ${id(told)} from plan ${key(String(move.from))} to plan ${key(String(move.to))}`
}
