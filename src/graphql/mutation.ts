import type { InputFieldMap, InputShapeFromFields, OutputRef, SchemaTypes } from '@pothos/core'
import type { UserWrite, Write } from '../operation/operation.ts'
import { builder } from './builder.ts'
import type { CallingPage } from './context.ts'

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
  const Input = fields && defineMutationInput(operation.name, fields)
  builder.mutationField(operation.name, (t) =>
    t.field({
      type: type as OutputRef<unknown>,
      description,
      args: Input ? { input: t.arg({ type: Input, required: true }) } : {},
      resolve: (_root, { input = {} }: { input?: object }, context) =>
        context.run(operation, input, { toBody: toBody as never }) as never,
    }),
  )
}

type UserMutationOptions<Shape, Fields extends InputFieldMap> = Omit<MutationOptions<Shape, Fields>, 'toBody'> & {
  /** What becomes of the cookies of the page that asked, once the write is done. */
  cookies?: (result: Shape, page: CallingPage) => void
}

/** The mutation of what a person does for themselves. */
export function defineUserMutation<Route extends string, T, Shape, Fields extends InputFieldMap>(
  operation: UserWrite<Route, T, Shape>,
  { type, description, input: fields, cookies }: UserMutationOptions<Shape, Fields>,
): void {
  const Input = fields && defineMutationInput(operation.name, fields)
  builder.mutationField(operation.name, (t) =>
    t.field({
      type: type as OutputRef<unknown>,
      description,
      args: Input ? { input: t.arg({ type: Input, required: true }) } : {},
      resolve: async (_root, { input = {} }: { input?: object }, context) => {
        const result = await context.run(operation, input)
        cookies?.(result, context.page)
        return result as never
      },
    }),
  )
}

export function defineMutationInput<Fields extends InputFieldMap>(
  operationName: string,
  fields: (t: InputFields) => Fields,
) {
  const name = `${operationName.charAt(0).toUpperCase()}${operationName.slice(1)}Input`
  return builder.inputType(name, { fields } as never)
}
