import { createFeature } from '../../src/modules/features/create-feature.ts'
import { deleteFeature } from '../../src/modules/features/delete-feature.ts'
import { listFeatures, readFeature } from '../../src/modules/features/read-features.ts'
import { updateFeature } from '../../src/modules/features/update-feature.ts'
import { route } from '../route.ts'

export const featureRoutes = [
  route(createFeature),
  route(listFeatures),
  route(readFeature),
  route(updateFeature),
  route(deleteFeature),
]
