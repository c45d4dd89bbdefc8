import { deleteFeature } from '../../modules/features/delete-feature.ts'
import { featureAnswer } from '../../modules/features/feature.ts'
import { updateFeature } from '../../modules/features/update-feature.ts'
import { builder } from '../builder.ts'
import { answerFields, registerType } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'

export const FeatureType = builder.prismaObject('Feature', {
  description: featureAnswer.description,
  fields: (t) => answerFields(t, featureAnswer),
})

registerType(FeatureType, featureAnswer)

adjustRootField(updateFeature, {
  note: 'Fields that are left out stay as they are. An option in use cannot be removed.',
})

adjustRootField(deleteFeature, { note: 'Returns the deleted key.' })
