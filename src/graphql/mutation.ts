import type { InputFieldMap, OutputRef } from '@pothos/core'
import type { AnyOperation, BulkWrite, UserWrite, Write } from '../operation/operation.ts'
import { builder } from './builder.ts'
import type { CallingPage } from './context.ts'
import { defineInputType } from './input-type.ts'
import { placesOf } from './names.ts'

type MutationOptions<Shape> = {
  /** The answer: the object, or the id of a deleted one. */
  type: OutputRef<Shape> | 'ID'
  /** Added to its description after the operation's summary. */
  note?: string
  /** Gives the result the names that the caller used in the input. */
  inNamesOf?: (input: Record<string, unknown>, result: Shape) => Shape
}

/** The mutation of a write operation. */
export function defineMutation<Route extends string, T, Shape>(
  operation: Write<Route, T, Shape> | BulkWrite<Route, T, Shape>,
  { type, note, inNamesOf }: MutationOptions<Shape>,
): void {
  builder.mutationField(operation.name, (t) =>
    t.field({
      type: type as OutputRef<unknown>,
      description: [operation.summary, note].filter(Boolean).join(' '),
      args: inputArgs(operation),
      resolve: async (_root, { input = {} }: { input?: unknown }, context) => {
        const result = (await context.run(operation, input as object)) as Shape
        return inNamesOf ? inNamesOf(input as Record<string, unknown>, result) : result
      },
    }),
  )
}

type UserMutationOptions<Shape> = MutationOptions<Shape> & {
  /** Sets or removes cookies of the caller's page, once the write has run. */
  cookies?: (result: Shape, page: CallingPage) => void
}

/** The mutation of a personal action. */
export function defineUserMutation<Route extends string, T, Shape>(
  operation: UserWrite<Route, T, Shape>,
  { type, note, cookies }: UserMutationOptions<Shape>,
): void {
  builder.mutationField(operation.name, (t) =>
    t.field({
      type: type as OutputRef<unknown>,
      description: [operation.summary, note].filter(Boolean).join(' '),
      args: inputArgs(operation),
      resolve: async (_root, { input = {} }: { input?: unknown }, context) => {
        const result = await context.run(operation, input as object)
        cookies?.(result, context.page)
        return result
      },
    }),
  )
}

/** One `input` of the type `<Operation>Input` with path values and body fields together; no argument without fields. */
export function inputArgs({ name, route, input: { fields } }: AnyOperation): InputFieldMap {
  if (fields.size === 0 && placesOf(route).length === 0) return {}
  const type = defineInputType(`${name.charAt(0).toUpperCase()}${name.slice(1)}Input`, fields, { route })
  return builder.args((t) => ({ input: t.field({ type, required: true }) }))
}
