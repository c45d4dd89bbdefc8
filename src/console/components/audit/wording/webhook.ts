import { changeOf } from '../details.ts'
import { key, type Sentence, words } from '../sentence.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const event = ({ param }: EntryFacts) => words`event ${key(param('event_id'))}`

export const webhookWordings: Wordings = {
  'PUT /org/webhook': {
    tried: () => words`change the webhook`,
    did: describePut,
  },
  'DELETE /org/webhook': {
    tried: () => words`delete the webhook`,
    did: () => words`deleted the webhook with its events`,
  },
  'POST /org/webhook/rotate': {
    tried: () => words`rotate the secret of the webhook`,
    did: () => words`rotated the secret of the webhook`,
  },
  'POST /org/webhook/disable': {
    tried: () => words`pause deliveries`,
    did: ({ details }) => (details ? words`paused deliveries` : words`paused deliveries, which were already paused`),
  },
  'POST /org/webhook/enable': {
    tried: () => words`resume deliveries`,
    did: ({ details }) => (details ? words`resumed deliveries` : words`resumed deliveries, which were not paused`),
  },
  'POST /org/webhook/test': {
    tried: () => words`send a test event`,
    did: () => words`sent a test event`,
  },
  'POST /org/webhook/events/{event_id}/resend': {
    tried: (facts) => words`send ${event(facts)} again`,
    did: (facts) => words`sent ${event(facts)} again`,
  },
  'POST /org/webhook/events/resend': {
    tried: () => words`send failed events again`,
    did: ({ details }) => words`sent ${String(details?.resent ?? 0)} failed events again`,
  },
  'POST /org/webhook/events/{event_id}/retry': {
    tried: (facts) => words`retry ${event(facts)} now`,
    did: (facts) => words`retried ${event(facts)} before it was due`,
  },
}

function describePut({ details }: EntryFacts): Sentence {
  if (!details) return words`saved the webhook without changes`
  if (typeof details.url === 'string') return words`connected the webhook to ${key(details.url)}`
  const address = changeOf(details, 'url')
  const resumed = 'disabled' in details
  if (!address) return words`resumed deliveries by saving the webhook`
  const moved = words`moved the webhook from ${key(String(address.from))} to ${key(String(address.to))}`
  return resumed ? words`${moved} and resumed deliveries` : moved
}
