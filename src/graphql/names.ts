import { DomainError, type FieldError } from '../core/errors.ts'
import type { Field, Fields, FieldType } from '../core/field-type.ts'
import { toCamelCase } from '../core/names.ts'

/*
 * REST's `expires_at` is `expiresAt` in GraphQL. Only names of schemas are converted: names chosen by vendors, such as the
 * feature keys in `grants` and the keys of a config's value, stay unchanged.
 */

export function nameOf(name: string, { notes }: Field): string {
  return notes.alias ?? toCamelCase(name)
}

/** Converts an object with GraphQL's names to the operation's names. Absent fields stay absent. */
export function toOwnNames(fields: Fields, given: object): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const value = (given as Record<string, unknown>)[nameOf(name, field)]
    if (value !== undefined) own[name] = toOwnValue(field, value)
  }
  return own
}

function toOwnValue({ type, worded, notes }: Field, value: unknown): unknown {
  if (value === null) return null
  if (worded) return notes.wording?.toOwn(toOwnValue(worded, value))
  if (type.kind === 'list') return (value as unknown[]).map((item) => toOwnValue(type.item, item))
  if (type.kind === 'object') return toOwnNames(type.fields, value as object)
  return value
}

/** Longer values cannot exist, but would be stored whole in an audit entry. */
const maxPathValueLength = 32_768

export function placesOf(route: string): string[] {
  return Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

/** The path values of an input, in the order of the route, as the audit log shows them. */
export function pathIn(route: string, given: object): Record<string, string> {
  const values = placesOf(route).map((name) => {
    const value = (given as Record<string, unknown>)[toCamelCase(name)]
    return [name, String(value).slice(0, maxPathValueLength)]
  })
  return Object.fromEntries(values)
}

/** Runs the function; if it throws a 422, converts its field names to GraphQL's. */
export async function inNamesOfGraphql<Result>(fields: Fields, run: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const refused = (error.details?.fields ?? []) as FieldError[]
    const renamed = refused.map(({ path, message }) => ({ path: toGraphqlPath(fields, path), message }))
    throw new DomainError('VALIDATION_ERROR', error.message, { fields: renamed })
  }
}

/** Converts `items.3.plan_id` to `items.3.planId`. */
export function toGraphqlPath(fields: Fields, path: string): string {
  return toPlace({ kind: 'object', fields }, path.split('.')).join('.')
}

function toPlace(type: FieldType | { kind: 'object'; fields: Fields } | undefined, path: string[]): string[] {
  const [first, ...rest] = path
  if (first === undefined) return []
  if (type?.kind === 'list') return [first, ...toPlace(type.item.type, rest)]
  if (type?.kind !== 'object') return path
  const field = type.fields.get(first)
  return [field ? nameOf(first, field) : toCamelCase(first), ...toPlace(field?.type, rest)]
}
