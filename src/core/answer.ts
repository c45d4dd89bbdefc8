import { z } from 'zod'
import { toCamelCase, toPascalCase } from './names.ts'
import { maxPageSize, type Page } from './pagination.ts'

/** An operation's answer in the REST API. The schema is strict: a body has only the schema's fields. */
export type Answer<Value> = {
  schema: z.ZodType
  /** The body, which `stringifyAnswer` converts to text. */
  toBody(value: Value): unknown
  /** Set for a list, and for a page of a list: the answer for each item. */
  items?: { form: 'list' | 'page'; of: Answer<never> }
}

/** The answer for one object. Its fields also become the fields of a GraphQL type. */
export type ObjectAnswer<Value> = Answer<Value> & {
  name: string
  description: string
  /** Keyed by the names of the REST API. */
  fields: ReadonlyMap<string, AnswerField<Value>>
}

export type AnswerField<Value> = {
  schema: z.ZodType
  read(value: Value): unknown
  /** Set if the field is read from one property. */
  property?: string
  /** The `kind` of the objects that have this field; undefined if all objects have it. */
  kind?: string
}

/** A plain schema stands for a field that is read from the property of the same name in camel case. */
export type AnswerFields<Value> = Record<string, z.ZodType | AnswerField<Value>>

/** A field that is read from a property of another name, or by a function. */
export function fieldFrom<const Name extends string>(name: Name, schema: z.ZodType): AnswerField<Record<Name, unknown>>
export function fieldFrom<Value>(read: (value: Value) => unknown, schema: z.ZodType): AnswerField<Value>
export function fieldFrom(source: string | ((value: never) => unknown), schema: z.ZodType): AnswerField<never> {
  return typeof source === 'string' ? fieldFromProperty(source, schema) : { schema, read: source }
}

/** A field that is an object, which is read from the property of this name. */
export function objectFrom<Name extends string, Value>(name: Name, object: Answer<Value>, description: string) {
  const read = (value: Record<Name, Value>) => object.toBody(value[name])
  return fieldFrom(read, object.schema.describe(description))
}

/** Like `objectFrom`, for a value that may be null. */
export function nullableFrom<Name extends string, Value>(name: Name, object: Answer<Value>, description: string) {
  const read = ({ [name]: value }: Record<Name, Value | null>) => value && object.toBody(value)
  return fieldFrom(read, object.schema.nullable().describe(description))
}

/** A field that is a list of objects, at most `max` of them. */
export function listFrom<Name extends string, Value>(
  name: Name,
  item: Answer<Value>,
  description: string,
  max?: number,
) {
  const list = z.array(item.schema)
  const read = (value: Record<Name, readonly Value[]>) => value[name].map(item.toBody)
  return fieldFrom(read, (max === undefined ? list : list.max(max)).describe(description))
}

/** A field that only objects of this `kind` have. */
export function ofKind<Value>(kind: string, field: AnswerField<Value>): AnswerField<Value> {
  return { ...field, kind }
}

/**
 * Describes an object once: its schema, and how to read it from the domain's value. If some fields belong to
 * one `kind` only, the schema is a union with one shape for each kind. An optional field is left out when its value is null.
 */
export function defineAnswer<Value>(
  name: string,
  description: string,
  fieldsByName: AnswerFields<Value>,
): ObjectAnswer<Value> {
  const fields = new Map(Object.entries(fieldsByName).map(([field, given]) => [field, toField(field, given)]))
  const kindSchema = fields.get('kind')?.schema
  const isUnion = [...fields.values()].some(({ kind }) => kind !== undefined)
  if (!isUnion || !(kindSchema instanceof z.ZodEnum)) {
    const schema = toSchema(fields).meta({ id: name, description })
    return { name, schema, description, fields, toBody: createBodyWriter(fields) }
  }

  const shapes = kindSchema.options.map((kind) => [String(kind), fieldsOfKind(fields, String(kind))] as const)
  const [first, ...others] = shapes.map(([kind, shape]) =>
    toSchema(shape)
      .extend({ kind: z.literal(kind) })
      .meta({ id: `${toPascalCase(kind)}${name}`, description: `${description} For features of kind ${kind}.` }),
  )
  const writers = new Map(shapes.map(([kind, shape]) => [kind, createBodyWriter(shape)]))
  return {
    name,
    schema: z.discriminatedUnion('kind', [first as z.ZodObject, ...others]).meta({ id: name, description }),
    description,
    fields,
    toBody: (value) => writers.get((value as { kind: string }).kind)?.(value),
  }
}

/** Lists with more items than this are converted while they are written, in slices of the event loop. */
const maxWholeItems = 500

/** A list whose items are converted when `encodeAnswer` or `JSON.stringify` writes them. */
export class LongList<Value> {
  readonly #values: readonly Value[]
  readonly #toBody: (value: Value) => unknown

  constructor(values: readonly Value[], toBody: (value: Value) => unknown) {
    this.#values = values
    this.#toBody = toBody
  }

  *entries(): Generator<[number, unknown]> {
    for (const [index, value] of this.#values.entries()) yield [index, this.#toBody(value)]
  }

  toJSON(): unknown[] {
    return this.#values.map(this.#toBody)
  }
}

/** The answer for a whole list. `maxItems` is the maximum that the service's caps allow, if any. */
export function listOf<Value>(name: string, item: Answer<Value>, maxItems?: number): Answer<readonly Value[]> {
  const list = z.array(item.schema)
  return {
    schema: z.strictObject({ [name]: maxItems === undefined ? list : list.max(maxItems) }),
    toBody: (values) => ({
      [name]: values.length > maxWholeItems ? new LongList(values, item.toBody) : values.map(item.toBody),
    }),
    items: { form: 'list', of: item },
  }
}

export function pageOf<Value>(name: string, item: Answer<Value>): Answer<Page<Value>> {
  return {
    schema: z.strictObject({
      [name]: z.array(item.schema).max(maxPageSize),
      has_more: z.boolean().describe('Whether there is a next page, which starts after the last id of this page.'),
    }),
    toBody: ({ items, hasMore }) => ({ [name]: items.map(item.toBody), has_more: hasMore }),
    items: { form: 'page', of: item },
  }
}

function toField<Value>(name: string, fieldOrSchema: z.ZodType | AnswerField<Value>): AnswerField<Value> {
  return fieldOrSchema instanceof z.ZodType ? fieldFromProperty(toCamelCase(name), fieldOrSchema) : fieldOrSchema
}

function fieldFromProperty(property: string, schema: z.ZodType): AnswerField<unknown> {
  return { schema, property, read: (value) => (value as Record<string, unknown>)[property] }
}

function fieldsOfKind<Value>(fields: ReadonlyMap<string, AnswerField<Value>>, kind: string) {
  return new Map([...fields].filter(([, field]) => field.kind === undefined || field.kind === kind))
}

function toSchema(fields: ReadonlyMap<string, AnswerField<never>>): z.ZodObject {
  return z.strictObject(Object.fromEntries(Array.from(fields, ([name, { schema }]) => [name, schema])))
}

function createBodyWriter<Value>(fields: ReadonlyMap<string, AnswerField<Value>>): (value: Value) => unknown {
  const writers = Array.from(fields, ([name, { schema, read }]) => ({
    name,
    read,
    isOptional: schema instanceof z.ZodOptional,
  }))
  return (value) => {
    const body: Record<string, unknown> = {}
    for (const { name, read, isOptional } of writers) {
      const field = read(value)
      if (field !== null || !isOptional) body[name] = field
    }
    return body
  }
}
