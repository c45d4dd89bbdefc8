import { exampleOf } from '../../rest/openapi/examples.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

/** The body of the operation's example; undefined if it takes no body. */
export function exampleBody({ name, method }: AnyOperation): unknown {
  return method === 'GET' || method === 'DELETE' ? undefined : (exampleOf(name)?.body ?? {})
}
