import { key, words } from '../sentence.ts'
import { describeFieldChanges } from './changes.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const featureOf = ({ param }: EntryFacts) => words`feature ${key(param('key'))}`

export const featureWordings: Wordings = {
  'POST /org/features': {
    tried: () => words`create a feature`,
    did: ({ createdId }) => words`created feature ${key(createdId ?? '')}`,
  },
  'PATCH /org/features/{key}': {
    tried: (facts) => words`change ${featureOf(facts)}`,
    did: (facts) => describeFieldChanges(featureOf(facts), facts.details),
  },
  'DELETE /org/features/{key}': {
    tried: (facts) => words`delete ${featureOf(facts)}`,
    did: (facts) => words`deleted ${featureOf(facts)}`,
  },
}
