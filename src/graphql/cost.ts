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

type ValidDocument = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** The coerced variables: coercing them again would double the time. */
  variables: Record<string, unknown>
}

/**
 * Refuses an operation that may read too much, by the costs that the schema declares (`complexity`). While the operation runs,
 * `Budget` counts what it actually reads.
 */
export function assertAffordable(document: ValidDocument): void {
  const { schema, operation } = document
  const rootType = schema.getRootType(operation.operation)
  if (!rootType) throw new GraphQLError(`This API has no GraphQL operations of type ${operation.operation}.`)
  const cost = costOfSelections(document, operation.selectionSet, rootType, new Map())
  if (cost <= bounds.cost) return
  throw new GraphQLError(
    `The document may read too much: its cost is ${cost}, and the maximum is ${bounds.cost}. ` +
      'Ask for smaller pages (first), or for fewer lists within lists.',
  )
}

/** Each selection set is measured once: nested fragments that are spread twice at each level would otherwise take forever. */
type Costs = Map<SelectionSetNode, number>

function costOfSelections(
  document: ValidDocument,
  set: SelectionSetNode,
  type: GraphQLNamedType,
  costs: Costs,
): number {
  const cached = costs.get(set)
  if (cached !== undefined) return cached
  let cost = 0
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      cost += costOfField(document, selection, type, costs)
      continue
    }
    // The schema has no interfaces and unions, so a fragment always has the type of its parent.
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : document.fragments.get(selection.name.value)
    if (fragment) cost += costOfSelections(document, fragment.selectionSet, type, costs)
  }
  costs.set(set, cost)
  return cost
}

type DeclaredComplexity = FieldComplexityValue | ((args: object) => FieldComplexityValue) | undefined

function costOfField(document: ValidDocument, node: FieldNode, type: GraphQLNamedType, costs: Costs): number {
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined
  // Introspection is counted while it runs.
  if (!field) return 1
  const declared = field.extensions.complexity as DeclaredComplexity
  const complexity =
    typeof declared === 'function' ? declared(getArgumentValues(field, node, document.variables)) : declared
  const { field: own = 1, multiplier = 1 } = typeof complexity === 'object' ? complexity : { field: complexity }
  if (!node.selectionSet) return own
  return own + multiplier * costOfSelections(document, node.selectionSet, getNamedType(field.type), costs)
}
