import { DomainError, type FieldError, validationError } from '../core/errors.ts'
import type { Field, Fields, FieldType } from '../core/field-type.ts'
import { isPlainObject } from '../core/json.ts'
import { toCamelCase } from '../core/names.ts'
import { featureKinds, valueTypes } from '../modules/features/feature.ts'

/*
 * REST's `expires_at` is `expiresAt` in GraphQL. Only names of the schema are converted. Names that vendors choose, such as the
 * feature keys in `grants` and the keys in a config's value, stay unchanged.
 */

export function nameOf(name: string, { notes }: Field): string {
  return notes.alias ?? toCamelCase(name)
}

/** GraphQL's name of an enum's value. */
export function toEnumValue(value: string): string {
  return value.toUpperCase()
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

/** Names that texts about other fields mention: "the plan's updated_at as you read it". */
const mentionedNames = ['subscriber_id', 'updated_at', 'value_type'].map((name) => [name, toCamelCase(name)] as const)

/** GraphQL's names of fields and nested fields, where they differ from the operation's names. */
function namesIn(fields: Fields): ReadonlyMap<string, string> {
  const cached = cachedNames.get(fields)
  if (cached) return cached
  const names = new Map<string, string>(mentionedNames)
  for (const [name, field] of fields) {
    if (nameOf(name, field) !== name) names.set(name, nameOf(name, field))
    const own = (field.wordedField ?? field).type
    const type = own.kind === 'list' ? own.item.type : own
    if (type.kind === 'object') for (const each of namesIn(type.fields)) names.set(...each)
  }
  cachedNames.set(fields, names)
  return names
}

/** Replaces names in a text, except in quoted parts. */
function replaceNames(names: ReadonlyMap<string, string>, text: string): string {
  const parts = text.split('"')
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/\w+/g, (word) => names.get(word) ?? word) : part))
    .join('"')
}

/** Runs a function. If it throws a 422, converts the details to GraphQL's names. */
export async function inNamesOfGraphql<Result>(fields: Fields, run: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const details = (error.details?.fields ?? []) as FieldError[]
    if (details.length === 0) throw error
    throw validationError(details.map((detail) => toGraphqlDetail(fields, detail)))
  }
}

/** Converts the names of fields and of the values of enums, in the path and in the message. Contract: GraphQL 1. */
export function toGraphqlDetail(fields: Fields, { path, message }: FieldError): FieldError {
  const { names, type } = followPath({ kind: 'object', fields }, path.split('.'))
  const graphqlPath = names.join('.')
  // Most messages begin with the path, which may contain keys that vendors chose.
  const hasPath = path !== '' && message.startsWith(path)
  const text = hasPath ? message.slice(path.length) : message
  const converted = convertText(fields, type, text)
  return { path: graphqlPath, message: hasPath ? graphqlPath + converted : converted }
}

/** Values that texts mention after the name of their field: "is not allowed for kind config". */
const mentionedValues: readonly string[] = [...featureKinds, ...valueTypes]

function convertText(fields: Fields, type: PathType, text: string): string {
  // The options of a feature, which the vendor chose.
  if (type?.kind === 'scalar' && type.name === 'JSON' && text.startsWith(' must be one of ')) return text
  const values = type?.kind === 'enum' ? Object.keys(type.meanings) : []
  const names = new Map([...namesIn(fields), ...values.map((value) => [value, toEnumValue(value)] as const)])
  const mentioned = text.replace(/(\b(?:kind|value_type) |"kind":")([a-z]+)/g, (match, before, value) =>
    mentionedValues.includes(value) ? before + toEnumValue(value) : match,
  )
  // Over REST, a query parameter may be 1 or 0.
  return replaceNames(names, mentioned).replace('true, false, 1 or 0', 'true or false')
}

type PathType = FieldType | { kind: 'object'; fields: Fields } | undefined

/** Converts the names in a path, as in `items.3.plan_id`, and finds the type of the value there; undefined if there is none. */
function followPath(type: PathType, [first, ...rest]: string[]): { names: string[]; type: PathType } {
  if (first === undefined) return { names: [], type }
  if (type?.kind === 'list') return prefixed(first, followPath(type.item.type, rest))
  if (type?.kind !== 'object') return { names: [first, ...rest], type: undefined }
  const field = type.fields.get(first)
  const name = field ? nameOf(first, field) : toCamelCase(first)
  // Where REST has a map, such as of grants, GraphQL has a list. In REST's path, the key replaces the position.
  return prefixed(name, followPath((field?.wordedField ?? field)?.type, rest))
}

function prefixed(name: string, { names, type }: ReturnType<typeof followPath>): ReturnType<typeof followPath> {
  return { names: [name, ...names], type }
}
