import { countAnswer } from '../../core/count.ts'
import { toCamelCase } from '../../core/names.ts'
import { countedNames, countsAnswer } from '../../modules/organizations/read-counts.ts'
import { defineType } from '../output-type.ts'

export const CountType = defineType(countAnswer)

defineType(countsAnswer, {
  except: countedNames,
  fields: (t) =>
    Object.fromEntries(
      countedNames.map((name) => [
        toCamelCase(name),
        t.field({
          type: CountType,
          nullable: true,
          description: 'Null if your role may not read these objects.',
          resolve: (counts) => counts[name],
        }),
      ]),
    ),
})
