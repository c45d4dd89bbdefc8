import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import { type FieldNode, type GraphQLFieldResolver, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql'
import { StoredJson } from '../core/stored-json.ts'
import { isSliceOver, loopSlices } from '../fairness/loop-slices.ts'
import type { GraphqlContext } from './context.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      budget: BudgetPlugin<Types>
    }
  }
}

/** Counts each part of an answer before it is built: rows of lists with their fields, and the values of leaves. */
class BudgetPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (type.kind === 'Object') return resolve
    const take = type.kind === 'List' ? takeList : countLeaf
    return (parent, args, context, info) => {
      const value = resolve(parent, args, context, info)
      if (value instanceof Promise) return value.then((loaded) => take(loaded, context as GraphqlContext, info))
      return take(value, context as GraphqlContext, info)
    }
  }
}

SchemaBuilder.registerPlugin('budget', BudgetPlugin)

function countLeaf(value: unknown, { budget }: GraphqlContext): unknown {
  budget.takeAnswer(1, bytesOf(value))
  return value
}

function takeList(list: unknown, { budget, owner }: GraphqlContext, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(list)) return list
  const row = shapeOf(info)
  budget.takeAnswer(list.length * (row.values + 1), list.length * (row.bytes + 3))
  if (row.values === 0) for (const value of list) budget.takeAnswer(0, bytesOf(value))
  const isLong = list.length * (row.values + 1) > valuesPerSlice
  // The nested fields of all rows are read at once, which needs the rows in one turn.
  const mayWait = row.isFlat ? isLong || isSliceOver() : isLong
  return mayWait ? inSlices(list, owner) : list
}

const valuesPerSlice = 5_000

/** Yields the rows of a list, and lets other requests run in between. */
async function* inSlices<Row>(rows: readonly Row[], owner: string): AsyncGenerator<Row> {
  for (const row of rows) {
    if (isSliceOver()) await loopSlices.next(owner)
    yield row
  }
}

/** The size of a leaf as JSON. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value))
  if (value instanceof StoredJson) return value.bytes
  return value instanceof Date ? 26 : 8
}

/** `isFlat`: whether no field has fields of its own. */
type Shape = { values: number; bytes: number; isFlat: boolean }

const shapes = new WeakMap<readonly FieldNode[], Shape>()

/** The minimum size of a list's row: its fields, including those of nested objects and lists, and their names. */
function shapeOf({ fieldNodes, fragments }: GraphQLResolveInfo): Shape {
  let shape = shapes.get(fieldNodes)
  if (!shape) {
    const selections = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    shape = shapeOfSelections(selections, fragments, new Map())
    shapes.set(fieldNodes, shape)
  }
  return shape
}

function shapeOfSelections(
  selections: readonly SelectionNode[],
  fragments: GraphQLResolveInfo['fragments'],
  known: Map<string, Shape>,
): Shape {
  let [values, bytes, isFlat] = [0, 0, true]
  for (const selection of selections) {
    const below = shapeOfOne(selection, fragments, known)
    isFlat &&= below.isFlat && !(selection.kind === Kind.FIELD && selection.selectionSet)
    values += below.values
    bytes += below.bytes
    if (selection.kind !== Kind.FIELD) continue
    values += 1
    // The name, quotes, colon and comma.
    bytes += (selection.alias ?? selection.name).value.length + 4
  }
  return { values, bytes, isFlat }
}

function shapeOfOne(
  selection: SelectionNode,
  fragments: GraphQLResolveInfo['fragments'],
  known: Map<string, Shape>,
): Shape {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) {
    return shapeOfSelections(selection.selectionSet?.selections ?? [], fragments, known)
  }
  const name = selection.name.value
  const measured = known.get(name)
  if (measured) return measured
  const shape = shapeOfSelections(fragments[name]?.selectionSet.selections ?? [], fragments, known)
  known.set(name, shape)
  return shape
}
