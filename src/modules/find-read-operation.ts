import type { OperationRequest } from '../operation/request.ts'
import { admit } from '../operation/run-operation.ts'
import type { Services } from '../operation/services.ts'
import { resources } from './operations.ts'

/**
 * Finds a function that reads the object which a write with this answer returns; null if no operation reads such objects. The
 * function's `values` are the values of the write's path and input.
 */
export function findReadOperation(answer: object | null): ReturnType<Services['findReadOperation']> {
  const operations = resources.flatMap((resource) => resource.operations)
  const read = operations.find((operation) => operation.kind === 'read' && operation.answer === answer)
  if (!read || answer === null) return null
  return async (services, request: OperationRequest, values) => {
    const { api, requestId, origin, callers } = request
    const names = Array.from(read.route.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
    const path = Object.fromEntries(names.map((name) => [name, String((values as Record<string, unknown>)[name])]))
    const admitted = await admit(services, read, { api, requestId, origin, callers, path })
    return admitted.run(() => undefined)
  }
}
