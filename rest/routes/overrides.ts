import { deleteOverride } from '../../src/modules/overrides/delete-override.ts'
import { listAllOverrides } from '../../src/modules/overrides/list-all-overrides.ts'
import { putOverride } from '../../src/modules/overrides/put-override.ts'
import { listOverrides, readOverride } from '../../src/modules/overrides/read-overrides.ts'
import { route } from '../route.ts'

export const overrideRoutes = [
  route(putOverride),
  route(listOverrides),
  route(listAllOverrides),
  route(readOverride),
  route(deleteOverride),
]
