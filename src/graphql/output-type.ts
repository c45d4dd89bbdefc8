import type { FieldMap, OutputType, SchemaTypes } from '@pothos/core'
import type { AnswerField, ObjectAnswer } from '../core/answer.ts'
import { type FieldType, fieldOf } from '../core/field-type.ts'
import { toCamelCase } from '../core/names.ts'
import { type builder, enumOf } from './builder.ts'

type BuilderTypes =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types extends SchemaTypes> ? Types : never
/** The `t` of any object type, whether Prisma knows it or not. */
type ObjectFields<Value> = Pick<PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Value>, 'field'>

/** The fields of an object type that its answer describes, except those that GraphQL shows as objects: see `fields`. */
export function answerFields<Value>(
  t: ObjectFields<Value>,
  { fields }: ObjectAnswer<Value>,
  { except = [] }: { except?: readonly string[] } = {},
): FieldMap {
  const derived = [...fields].filter(([name]) => !except.includes(name))
  return Object.fromEntries(derived.map(([name, field]) => [toCamelCase(name), answerField(t, field)]))
}

/** A union is one type here: a field of one kind is null for the others. */
function answerField<Value>(t: ObjectFields<Value>, { schema, kind, read }: AnswerField<Value>) {
  const { type, isOptional, isNullable, allowed } = fieldOf(schema)
  const isAbsent = (value: Value) => kind !== undefined && (value as { kind: string }).kind !== kind
  return t.field({
    type: typeOf(type) as 'String',
    nullable: isOptional || isNullable || kind !== undefined,
    description: allowed,
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
      throw new Error(`${type.kind === 'object' ? type.name : 'a map'} is an object type: write the field by hand`)
  }
}
