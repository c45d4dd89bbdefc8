import { DomainError, type FieldError } from '../core/errors.ts'
import type { Field, Fields, FieldType } from '../core/field-type.ts'
import { isPlainObject } from '../core/json.ts'
import { toCamelCase } from '../core/names.ts'

/*
 * REST's `expires_at` is `expiresAt` in GraphQL. Only names of the schema are converted. Names that vendors choose, such as the
 * feature keys in `grants` and the keys in a config's value, stay unchanged.
 */

export function nameOf(name: string, { notes }: Field): string {
  return notes.alias ?? toCamelCase(name)
}

/** Converts an object with GraphQL's names to the operation's names. Absent fields stay absent. */
export function toOperationNames(fields: Fields, input: object): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const value = (input as Record<string, unknown>)[nameOf(name, field)]
    if (value !== undefined) own[name] = toOperationValue(field, value)
  }
  return own
}

function toOperationValue({ type, wordedField, notes }: Field, value: unknown): unknown {
  if (value === null) return null
  if (wordedField) return notes.wording?.toOwn(toOperationValue(wordedField, value))
  // A value of the wrong type stays unchanged, so that the operation reports the error.
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => toOperationValue(type.item, item))
  if (type.kind === 'object' && isPlainObject(value)) return toOperationNames(type.fields, value)
  return value
}

/** Longer values are truncated: no valid value is longer, and an audit entry would store the whole value. */
const maxPathValueLength = 32_768

export function pathNamesOf(route: string): string[] {
  return Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

/** The path values in an input, in the order of the route, as the audit log stores them. */
export function pathValuesIn(route: string, input: object): Record<string, string> {
  const values = pathNamesOf(route).map((name) => {
    const value = (input as Record<string, unknown>)[toCamelCase(name)]
    return [name, typeof value === 'string' ? value.slice(0, maxPathValueLength) : '']
  })
  return Object.fromEntries(values)
}

const cachedNames = new WeakMap<Fields, ReadonlyMap<string, string>>()

/** GraphQL's names of fields and nested fields, where they differ from the operation's names. */
function namesIn(fields: Fields): ReadonlyMap<string, string> {
  const cached = cachedNames.get(fields)
  if (cached) return cached
  const names = new Map<string, string>()
  for (const [name, field] of fields) {
    if (nameOf(name, field) !== name) names.set(name, nameOf(name, field))
    const type = field.type.kind === 'list' ? field.type.item.type : field.type
    if (type.kind === 'object') for (const each of namesIn(type.fields)) names.set(...each)
  }
  cachedNames.set(fields, names)
  return names
}

/** Replaces names in a text, except in quoted parts. */
export function replaceNames(names: ReadonlyMap<string, string>, text: string): string {
  const parts = text.split('"')
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/\w+/g, (word) => names.get(word) ?? word) : part))
    .join('"')
}

/** Runs a function. If it throws a 422, converts the names of fields, in paths and messages, to GraphQL's names. */
export async function inNamesOfGraphql<Result>(fields: Fields, run: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const errors = (error.details?.fields ?? []) as FieldError[]
    const convert = (message: string) => replaceNames(namesIn(fields), message)
    const converted = errors.map(({ path, message }) => {
      return { path: toGraphqlPath(fields, path), message: convert(message) }
    })
    throw new DomainError('VALIDATION_ERROR', convert(error.message), { fields: converted })
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
