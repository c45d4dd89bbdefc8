import { key, words } from '../sentence.ts'
import { changed } from './changes.ts'
import type { Told, Wordings } from './wording.ts'

const one = ({ param }: Told) => words`feature ${key(param('key'))}`

export const featureWordings: Wordings = {
  'POST /org/features': {
    tried: () => words`create a feature`,
    did: ({ createdId }) => words`created feature ${key(createdId ?? '')}`,
  },
  'PATCH /org/features/{key}': {
    tried: (told) => words`change ${one(told)}`,
    did: (told) => changed(one(told), told.details),
  },
  'DELETE /org/features/{key}': {
    tried: (told) => words`delete ${one(told)}`,
    did: (told) => words`deleted ${one(told)}`,
  },
}
