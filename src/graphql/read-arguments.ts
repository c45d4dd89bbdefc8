import {
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { describeUnknown, findIntendedName } from '../core/did-you-mean.ts'
import { type FieldError, maxFieldErrors } from '../core/errors.ts'
import { isPlainObject } from '../core/json.ts'

/** Values that a type does not take, under GraphQL's names. */
export type Fault = FieldError & {
  /** The values of an enum, by the names that the operation has for them. */
  values?: ReadonlyMap<string, string>
  /** Whether the name of an enum's value is written as text. */
  isQuoted?: boolean
  /** The known name that an unknown one probably means. */
  meant?: string | null
}

/** A value in the document, or in a variable. */
type Given = { node: ValueNode } | { value: unknown }
type Variables = Record<string, unknown>
type ReadingState = { path: readonly (string | number)[]; variables: Variables; faults: Fault[] }

/** The arguments of a field as far as their types take them, and the other values, unchanged. */
export function readArguments(
  { args: definitions }: GraphQLField<unknown, unknown>,
  { arguments: nodes = [] }: FieldNode,
  variables: Variables,
): { args: Record<string, unknown>; faults: Fault[] } {
  const faults: Fault[] = []
  const given = new Map<string, Given>(nodes.map(({ name, value }) => [name.value, { node: value }]))
  return { args: readFields(definitions, given, { path: [], variables, faults }, 'argument'), faults }
}

type FieldOfType = { name: string; type: GraphQLInputType; defaultValue?: unknown }

function readFields(
  fields: readonly FieldOfType[],
  given: ReadonlyMap<string, Given>,
  state: ReadingState,
  term: 'argument' | 'field',
): Record<string, unknown> {
  const { path, variables, faults } = state
  const read: Record<string, unknown> = {}
  for (const { name, type, defaultValue } of fields) {
    // The fields of `input` and `filter` are those of the operation; a missing `input` has no fields.
    const isWhole = term === 'argument' && isInputObjectType(nullable(type))
    const sent = resolve(given.get(name), variables) ?? (isWhole && isNonNullType(type) ? { value: {} } : undefined)
    const inside = { ...state, path: isWhole ? path : [...path, name] }
    if (sent !== undefined) read[name] = readValue(type, sent, inside)
    else if (defaultValue !== undefined) read[name] = defaultValue
    else if (isNonNullType(type))
      faults.push({ path: inside.path.join('.'), message: `${name} is required.`, ...aboutEnum(type) })
  }
  const names = fields.map(({ name }) => name)
  const unknown = [...given.keys()].filter((name) => !names.includes(name))
  for (const name of unknown.slice(0, maxFieldErrors)) {
    const meant = findIntendedName(name, [...names.filter((each) => !given.has(each)), ...names])
    const message = describeUnknown(term, { name, meant, known: names })
    faults.push({ path: [...path, name].join('.'), message, meant })
  }
  return read
}

function readValue(type: GraphQLInputType, given: Given, state: ReadingState): unknown {
  const { path, variables, faults } = state
  const raw = 'node' in given ? valueFromASTUntyped(given.node, variables) : given.value
  const name = path.at(-1) ?? 'input'
  const refuse = (message: string, more: Partial<Fault> = {}) => {
    if (faults.length < maxFieldErrors) faults.push({ path: path.join('.'), message, ...more })
    return raw
  }
  if (raw === null || raw === undefined) return isNonNullType(type) ? refuse(`${name} must not be null.`) : raw
  const own = nullable(type)
  if (isListType(own)) {
    const read = (item: Given, inside: ReadingState) =>
      readValue(own.ofType, resolve(item, variables) ?? { value: null }, inside)
    if (Array.isArray(raw)) return itemsOf(given).map((item, index) => read(item, { ...state, path: [...path, index] }))
    // GraphQL accepts a single item where a list is expected.
    const ofItem: Fault[] = []
    const item = read(given, { ...state, faults: ofItem })
    return ofItem.length === 0 ? [item] : refuse(`${name} must be a list.`)
  }
  if (isInputObjectType(own)) {
    if (!isPlainObject(raw)) return refuse(`${name} must be an object.`)
    return readFields(Object.values(own.getFields()), fieldsOf(given), state, 'field')
  }
  if (isEnumType(own)) {
    const isQuoted = 'node' in given && given.node.kind === Kind.STRING
    const found = typeof raw === 'string' && !isQuoted ? own.getValue(raw) : undefined
    return found
      ? found.value
      : refuse(`${name} must be one of ${[...valuesOf(own).values()].join(', ')}.`, { values: valuesOf(own), isQuoted })
  }
  try {
    return own.parseValue(raw)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : `${name} is not valid.`)
  }
}

function valuesOf(type: GraphQLEnumType): ReadonlyMap<string, string> {
  return new Map(type.getValues().map(({ name, value }) => [String(value), name]))
}

function aboutEnum(type: GraphQLInputType): Pick<Fault, 'values'> {
  const own = nullable(type)
  return isEnumType(own) ? { values: valuesOf(own) } : {}
}

function nullable(type: GraphQLInputType) {
  return isNonNullType(type) ? type.ofType : type
}

/** The value of a variable; undefined if it is absent. */
function resolve(given: Given | undefined, variables: Variables): Given | undefined {
  if (given === undefined || !('node' in given) || given.node.kind !== Kind.VARIABLE) return given
  const value = variables[given.node.name.value]
  return value === undefined ? undefined : { value }
}

function itemsOf(given: Given): Given[] {
  if (!('node' in given)) return (given.value as unknown[]).map((value) => ({ value }))
  return given.node.kind === Kind.LIST ? given.node.values.map((node) => ({ node })) : []
}

function fieldsOf(given: Given): Map<string, Given> {
  if (!('node' in given))
    return new Map(Object.entries(given.value as object).map(([name, value]) => [name, { value }]))
  if (given.node.kind !== Kind.OBJECT) return new Map()
  return new Map(given.node.fields.map(({ name, value }) => [name.value, { node: value }]))
}
