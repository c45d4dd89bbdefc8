import {
  type FieldNode,
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
import { describeUnknownName, findIntendedName } from '../core/did-you-mean.ts'
import { type FieldError, maxFieldErrors } from '../core/errors.ts'
import { isPlainObject } from '../core/json.ts'

/** A value that does not fit its type, with GraphQL's names. */
export type Fault = FieldError & {
  /** Whether an enum's value is written in quotes. */
  isQuoted?: boolean
  /** Set if the name is unknown. */
  unknown?: 'argument' | 'field'
  /** The known name that an unknown name probably stands for; null if there is none. */
  intended?: string | null
}

/** A value in the document or in a variable. */
type SentValue = { node: ValueNode } | { value: unknown }
type Variables = Record<string, unknown>

/** A request whose arguments are read. A hundred fields may share a variable of 50,000 values, so they share one limit. */
export type ReadRequest = { variables: Variables; remainingValues: number }

/** `container` is the argument that contains the fields of the path; it is not part of the path itself. */
type ReadingState = { container?: string; path: readonly (string | number)[]; request: ReadRequest; faults: Fault[] }

/** Reads the arguments of a field. Values that do not fit their types stay unchanged, and are reported in `faults`. */
export function readArguments(
  { args: definitions }: GraphQLField<unknown, unknown>,
  { arguments: nodes = [] }: FieldNode,
  request: ReadRequest,
): { args: Record<string, unknown>; faults: Fault[] } {
  const faults: Fault[] = []
  const sent = new Map<string, SentValue>(nodes.map(({ name, value }) => [name.value, { node: value }]))
  return { args: readFields(definitions, sent, { path: [], request, faults }, 'argument'), faults }
}

type FieldOfType = { name: string; type: GraphQLInputType; defaultValue?: unknown }

function readFields(
  fields: readonly FieldOfType[],
  sent: ReadonlyMap<string, SentValue>,
  state: ReadingState,
  term: 'argument' | 'field',
): Record<string, unknown> {
  const { path, request, faults } = state
  const { variables } = request
  const values: Record<string, unknown> = {}
  for (const { name, type, defaultValue } of fields) {
    // `input` and `filter` contain the fields of the operation, and so are not part of a path. A missing `input` is read as an
    // empty one.
    const isContainer = term === 'argument' && isInputObjectType(toNullableType(type))
    const value = resolve(sent.get(name), variables) ?? (isContainer && isNonNullType(type) ? { value: {} } : undefined)
    const inner = isContainer ? { ...state, container: name } : { ...state, path: [...path, name] }
    if (value !== undefined) values[name] = readValue(type, value, inner)
    else if (defaultValue !== undefined) values[name] = defaultValue
    else if (isNonNullType(type)) {
      const fieldPath = inner.path.join('.')
      faults.push({ path: fieldPath, message: `${fieldPath} is required.` })
    }
  }
  const names = fields.map(({ name }) => name)
  const unknownNames = [...sent.keys()].filter((name) => !names.includes(name))
  for (const name of unknownNames.slice(0, maxFieldErrors)) {
    const container = term === 'argument' ? fields.find(({ type }) => hasField(type, name)) : undefined
    const intended = container ? name : findIntendedName(name, [...names.filter((each) => !sent.has(each)), ...names])
    const message = container
      ? `Unknown argument "${name}". Send it as a field of "${container.name}".`
      : describeUnknownName(term, { name, meant: intended, known: names })
    faults.push({ path: [...path, name].join('.'), message, unknown: term, intended })
  }
  return values
}

function readValue(type: GraphQLInputType, sent: SentValue, state: ReadingState): unknown {
  const { container = '', path, request, faults } = state
  const { variables } = request
  const raw = 'node' in sent ? valueFromASTUntyped(sent.node, variables) : sent.value
  const name = path.length > 0 ? path.join('.') : container
  const refuse = (message: string, more: Partial<Fault> = {}) => {
    faults.push({ path: path.join('.'), message, ...more })
    return raw
  }
  request.remainingValues -= 1
  // Further faults would not be shown.
  if (faults.length >= maxFieldErrors || request.remainingValues < 0) return raw
  if (raw === null || raw === undefined) return isNonNullType(type) ? refuse(`${name} must not be null.`) : raw
  const innerType = toNullableType(type)
  if (isListType(innerType)) {
    const readItem = (item: SentValue, inner: ReadingState) =>
      readValue(innerType.ofType, resolve(item, variables) ?? { value: null }, inner)
    if (Array.isArray(raw))
      return itemsOf(sent).map((item, index) => readItem(item, { ...state, path: [...path, index] }))
    // GraphQL accepts a single item where a list is expected.
    const itemFaults: Fault[] = []
    const item = readItem(sent, { ...state, faults: itemFaults })
    return itemFaults.length === 0 ? [item] : refuse(`${name} must be a list.`)
  }
  if (isInputObjectType(innerType)) {
    if (!isPlainObject(raw)) return refuse(`${name} must be an object.`)
    return readFields(Object.values(innerType.getFields()), fieldsOf(sent), state, 'field')
  }
  if (isEnumType(innerType)) {
    const isQuoted = 'node' in sent && sent.node.kind === Kind.STRING
    const enumValue = typeof raw === 'string' && !isQuoted ? innerType.getValue(raw) : undefined
    if (enumValue) return enumValue.value
    const names = innerType.getValues().map((each) => each.name)
    return refuse(`${name} must be one of ${names.join(', ')}.`, { isQuoted })
  }
  try {
    return innerType.parseValue(raw)
  } catch (error) {
    return refuse(error instanceof Error ? `${name} is not valid: ${error.message}` : `${name} is not valid.`)
  }
}

function hasField(type: GraphQLInputType, name: string): boolean {
  const inner = toNullableType(type)
  return isInputObjectType(inner) && Object.hasOwn(inner.getFields(), name)
}

function toNullableType(type: GraphQLInputType) {
  return isNonNullType(type) ? type.ofType : type
}

/** Replaces a variable by its value; undefined if the variable is absent. */
function resolve(sent: SentValue | undefined, variables: Variables): SentValue | undefined {
  if (sent === undefined || !('node' in sent) || sent.node.kind !== Kind.VARIABLE) return sent
  const value = variables[sent.node.name.value]
  return value === undefined ? undefined : { value }
}

function itemsOf(sent: SentValue): SentValue[] {
  if (!('node' in sent)) return (sent.value as unknown[]).map((value) => ({ value }))
  return sent.node.kind === Kind.LIST ? sent.node.values.map((node) => ({ node })) : []
}

function fieldsOf(sent: SentValue): Map<string, SentValue> {
  if (!('node' in sent)) return new Map(Object.entries(sent.value as object).map(([name, value]) => [name, { value }]))
  if (sent.node.kind !== Kind.OBJECT) return new Map()
  return new Map(sent.node.fields.map(({ name, value }) => [name.value, { node: value }]))
}
