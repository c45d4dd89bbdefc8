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

/** Counts each part of an answer before it is built: the rows of lists with their fields, and the values of leaves. */
class BudgetPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (type.kind === 'Object') return resolve
    const count = type.kind === 'List' ? countList : countLeaf
    return (parent, args, context, info) => {
      const value = resolve(parent, args, context, info)
      if (value instanceof Promise) return value.then((loaded) => count(loaded, context as GraphqlContext, info))
      return count(value, context as GraphqlContext, info)
    }
  }
}

SchemaBuilder.registerPlugin('budget', BudgetPlugin)

function countLeaf(value: unknown, { budget }: GraphqlContext): unknown {
  const isObject =
    typeof value === 'object' && value !== null && !(value instanceof StoredJson || value instanceof Date)
  budget.countAnswer(1, isObject ? Buffer.byteLength(JSON.stringify(value)) : bytesOf(value))
  return value
}

function countList(list: unknown, { budget, owner }: GraphqlContext, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(list)) return list
  const row = shapeOf(info)
  budget.countAnswer(list.length * (row.values + 1), list.length * (row.bytes + 3))
  if (row.values === 0) for (const value of list) budget.countAnswer(0, bytesOf(value))
  const isLong = list.length * (row.values + 1) > valuesPerSlice
  // Rows with nested fields should arrive in one turn of the event loop, so that one read loads the fields of all rows.
  const needsSlices = row.isFlat ? isLong || isSliceOver() : isLong
  return needsSlices ? inSlices(list, owner) : list
}

const valuesPerSlice = 5_000

/** Yields the rows of a list, and lets other requests run in between. */
async function* inSlices<Row>(rows: readonly Row[], owner: string): AsyncGenerator<Row> {
  for (const row of rows) {
    if (isSliceOver()) await loopSlices.next(owner)
    yield row
  }
}

/** The approximate size of a leaf as JSON, in bytes. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value))
  if (value instanceof StoredJson) return value.bytes
  return value instanceof Date ? 26 : 8
}

/** The values and bytes of a row; `isFlat` if none of its fields has nested fields. */
type Shape = { values: number; bytes: number; isFlat: boolean }

const shapes = new WeakMap<readonly FieldNode[], Shape>()

/** The minimum size of a row: its fields and their names, including the fields of nested objects and lists. */
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
  fragmentShapes: Map<string, Shape>,
): Shape {
  let [values, bytes, isFlat] = [0, 0, true]
  for (const selection of selections) {
    const inner = shapeOfInner(selection, fragments, fragmentShapes)
    isFlat &&= inner.isFlat && !(selection.kind === Kind.FIELD && selection.selectionSet)
    values += inner.values
    bytes += inner.bytes
    if (selection.kind !== Kind.FIELD) continue
    values += 1
    // The name, quotes, colon and comma.
    bytes += (selection.alias ?? selection.name).value.length + 4
  }
  return { values, bytes, isFlat }
}

function shapeOfInner(
  selection: SelectionNode,
  fragments: GraphQLResolveInfo['fragments'],
  fragmentShapes: Map<string, Shape>,
): Shape {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) {
    return shapeOfSelections(selection.selectionSet?.selections ?? [], fragments, fragmentShapes)
  }
  const name = selection.name.value
  const cached = fragmentShapes.get(name)
  if (cached) return cached
  const shape = shapeOfSelections(fragments[name]?.selectionSet.selections ?? [], fragments, fragmentShapes)
  fragmentShapes.set(name, shape)
  return shape
}
