import { DomainError, type FieldError, validationError } from '../core/errors.ts'
import type { Field, Fields, FieldType } from '../core/field-type.ts'
import { isPlainObject } from '../core/json.ts'
import { toCamelCase } from '../core/names.ts'
import { featureKinds, valueTypes } from '../modules/features/feature.ts'
import { resources } from '../modules/operations.ts'

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

/** Replaces routes and names in a text, except in quoted parts. */
function replaceNames(names: ReadonlyMap<string, string>, text: string): string {
  const replace = (part: string) => replaceRoutes(part).replace(/\w+/g, (word) => names.get(word) ?? word)
  const parts = text.split('"')
  return parts.map((part, index) => (index % 2 === 0 ? replace(part) : part)).join('"')
}

const operations = resources.flatMap((resource) => resource.operations)

/** Replaces a route, such as `POST /org/plans/pro/archive`, by the name of its operation. */
function replaceRoutes(text: string): string {
  return text.replace(/\b(?:GET|POST|PUT|PATCH|DELETE) [\w/{}-]+/g, (sent) => {
    const parts = sent.split('/')
    const operation = operations.find(({ method, route }) => {
      const own = `${method} ${route}`.split('/')
      return own.length === parts.length && own.every((part, index) => part === parts[index] || part.startsWith('{'))
    })
    return operation?.name ?? sent
  })
}

/** Runs a function. If it throws a refusal, converts its texts, and the paths of a 422, to GraphQL's names. */
export async function inNamesOfGraphql<Result>(fields: Fields, run: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof DomainError ? toGraphqlRefusal(fields, error) : error
  }
}

function toGraphqlRefusal(fields: Fields, refusal: DomainError): DomainError {
  const { code, details, cause } = refusal
  if (code === 'VALIDATION_ERROR') {
    const errors = (details?.fields ?? []) as FieldError[]
    return errors.length === 0 ? refusal : validationError(errors.map((detail) => toGraphqlDetail(fields, detail)))
  }
  const message = toGraphqlMessage(fields, refusal.message)
  return message === refusal.message ? refusal : new DomainError(refusal, message, details, cause)
}

/** Converts the message of a refusal other than 422, which has the same `details` as over REST. */
export function toGraphqlMessage(fields: Fields, message: string): string {
  // Some names, such as `limit`, are also words of plain English.
  const names = Array.from(namesIn(fields)).filter(([name]) => name.includes('_'))
  return replaceNames(new Map(names), message)
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
