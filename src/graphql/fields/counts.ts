import { type Count, countAnswer } from '../../core/count.ts'
import { toCamelCase } from '../../core/names.ts'
import { type Counts, countedNames, countsAnswer, readCounts } from '../../modules/organizations/read-counts.ts'
import { builder } from '../builder.ts'
import { answerFields } from '../output-type.ts'

export const CountType = builder.objectRef<Count>('Count').implement({
  description: countAnswer.description,
  fields: (t) => answerFields(t, countAnswer),
})

const CountsType = builder.objectRef<Counts>('Counts').implement({
  description: countsAnswer.description,
  fields: (t) =>
    Object.fromEntries(
      countedNames.map((name) => [
        toCamelCase(name),
        t.field({
          type: CountType,
          nullable: true,
          description: 'Null without the label to read them.',
          resolve: (counts) => counts[name],
        }),
      ]),
    ),
})

builder.queryFields((t) => ({
  [readCounts.name]: t.field({
    type: CountsType,
    description: readCounts.summary,
    resolve: (_root, _args, context) => context.run(readCounts),
  }),
}))
