import { type Hit, hitAnswer } from '../../modules/search/hit.ts'
import { maxHits, search } from '../../modules/search/read-search.ts'
import { builder } from '../builder.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { answerFields } from '../output-type.ts'

const SearchHitType = builder.objectRef<Hit>('SearchHit').implement({
  description: hitAnswer.description,
  fields: (t) => answerFields(t, hitAnswer),
})

const SearchType = builder.objectRef<Hit[]>('Search').implement({
  description: 'What a search found, the best first.',
  fields: (t) => ({
    hits: t.field({
      type: [SearchHitType],
      description: 'Without pages.',
      complexity: { field: 1, multiplier: maxHits },
      resolve: (hits) => hits,
    }),
  }),
})

builder.queryFields((t) => ({
  [search.name]: t.field({
    type: SearchType,
    description: search.summary,
    args: argsOf(search.input.fields),
    resolve: (_root, args, context) => context.run(search, withoutNulls(args)),
  }),
}))
