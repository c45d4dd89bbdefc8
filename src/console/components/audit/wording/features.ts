import { key, words } from '../sentence.ts'
import { changed } from './changes.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const one = ({ param }: EntryFacts) => words`feature ${key(param('key'))}`

export const featureWordings: Wordings = {
  'POST /org/features': {
    tried: () => words`create a feature`,
    did: ({ createdId }) => words`created feature ${key(createdId ?? '')}`,
  },
  'PATCH /org/features/{key}': {
    tried: (facts) => words`change ${one(facts)}`,
    did: (facts) => changed(one(facts), facts.details),
  },
  'DELETE /org/features/{key}': {
    tried: (facts) => words`delete ${one(facts)}`,
    did: (facts) => words`deleted ${one(facts)}`,
  },
}
