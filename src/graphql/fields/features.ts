import { createFeature } from '../../modules/features/create-feature.ts'
import { deleteFeature } from '../../modules/features/delete-feature.ts'
import { featureAnswer } from '../../modules/features/feature.ts'
import { listFeatures, readFeature } from '../../modules/features/read-features.ts'
import { updateFeature } from '../../modules/features/update-feature.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'

export const FeatureType = builder.prismaObject('Feature', {
  description: featureAnswer.description,
  fields: (t) => answerFields(t, featureAnswer),
})

builder.queryFields((t) => ({
  [listFeatures.name]: t.field({
    type: [FeatureType],
    description: listFeatures.summary,
    resolve: (_root, _args, context) => context.run(listFeatures),
  }),
  [readFeature.name]: t.field({
    type: FeatureType,
    description: readFeature.summary,
    args: { key: t.arg.id({ required: true }) },
    resolve: (_root, { key }, context) => context.run(readFeature, { key }),
  }),
}))

defineMutation(createFeature, {
  type: FeatureType,
})

defineMutation(updateFeature, {
  type: FeatureType,
  note: 'Leaves what is not given. An option in use cannot be removed.',
})

defineMutation(deleteFeature, {
  type: 'ID',
  note: 'Answers the key that is gone.',
})
