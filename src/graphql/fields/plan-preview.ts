import { catalogPreviewAnswer, catalogRefusalAnswer } from '../../modules/catalog/preview-catalog.ts'
import {
  planPreviewAnswer,
  previewedChangeAnswer,
  previewPlanUpdate,
  previewProblemAnswer,
} from '../../modules/plans/preview-plan-update.ts'
import { toGraphqlDetail } from '../names.ts'
import { defineType } from '../output-type.ts'
import { CountType } from './counts.ts'
import { GrantType } from './plans.ts'

const PreviewedChangeType = defineType(previewedChangeAnswer, {
  except: ['from', 'to', 'hidden_by_override'],
  fields: (t) => ({
    from: t.field({
      type: GrantType,
      nullable: true,
      description: 'What the plan grants now, if anything.',
      resolve: ({ from }) => from,
    }),
    to: t.field({
      type: GrantType,
      nullable: true,
      description: 'What the plan would grant, if anything.',
      resolve: ({ to }) => to,
    }),
    hiddenByOverride: t.field({
      type: CountType,
      description:
        "How many of the plan's subscribers have a live override of the feature, and so would not be affected.",
      resolve: ({ hiddenByOverride }) => hiddenByOverride,
    }),
  }),
})

const PreviewProblemType = defineType(previewProblemAnswer)

defineType(planPreviewAnswer, {
  except: ['subscribers', 'changes', 'problems'],
  fields: (t) => ({
    subscribers: t.field({
      type: CountType,
      description: 'How many subscribers have the plan now.',
      resolve: ({ subscribers }) => subscribers,
    }),
    changes: t.field({
      type: [PreviewedChangeType],
      description: 'The changes, ordered by feature key. Grants that would be refused are left out.',
      resolve: ({ changes }) => changes,
    }),
    problems: t.field({
      type: [PreviewProblemType],
      description: 'The reasons why the update would be refused; empty if it would succeed.',
      resolve: ({ problems }) => problems.map((problem) => toGraphqlDetail(previewPlanUpdate.input.fields, problem)),
    }),
  }),
})

const CatalogRefusalType = defineType(catalogRefusalAnswer)

defineType(catalogPreviewAnswer, {
  except: ['refusals'],
  fields: (t) => ({
    refusals: t.field({
      type: [CatalogRefusalType],
      description: 'The refused changes; empty if all would succeed.',
      resolve: ({ refusals }) => refusals,
    }),
  }),
})
