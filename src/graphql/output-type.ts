import type { FieldMap, ObjectRef, OutputType, SchemaTypes } from '@pothos/core'
import type { Answer, AnswerField, ObjectAnswer } from '../core/answer.ts'
import { allowedBy, type FieldType, fieldOf } from '../core/field-type.ts'
import { toCamelCase } from '../core/names.ts'
import { builder, enumOf } from './builder.ts'
import { needsColumns } from './needed-columns.ts'

type BuilderTypes =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types extends SchemaTypes> ? Types : never
/** The field builder (`t`) of any object type, with or without a Prisma model. */
type ObjectFields<Value> = Pick<PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Value>, 'field'>

export type ObjectType<Value> = ObjectRef<BuilderTypes, Value>

type TypeOptions<Value> = {
  /** Fields of the answer that have a different form in GraphQL. */
  except?: readonly string[]
  /** Fields that GraphQL adds. */
  fields?(t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Value>): FieldMap
}

/** Defines an object type with the name and the fields that an answer describes. */
export function defineType<Value extends object>(
  answer: ObjectAnswer<Value>,
  { except, fields }: TypeOptions<Value> = {},
): ObjectType<Value> {
  const type = builder.objectRef<Value>(answer.name).implement({
    description: answer.description,
    fields: (t) => ({ ...answerFields(t, answer, { except: except ?? [] }), ...fields?.(t as never) }),
  })
  registerType(type, answer)
  return type
}

/** The REST API's description of an answer's field, for a field that has a different form in GraphQL. */
export function descriptionOf({ name, fields }: ObjectAnswer<never>, field: string): string {
  const description = allowedBy((fields.get(field) as AnswerField<never>).schema)
  if (!description) throw new Error(`${name} needs a description of ${field}`)
  return description
}

const types = new Map<unknown, ObjectType<unknown>>()

/** Declares the type of these answers, and of lists and pages of them. */
export function registerType<Value>(type: ObjectType<Value>, ...answers: readonly Answer<never>[]): void {
  for (const answer of answers) types.set(answer, type as ObjectType<unknown>)
}

/** The type of an answer. */
export function objectTypeOf(answer: unknown): ObjectType<unknown> {
  const type = types.get(answer)
  if (!type) throw new Error(`${(answer as { name?: string }).name ?? 'The answer'} needs a GraphQL type that shows it`)
  return type
}

/** The fields that an answer describes, except those in `except`. */
export function answerFields<Value>(
  t: ObjectFields<Value>,
  { fields }: ObjectAnswer<Value>,
  { except = [] }: { except?: readonly string[] } = {},
): FieldMap {
  const included = [...fields].filter(([name]) => !except.includes(name))
  return Object.fromEntries(included.map(([name, field]) => [toCamelCase(name), answerField(t, field)]))
}

/** A union becomes one type, in which a field of one kind is null for the other kinds. */
function answerField<Value>(t: ObjectFields<Value>, { schema, kind, property, read }: AnswerField<Value>) {
  const { type, isOptional, isNullable, allowed } = fieldOf(schema)
  const isAbsent = (value: Value) => kind !== undefined && (value as { kind: string }).kind !== kind
  return t.field({
    type: typeOf(type) as 'String',
    nullable: isOptional || isNullable || kind !== undefined,
    description: allowed,
    // A field of one kind also reads the kind.
    ...(property && { extensions: needsColumns(property, ...(kind === undefined ? [] : ['kind'])) }),
    resolve: (value) => (isAbsent(value) ? null : read(value)) as string,
  })
}

function typeOf(type: FieldType): OutputType<BuilderTypes> | [OutputType<BuilderTypes>] {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'enum':
      return enumOf(type)
    case 'list':
      return [typeOf(type.item.type) as OutputType<BuilderTypes>]
    default:
      throw new Error(`a field of type ${type.kind === 'object' ? type.name : 'map'} must be defined by hand`)
  }
}
