import type { InputFieldMap, InputShapeFromFields, OutputRef, SchemaTypes } from '@pothos/core'
import type { Write } from '../operation/operation.ts'
import { builder } from './builder.ts'

type BuilderTypes =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types extends SchemaTypes> ? Types : never
type InputFields = PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>

type MutationOptions<Shape, Fields extends InputFieldMap> = {
  /** What it answers: the object, or the id of what is gone. */
  type: OutputRef<Shape> | 'ID'
  description?: string
  /** Path values and body fields together, in camel case. Without it, the mutation takes nothing. */
  input?: (t: InputFields) => Fields
  /** See the context's `write`. */
  toBody?: (
    body: { [Name in keyof InputShapeFromFields<Fields>]: InputShapeFromFields<Fields>[Name] },
  ) => Record<string, unknown>
}

/** The mutation of a write operation, which takes all in one `input` of the type `<Operation>Input`, if anything. */
export function defineMutation<Route extends string, T, Shape, Fields extends InputFieldMap>(
  operation: Write<Route, T, Shape>,
  { type, description, input: fields, toBody }: MutationOptions<Shape, Fields>,
): void {
  const name = `${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}Input`
  const Input = fields && builder.inputType(name, { fields } as never)
  builder.mutationField(operation.name, (t) =>
    t.field({
      type: type as OutputRef<unknown>,
      description,
      args: Input ? { input: t.arg({ type: Input, required: true }) } : {},
      resolve: (_root, { input = {} }: { input?: object }, context) =>
        context.write(operation, input, toBody as never) as never,
    }),
  )
}
