import type { InputFieldMap } from '@pothos/core'
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import { kindOf } from '../operation/kinds.ts'
import type { AnyOperation, Read, ResultOf } from '../operation/operation.ts'
import { builder } from './builder.ts'
import type { CallingPage, GraphqlContext } from './context.ts'
import { argsOf, defineInputType, withoutNulls } from './input-type.ts'
import { pathNamesOf } from './names.ts'
import { type ObjectType, objectTypeOf } from './output-type.ts'
import { listArgs, pageField } from './page.ts'

/*
 * A root field is derived from its operation: the name, the description, the arguments and the type. Adjustments are declared
 * next to the types of the resource.
 */

type Arguments = Record<string, unknown>

type Adjustment<Result> = {
  name?: string
  /** Replaces the type of the answer. */
  type?: ObjectType<unknown>
  /** The sentence of the description after the operation's summary. */
  note?: string
  /** Input fields of a list that are arguments of their own instead of fields of the filter. */
  directArgs?: readonly string[]
  /** The operation reads rows together with the relations that the document selects. */
  readsRelations?: true
  args?: InputFieldMap
  resolve?(root: unknown, args: never, context: GraphqlContext): unknown
  /** Called after the operation ran. Returns the field's value; if it returns none, that is the operation's result. */
  finish?(result: Result, request: { input: Arguments; page: CallingPage }): unknown
}

const adjustments = new Map<AnyOperation, Adjustment<never>>()
const withoutRootField = new Set<AnyOperation>()

export function adjustRootField<Operation extends AnyOperation>(
  operation: Operation,
  options: Adjustment<ResultOf<Operation>>,
): void {
  adjustments.set(operation, options)
}

/** Marks reads that are fields of other objects and have no root field. */
export function markNestedOnly(...operations: readonly AnyOperation[]): void {
  for (const operation of operations) withoutRootField.add(operation)
}

/** Must be called after all types are defined. */
export function defineRootFields(operations: readonly AnyOperation[]): void {
  for (const operation of operations) {
    if (withoutRootField.has(operation)) continue
    const { name = operation.name, ...options } = adjustments.get(operation) ?? {}
    const field = fieldOf(operation, options as Adjustment<unknown>) as never
    if (kindOf(operation).isWrite) builder.mutationField(name, (t) => t.field(field))
    else builder.queryField(name, (t) => t.field(field))
  }
}

function fieldOf(
  operation: AnyOperation,
  { note = noteOf(operation), directArgs, finish, readsRelations, ...own }: Adjustment<unknown>,
): object {
  const description = [operation.summary, note].filter(Boolean).join(' ')
  const { answer, method, route } = operation
  const { fields } = operation.input
  const items = answer && 'items' in answer ? answer.items : undefined
  if (items?.form === 'page') {
    const node = objectTypeOf(items.of) as ObjectType<never>
    const args = own.args ?? listArgs(node, fields, directArgs)
    return { ...pageField(operation as Read<string, unknown, never>, node, args, readsRelations), description, ...own }
  }
  const takesInput = kindOf(operation).isWrite || method === 'POST'
  return {
    ...own,
    type: own.type ?? (items ? [objectTypeOf(items.of)] : answer ? objectTypeOf(answer) : 'ID'),
    description,
    args: own.args ?? (takesInput ? inputArgs(operation) : argsOf(fields, route)),
    resolve:
      own.resolve ??
      (async (_root: unknown, args: Arguments, context: GraphqlContext, info: GraphQLResolveInfo) => {
        const input = takesInput ? ((args.input ?? {}) as Arguments) : (withoutNulls(args) as Arguments)
        const selection = () => (readsRelations ? queryFromInfo({ context, info }) : {})
        const result = await context.run(operation, input, selection)
        return finish?.(result, { input, page: context.page }) ?? result
      }),
  }
}

function noteOf({ kind, method, answer }: AnyOperation): string | undefined {
  if (kind === 'open_read') return 'Anyone may call this.'
  return method === 'DELETE' && answer === null ? 'Returns the deleted id.' : undefined
}

/** One argument `input` of the type `<Operation>Input` with path values and body fields; no argument if there are none. */
function inputArgs({ name, route, input: { fields } }: AnyOperation): InputFieldMap {
  if (fields.size === 0 && pathNamesOf(route).length === 0) return {}
  const description = `The input of \`${name}\`.`
  const type = defineInputType(`${name.charAt(0).toUpperCase()}${name.slice(1)}Input`, fields, { route, description })
  return builder.args((t) => ({
    input: t.field({ type, required: true, description: 'The arguments of the operation.' }),
  }))
}
