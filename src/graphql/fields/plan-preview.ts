import type { FieldError } from '../../core/errors.ts'
import {
  type PlanPreview,
  type PreviewedChange,
  planPreviewAnswer,
  previewedChangeAnswer,
  previewPlanUpdate,
  previewProblemAnswer,
} from '../../modules/plans/preview-plan-update.ts'
import { builder } from '../builder.ts'
import { inputArgs } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { CountType } from './counts.ts'
import { GrantType } from './plans.ts'

const PreviewedChangeType = builder.objectRef<PreviewedChange>('PreviewedChange').implement({
  description: previewedChangeAnswer.description,
  fields: (t) => ({
    ...answerFields(t, previewedChangeAnswer, { except: ['from', 'to', 'hidden_by_override'] }),
    from: t.field({
      type: GrantType,
      nullable: true,
      description: 'What the plan grants now, if it does.',
      resolve: ({ from }) => from,
    }),
    to: t.field({
      type: GrantType,
      nullable: true,
      description: 'What it would grant, if it would.',
      resolve: ({ to }) => to,
    }),
    hiddenByOverride: t.field({
      type: CountType,
      description: 'How many of its subscribers have a live override, and so would notice nothing.',
      resolve: ({ hiddenByOverride }) => hiddenByOverride,
    }),
  }),
})

const PreviewProblemType = builder.objectRef<FieldError>('PreviewProblem').implement({
  description: previewProblemAnswer.description,
  fields: (t) => answerFields(t, previewProblemAnswer),
})

const PlanPreviewType = builder.objectRef<PlanPreview>('PlanPreview').implement({
  description: planPreviewAnswer.description,
  fields: (t) => ({
    subscribers: t.field({
      type: CountType,
      description: 'How many subscribers have the plan now.',
      resolve: ({ subscribers }) => subscribers,
    }),
    changes: t.field({
      type: [PreviewedChangeType],
      description: 'By feature key; without grants that would be refused.',
      resolve: ({ changes }) => changes,
    }),
    problems: t.field({
      type: [PreviewProblemType],
      description: 'Empty when the update would succeed.',
      resolve: ({ problems }) => problems,
    }),
  }),
})

builder.queryFields((t) => ({
  [previewPlanUpdate.name]: t.field({
    type: PlanPreviewType,
    description: previewPlanUpdate.summary,
    args: inputArgs(previewPlanUpdate),
    resolve: (_root, { input = {} }: { input?: unknown }, context) => context.run(previewPlanUpdate, input as object),
  }),
}))
