export { type ApiOptions, createApi } from './api.ts'
export {
  BodyTooLargeError,
  ConflictError,
  ConnectionError,
  EntitlementsError,
  ForbiddenError,
  InternalError,
  InvalidJsonError,
  NotFoundError,
  OptionInUseError,
  PlanArchivedError,
  RateLimitedError,
  type Schemas,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors.ts'
export type { ImportLine, ImportLines, ImportResult } from './import.ts'
export type { Answer, Api, CallOptions, OperationId, Params } from './operation-types.ts'
export type { Pages } from './pages.ts'
