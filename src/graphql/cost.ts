import type { FieldComplexityValue } from '@pothos/plugin-complexity'
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { bounds } from './bounds.ts'

type Runnable = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Already coerced; coercing them again would double the time. */
  variables: Record<string, unknown>
}

/**
 * Refuses an operation that may read too much, by the costs that the schema declares (`complexity`). The document is
 * already validated. Budget counts the actual reads while it runs.
 */
export function assertAffordable(document: Runnable): void {
  const { schema, operation } = document
  const rootType = schema.getRootType(operation.operation)
  if (!rootType) throw new GraphQLError(`There are no ${operation.operation}s here.`)
  const cost = costOfSelections(document, operation.selectionSet, rootType, new Map())
  if (cost <= bounds.cost) return
  throw new GraphQLError(
    `The document may read too much: its cost is ${cost}, and the maximum is ${bounds.cost}. ` +
      'Ask for smaller pages (first), or for fewer lists within lists.',
  )
}

/** Measures each selection set once for each type: fragments that double each time would otherwise take forever. */
type Known = Map<SelectionSetNode, number>

function costOfSelections(document: Runnable, set: SelectionSetNode, type: GraphQLNamedType, known: Known): number {
  const measured = known.get(set)
  if (measured !== undefined) return measured
  let cost = 0
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      cost += costOfField(document, selection, type, known)
      continue
    }
    // The schema has no interfaces and unions, so a fragment always has the type of its parent.
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : document.fragments.get(selection.name.value)
    if (fragment) cost += costOfSelections(document, fragment.selectionSet, type, known)
  }
  known.set(set, cost)
  return cost
}

function costOfField(document: Runnable, node: FieldNode, type: GraphQLNamedType, known: Known): number {
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined
  // Introspection is counted while it runs.
  if (!field) return 1
  const stated = field.extensions.complexity as
    | FieldComplexityValue
    | ((args: object) => FieldComplexityValue)
    | undefined
  const complexity = typeof stated === 'function' ? stated(getArgumentValues(field, node, document.variables)) : stated
  const { field: own = 1, multiplier = 1 } = typeof complexity === 'object' ? complexity : { field: complexity }
  if (!node.selectionSet) return own
  return own + multiplier * costOfSelections(document, node.selectionSet, getNamedType(field.type), known)
}
