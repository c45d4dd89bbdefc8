import { z } from 'zod'
import type { AnyOperation } from '../../src/operation/operation.ts'

/**
 * The operation's name in generated clients. Writes are named after their action; a read is named after its answer,
 * like its GraphQL field, so it needs a verb: `listPlans`, `getPlan`.
 */
export function operationIdOf({ name, method, answer }: Pick<AnyOperation, 'name' | 'method' | 'answer'>): string {
  if (method !== 'GET' || name === 'search') return name
  return `${isList(answer?.schema) ? 'list' : 'get'}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Whether the items are the only property, besides `has_more` in pages. */
function isList(schema: z.ZodType | undefined): boolean {
  if (!(schema instanceof z.ZodObject)) return false
  const { has_more: _, ...others } = schema.shape
  const [items, ...rest] = Object.values(others)
  return items instanceof z.ZodArray && rest.length === 0
}
