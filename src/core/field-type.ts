import { z } from 'zod'

/** The types of single values. All but `JSON` are strings, numbers or booleans in JSON. */
type Scalar = 'ID' | 'String' | 'Boolean' | 'Int' | 'SafeInt' | 'Float' | 'DateTime' | 'JSON'

/** The type of a schema's values, from which the APIs derive their own types. */
export type FieldType =
  | { kind: 'scalar'; name: Scalar }
  | EnumType
  | { kind: 'list'; item: Field }
  | { kind: 'object'; name: string; fields: Fields; description: string }
  /** The caller chooses the keys of a map, so they are never converted. */
  | { kind: 'map' }

/** The meaning of each value, in the order of the values. */
type Meanings<Value extends string> = Readonly<Record<Value, string>>

export type EnumType = { kind: 'enum'; name: string; meanings: Meanings<string>; description: string }

/** Keyed by the field names of operations. */
export type Fields = ReadonlyMap<string, Field>

export type Field = {
  type: FieldType
  /** Whether callers may leave out the field. */
  isOptional: boolean
  isNullable: boolean
  /** The value that the schema sets if the field is absent; undefined if it sets none. */
  fallback: unknown
  /** The allowed values, as in "must be <allowed>". */
  allowed: string | undefined
  notes: Notes
  /** The field as GraphQL takes it, if REST takes it in another way, such as a map or a stream. */
  wordedField: Field | undefined
}

/** How GraphQL takes a field that REST takes in another way: the schema, and the conversion to the operation's value. */
type GraphqlForm = {
  schema: z.ZodType
  /** Converts a value that matches the schema. May refuse the value with an error, as the input does. */
  toOwn(value: unknown): unknown
}

type Notes = {
  /** The field's purpose, in whole sentences; the schema's description states which values are allowed. */
  meaning?: string
  /** The field's name in GraphQL, if it is not just the name in camel case. */
  alias?: string
  /** A query parameter may also be 1 or 0, for true or false. */
  takesDigits?: true
  /** The caller sees the secret in this field, so no answer with it may be stored for an `Idempotency-Key`. */
  isSecret?: true
  wording?: GraphqlForm
}

/** Information about a schema that Zod cannot express. */
type Mark = Notes & {
  scalar?: Scalar
  isMap?: true
  /** The name of an enum or an object. */
  type?: { name: string; description: string; meanings?: Meanings<string> }
}

/** Copies of a schema inherit its marks. The type is loose, because Zod's type for a schema within a mark would be infinite. */
const marks = z.registry<object>()

function markOf(schema: z.ZodType): Mark {
  return marks.get(schema) ?? {}
}

/** Returns a copy of the schema with an added mark. The copy keeps the schema's other marks and description. */
function mark<Schema extends z.ZodType>(schema: Schema, added: Mark): Schema {
  const marked = schema.clone() as Schema
  marks.add(marked, added)
  return marked
}

/** Declares a type other than the default: String for a string, Int or Float for a number. */
export function asScalar<Schema extends z.ZodType>(scalar: Scalar, schema: Schema): Schema {
  return mark(schema, { scalar })
}

/** An object whose keys the caller chooses. A Zod record needs no mark, but drops the key `__proto__`. */
export function asMap<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, { isMap: true })
}

/** An enum with a name in the APIs' schemas. */
export function namedEnum<const Value extends string>(name: string, meanings: Meanings<Value>, description: string) {
  const values = Object.keys(meanings) as Value[]
  const schema = z.enum(values).describe(`one of ${values.join(', ')}`)
  return mark(schema, { type: { name, description, meanings } })
}

/** An object with a name in the APIs' schemas, such as an item of a list. */
export function namedObject<Schema extends z.ZodObject>(name: string, schema: Schema, description = ''): Schema {
  return mark(schema, { type: { name, description } })
}

/** Adds information for the APIs to a field's schema. */
export function note<Schema extends z.ZodType>(schema: Schema, notes: Notes): Schema {
  return mark(schema, notes)
}

