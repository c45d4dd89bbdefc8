import { readService } from '../../src/modules/accounts/read-service.ts'
import { route } from '../route.ts'

export const serviceRoutes = [route(readService)]
