import type { Hit } from '../../modules/search/hit.ts'
import { hitAnswer } from '../../modules/search/hit.ts'
import { maxHits, search } from '../../modules/search/read-search.ts'
import { builder } from '../builder.ts'
import { defineType } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'

const SearchHitType = defineType(hitAnswer)

const SearchType = builder.objectRef<Hit[]>('Search').implement({
  description: 'The results of a search, best first.',
  fields: (t) => ({
    hits: t.field({
      type: [SearchHitType],
      description: 'All results; there are no further pages.',
      complexity: { field: 1, multiplier: maxHits },
      resolve: (hits) => hits,
    }),
  }),
})

adjustRootField(search, { type: SearchType })
