import { DomainError, type FieldError } from '../core/errors.ts'
import type { Field, Fields, FieldType } from '../core/field-type.ts'
import { isPlainObject } from '../core/json.ts'
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
  // Values that the schema does not take are passed to the operation unchanged, so that it reports the error.
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => toOwnValue(type.item, item))
  if (type.kind === 'object' && isPlainObject(value)) return toOwnNames(type.fields, value)
  return value
}

/** Longer values cannot exist, but would be stored whole in an audit entry. */
const maxPathValueLength = 32_768

export function pathNamesOf(route: string): string[] {
  return Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

/** The path values of an input, in the order of the route, as the audit log shows them. */
export function pathIn(route: string, given: object): Record<string, string> {
  const values = pathNamesOf(route).map((name) => {
    const value = (given as Record<string, unknown>)[toCamelCase(name)]
    return [name, typeof value === 'string' ? value.slice(0, maxPathValueLength) : '']
  })
  return Object.fromEntries(values)
}

const knownNames = new WeakMap<Fields, ReadonlyMap<string, string>>()

/** GraphQL's names of the fields, also of nested fields, where they differ. */
function namesIn(fields: Fields): ReadonlyMap<string, string> {
  const known = knownNames.get(fields)
  if (known) return known
  const names = new Map<string, string>()
  for (const [name, field] of fields) {
    if (nameOf(name, field) !== name) names.set(name, nameOf(name, field))
    const type = field.type.kind === 'list' ? field.type.item.type : field.type
    if (type.kind === 'object') for (const each of namesIn(type.fields)) names.set(...each)
  }
  knownNames.set(fields, names)
  return names
}

/** The text with other names; quoted parts stay. */
export function inNames(names: ReadonlyMap<string, string>, text: string): string {
  const parts = text.split('"')
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/\w+/g, (word) => names.get(word) ?? word) : part))
    .join('"')
}

/** Runs the function; if it throws a 422, converts the names of its fields to GraphQL's, also in the messages. */
export async function inNamesOfGraphql<Result>(fields: Fields, run: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const refused = (error.details?.fields ?? []) as FieldError[]
    const reword = (message: string) => inNames(namesIn(fields), message)
    const renamed = refused.map(({ path, message }) => ({
      path: toGraphqlPath(fields, path),
      message: reword(message),
    }))
    throw new DomainError('VALIDATION_ERROR', reword(error.message), { fields: renamed })
  }
}

/** Converts `items.3.plan_id` to `items.3.planId`. */
export function toGraphqlPath(fields: Fields, path: string): string {
  return toGraphqlNames({ kind: 'object', fields }, path.split('.')).join('.')
}

function toGraphqlNames(type: FieldType | { kind: 'object'; fields: Fields } | undefined, path: string[]): string[] {
  const [first, ...rest] = path
  if (first === undefined) return []
  if (type?.kind === 'list') return [first, ...toGraphqlNames(type.item.type, rest)]
  if (type?.kind !== 'object') return path
  const field = type.fields.get(first)
  return [field ? nameOf(first, field) : toCamelCase(first), ...toGraphqlNames(field?.type, rest)]
}
