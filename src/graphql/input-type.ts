import type { InputFieldMap, InputType, SchemaTypes } from '@pothos/core'
import { type Field, type Fields, type FieldType, toSentence } from '../core/field-type.ts'
import { toCamelCase } from '../core/names.ts'
import { pathFieldOf } from '../operation/path-fields.ts'
import { builder, enumOf } from './builder.ts'
import { nameOf, pathNamesOf } from './names.ts'

type BuilderTypes =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types extends SchemaTypes> ? Types : never
type InputFields = PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>
type TypeParam = InputType<BuilderTypes> | [InputType<BuilderTypes>]

const inputTypes = new Map<string, InputType<BuilderTypes>>()

/** Defines the input type with these fields, or returns the type that has this name already. */
export function defineInputType(name: string, fields: Fields, { route = '', description }: Options = {}) {
  const existing = inputTypes.get(name)
  if (existing) return existing
  const type = builder.inputType(name, {
    description,
    fields: (t) => ({ ...pathFields(t, route), ...inputFields(t, fields) }),
  }) as InputType<BuilderTypes>
  inputTypes.set(name, type)
  return type
}

type Options = {
  /** The operation's route, whose path values become the first fields. */
  route?: string
  description?: string | undefined
}

function pathFields(t: InputFields, route: string): InputFieldMap {
  const fields = pathNamesOf(route).map((name) => {
    const { description } = pathFieldOf(route, name)
    return [toCamelCase(name), t.id({ required: true, description })]
  })
  return Object.fromEntries(fields)
}

/** Fields for an input type that has more fields of its own. */
export function inputFields(t: InputFields, fields: Fields): InputFieldMap {
  return Object.fromEntries(Array.from(fields, ([name, field]) => [nameOf(name, field), inputField(t, field)]))
}

function inputField(t: InputFields, field: Field) {
  const { isOptional, isNullable, fallback, notes, wordedField: worded = field } = field
  return t.field({
    type: typeOf(worded.type) as 'String',
    required: !isOptional && !isNullable,
    defaultValue: fallback as string | undefined,
    description: describe(worded, notes.meaning),
  })
}

function typeOf(type: FieldType): TypeParam {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'enum':
      return enumOf(type)
    case 'list':
      return [typeOf(type.item.type) as InputType<BuilderTypes>]
    case 'object':
      return defineInputType(type.name, type.fields, { description: type.description })
    case 'map':
      throw new Error('GraphQL has no maps: define the field without one')
  }
}

/** The meaning and the allowed values of a field. For an enum, the meaning or else the enum's description. */
function describe({ type, allowed }: Field, meaning: string | undefined): string | undefined {
  if (type.kind === 'enum') return meaning ?? type.description
  const isBoolean = type.kind === 'scalar' && type.name === 'Boolean'
  const sentence = allowed && !isBoolean && toSentence(allowed)
  return [meaning, sentence].filter(Boolean).join(' ') || undefined
}

/** The path values and input fields of an operation as arguments of a field. Null means absent: see `withoutNulls`. */
export function argsOf(fields: Fields, route = '') {
  // Pothos has one builder for arguments and input fields, but gives it different types.
  const inputOf = (t: unknown) => ({ ...pathFields(t as InputFields, route), ...inputFields(t as InputFields, fields) })
  return builder.args((t) => inputOf(t)) as InputFieldMap
}

/** Removes the arguments that are null, which count as absent. */
export function withoutNulls(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}
