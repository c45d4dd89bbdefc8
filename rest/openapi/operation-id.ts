import { z } from 'zod'
import type { AnyOperation } from '../../src/operation/operation.ts'

/**
 * The operation's name in generated clients. The name of a write is its action. The name of a read is its answer, as in
 * GraphQL, so it gets a verb: `listPlans`, `getPlan`.
 */
export function operationIdOf({ name, method, answer }: Pick<AnyOperation, 'name' | 'method' | 'answer'>): string {
  if (method !== 'GET' || name === 'search') return name
  return `${isList(answer?.schema) ? 'list' : 'get'}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Whether an array is the only property, apart from `has_more` in pages. */
function isList(schema: z.ZodType | undefined): boolean {
  if (!(schema instanceof z.ZodObject)) return false
  const { has_more: _, ...others } = schema.shape
  const [items, ...rest] = Object.values(others)
  return items instanceof z.ZodArray && rest.length === 0
}
