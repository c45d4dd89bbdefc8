import { z } from 'zod'
import type { AnyOperation } from '../../src/operation/operation.ts'

/**
 * What generated clients call the operation. Writes are named after what they do; a read is named after what it answers,
 * as its GraphQL field is, so it needs a verb: `listPlans`, `getPlan`.
 */
export function operationIdOf({ name, method, answer }: Pick<AnyOperation, 'name' | 'method' | 'answer'>): string {
  if (method !== 'GET' || name === 'search') return name
  return `${isList(answer?.schema) ? 'list' : 'get'}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** One property with the items, and in pages whether there are more. */
function isList(schema: z.ZodType | undefined): boolean {
  if (!(schema instanceof z.ZodObject)) return false
  const { has_more: _, ...others } = schema.shape
  const [items, ...rest] = Object.values(others)
  return items instanceof z.ZodArray && rest.length === 0
}
