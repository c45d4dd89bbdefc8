import { builder, defineEnum } from '../../graphql/builder.ts'
import { createFeature } from './create-feature.ts'
import { deleteFeature } from './delete-feature.ts'
import { featureKinds, valueTypes } from './feature.ts'
import { listFeatures, readFeature } from './read-features.ts'
import { updateFeature } from './update-feature.ts'

export const FeatureKindEnum = defineEnum('FeatureKind', featureKinds)
export const ValueTypeEnum = defineEnum('ValueType', valueTypes)

export const FeatureType = builder.prismaObject('Feature', {
  fields: (t) => ({
    key: t.exposeID('key'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    kind: t.field({ type: FeatureKindEnum, resolve: ({ kind }) => kind }),
    valueType: t.field({
      type: ValueTypeEnum,
      nullable: true,
      description: 'Of config features alone.',
      resolve: ({ valueType }) => valueType,
    }),
    options: t.field({
      type: ['String'],
      nullable: true,
      description: 'In display order; of enums alone.',
      resolve: ({ valueType, options }) => (valueType === 'enum' ? options : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  [listFeatures.name]: t.prismaField({
    type: ['Feature'],
    description: 'The whole catalog, newest first.',
    resolve: (selection, _root, _args, context) => context.read(listFeatures, {}, {}, selection),
  }),
  [readFeature.name]: t.prismaField({
    type: 'Feature',
    args: { key: t.arg.id({ required: true }) },
    resolve: (selection, _root, { key }, context) => context.read(readFeature, { key: String(key) }, {}, selection),
  }),
}))

const CreateFeatureInput = builder.inputType('CreateFeatureInput', {
  fields: (t) => ({
    key: t.string({ required: true }),
    name: t.string({ required: true }),
    kind: t.field({ type: FeatureKindEnum, required: true }),
    description: t.string(),
    valueType: t.field({ type: ValueTypeEnum, description: 'Of config features alone.' }),
    options: t.stringList({ description: 'Of enums alone.' }),
  }),
})

const UpdateFeatureInput = builder.inputType('UpdateFeatureInput', {
  fields: (t) => ({
    key: t.string({ required: true, description: 'Which feature; a key never changes.' }),
    name: t.string(),
    description: t.string(),
    options: t.stringList({ description: 'The whole list.' }),
  }),
})

const DeleteFeatureInput = builder.inputType('DeleteFeatureInput', {
  fields: (t) => ({ key: t.string({ required: true }) }),
})

builder.mutationFields((t) => ({
  [createFeature.name]: t.field({
    type: FeatureType,
    args: { input: t.arg({ type: CreateFeatureInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(createFeature, input),
  }),
  [updateFeature.name]: t.field({
    type: FeatureType,
    args: { input: t.arg({ type: UpdateFeatureInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(updateFeature, input),
  }),
  [deleteFeature.name]: t.id({
    description: 'Answers the key that is gone.',
    args: { input: t.arg({ type: DeleteFeatureInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(deleteFeature, input),
  }),
}))
