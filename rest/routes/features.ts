import { createFeature } from '../../src/modules/features/create-feature.ts'
import { deleteFeature } from '../../src/modules/features/delete-feature.ts'
import type { Feature } from '../../src/modules/features/feature.ts'
import { listFeatures, readFeature } from '../../src/modules/features/read-features.ts'
import { updateFeature } from '../../src/modules/features/update-feature.ts'
import { noBody, route } from '../route.ts'

export const featureRoutes = [
  route(createFeature, { reply: featureBody }),
  route(listFeatures, { reply: (features) => ({ features: features.map(featureBody) }) }),
  route(readFeature, { reply: featureBody }),
  route(updateFeature, { reply: featureBody }),
  route(deleteFeature, { reply: noBody }),
]

function featureBody({ key, name, description, kind, valueType, options, createdAt, updatedAt }: Feature) {
  return {
    key,
    name,
    description,
    kind,
    ...(valueType !== null && { value_type: valueType }),
    ...(valueType === 'enum' && { options }),
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
