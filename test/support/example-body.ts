import { exampleOf } from '../../rest/openapi/examples.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

/** A body that the operation takes: that of its example. Undefined where it takes none. */
export function exampleBody({ name, method }: AnyOperation): unknown {
  return method === 'GET' || method === 'DELETE' ? undefined : (exampleOf(name)?.body ?? {})
}
