import { createFeature } from '../../modules/features/create-feature.ts'
import { deleteFeature } from '../../modules/features/delete-feature.ts'
import { featureKinds, valueTypes } from '../../modules/features/feature.ts'
import { listFeatures, readFeature } from '../../modules/features/read-features.ts'
import { updateFeature } from '../../modules/features/update-feature.ts'
import { builder, defineEnum } from '../builder.ts'
import { defineMutation } from '../mutation.ts'

export const FeatureKindEnum = defineEnum(
  'FeatureKind',
  featureKinds,
  'FLAG is on or off, LIMIT is a cap that may be unlimited, CONFIG is a typed value.',
)
export const ValueTypeEnum = defineEnum('ValueType', valueTypes, 'What a config feature holds.')

export const FeatureType = builder.prismaObject('Feature', {
  description: "Something in the vendor's product that plans grant.",
  fields: (t) => ({
    key: t.exposeID('key', { description: 'Unique in the organization; never changes.' }),
    name: t.exposeString('name'),
    description: t.exposeString('description', { description: 'Empty when none was set.' }),
    kind: t.field({ type: FeatureKindEnum, description: 'Never changes.', resolve: ({ kind }) => kind }),
    valueType: t.field({
      type: ValueTypeEnum,
      nullable: true,
      description: 'Of config features alone; never changes.',
      resolve: ({ valueType }) => valueType,
    }),
    options: t.field({
      type: ['String'],
      nullable: true,
      description: 'The values to choose from, in display order; of value type ENUM alone.',
      resolve: ({ valueType, options }) => (valueType === 'enum' ? options : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  [listFeatures.name]: t.field({
    type: [FeatureType],
    description: 'The whole catalog, newest first.',
    resolve: (_root, _args, context) => context.run(listFeatures),
  }),
  [readFeature.name]: t.field({
    type: FeatureType,
    args: { key: t.arg.id({ required: true }) },
    resolve: (_root, { key }, context) => context.run(readFeature, { key }),
  }),
}))

defineMutation(createFeature, {
  type: FeatureType,
})

defineMutation(updateFeature, {
  type: FeatureType,
  description: 'Changes what is given and leaves the rest. An option in use cannot be removed.',
})

defineMutation(deleteFeature, {
  type: 'ID',
  description: 'Answers the key that is gone. Refused while a plan or an override refers to the feature.',
})