/** The schema inside all optional, nullable and similar wrappers. */
export function innermostSchema(schema: z.ZodType): z.ZodType {
  return layersOf(schema).at(-1) as z.ZodType
}

/** The schema and all schemas inside it, from the outside in. A pipe contributes only its input, which callers see. */
function layersOf(schema: z.ZodType): z.ZodType[] {
  const { def } = schema._zod as { def: { type: string; innerType?: z.ZodType; in?: z.ZodType } }
  const inner = def.type === 'pipe' ? def.in : def.innerType
  return inner ? [schema, ...layersOf(inner)] : [schema]
}

/** Whether the schema, or the schema of a field in it, is marked as a secret. */
export function holdsSecret(schema: z.ZodType): boolean {
  const layers = layersOf(schema)
  if (layers.some((layer) => markOf(layer).isSecret)) return true
  const inner = layers.at(-1)
  if (inner instanceof z.ZodObject) return Object.values<z.ZodType>(inner.shape).some(holdsSecret)
  if (inner instanceof z.ZodArray) return holdsSecret(inner.element as z.ZodType)
  return inner instanceof z.ZodUnion && (inner.options as z.ZodType[]).some(holdsSecret)
}

export function fieldOf(schema: z.ZodType): Field {
  const layers = layersOf(schema)
  const kinds = layers.map((layer) => layer._zod.def.type)
  const marked: Mark = Object.assign({}, ...layers.toReversed().map(markOf))
  return {
    type: typeOf(innermostSchema(schema), marked),
    isOptional: kinds.some((kind) => kind === 'optional' || kind === 'default' || kind === 'prefault'),
    isNullable: kinds.includes('nullable'),
    fallback: layers
      .map((layer) => (layer instanceof z.ZodDefault ? layer.def.defaultValue : undefined))
      .find(isDefined),
    allowed: allowedBy(schema),
    notes: marked,
    wordedField: marked.wording && fieldOf(marked.wording.schema),
  }
}

function isDefined(value: unknown): boolean {
  return value !== undefined
}

/** The outermost description; adds "or null" if it is inside a `nullable`. */
export function allowedBy(schema: z.ZodType): string | undefined {
  const layers = layersOf(schema)
  const kinds = layers.map((layer) => layer._zod.def.type)
  const at = layers.findIndex((layer) => layer.description !== undefined)
  const description = layers[at]?.description
  return description && kinds.slice(0, at).includes('nullable') ? `${description}, or null` : description
}

/** The field's purpose and its allowed values, in whole sentences. */
export function describeField(schema: z.ZodType): string | undefined {
  const meaning = layersOf(schema)
    .map(markOf)
    .find((mark) => mark.meaning)?.meaning
  const allowed = allowedBy(schema)
  return [meaning, allowed && toSentence(allowed)].filter(Boolean).join(' ') || undefined
}

export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function typeOf(schema: z.ZodType, { scalar, isMap, type }: Mark): FieldType {
  if (scalar) return { kind: 'scalar', name: scalar }
  if (isMap || schema instanceof z.ZodRecord) return { kind: 'map' }
  if (schema instanceof z.ZodString) return { kind: 'scalar', name: 'String' }
  if (schema instanceof z.ZodBoolean) return { kind: 'scalar', name: 'Boolean' }
  if (schema instanceof z.ZodNumber) return { kind: 'scalar', name: schema.format?.includes('int') ? 'Int' : 'Float' }
  if (schema instanceof z.ZodArray) return { kind: 'list', item: fieldOf(schema.element as z.ZodType) }
  if (schema instanceof z.ZodEnum && type?.meanings) return { kind: 'enum', ...type, meanings: type.meanings }
  if (schema instanceof z.ZodObject && type) return { kind: 'object', fields: fieldsOf(schema.shape), ...type }
  throw new Error(`a schema of the type ${schema._zod.def.type} needs a mark with its type`)
}

export function fieldsOf(shape: z.ZodRawShape): Fields {
  return new Map(Object.entries(shape).map(([name, schema]) => [name, fieldOf(schema as z.ZodType)]))
}
