import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql'
import { isPlainObject } from '../core/json.ts'
import { assertAtMost, bounds } from './bounds.ts'

/**
 * Counts values and levels before other code processes them. Not recursive, because the JSON parser accepts any depth, and a
 * recursion would overflow the stack.
 */
export function assertVariablesBounded(variables: Record<string, unknown>): void {
  let values = 0
  let level: unknown[] = [variables]
  for (let depth = 0; level.length > 0; depth += 1) {
    assertAtMost('levels', depth, bounds.variableDepth, 'variables have')
    const next: unknown[] = []
    for (const value of level) {
      const children = childrenOf(value)
      values += children.length
      assertAtMost('values', values, bounds.variableValues, 'variables have')
      for (const child of children) if (typeof child === 'object' && child !== null) next.push(child)
    }
    level = next
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (!isPlainObject(value)) return []
  // For a large object, listing the names takes a third of the time of listing the values.
  assertAtMost('fields in one object', Object.keys(value).length, bounds.variableFields, 'variables have')
  return Object.values(value)
}

/** For a longer message, or beside a longer text in a document, computing suggestions would take too long. */
export const maxLengthForSuggestions = 1_000

/**
 * Coerces the variables of an operation to its types. Stops at the first fault, because each message prints the whole value
 * that contains the fault: a thousand faults in a value would print it a thousand times.
 */
export function coerceVariables(
  { schema, operation, hideSuggestions }: TypedOperation,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const coerce = (hideSuggestions: boolean) =>
    getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1, hideSuggestions })
  const { coerced, errors } = coerce(true)
  if (!errors) return coerced
  const fault = errors[0] ?? new GraphQLError('The variables do not match the operation.')
  // The message contains the name that a suggestion would correct.
  if (hideSuggestions || fault.message.length > maxLengthForSuggestions) throw fault
  throw coerce(false).errors?.[0] ?? fault
}

/**
 * Refuses a variable that is null where a value is required. graphql-js accepts the document if the variable has a default, and
 * would refuse only the field, after earlier mutations ran.
 */
export function assertNoRequiredNull(
  { schema, document, operation }: Pick<TypedOperation, 'schema' | 'operation'> & { document: DocumentNode },
  variables: Record<string, unknown>,
): void {
  const definitions = operation.variableDefinitions ?? []
  const isNullWithDefault = ({ defaultValue, variable }: VariableDefinitionNode) =>
    defaultValue !== undefined && variables[variable.name.value] === null
  if (!definitions.some(isNullWithDefault)) return
  const variableDefinitions = definitions.map((each) =>
    isNullWithDefault(each) ? { ...each, defaultValue: undefined } : each,
  )
  const withoutDefaults = {
    ...document,
    definitions: document.definitions.map((each) => (each === operation ? { ...each, variableDefinitions } : each)),
  }
  const [error] = validate(schema, withoutDefaults, [VariablesInAllowedPositionRule], { maxErrors: 1 })
  const definition = error?.nodes?.find((node) => node.kind === Kind.VARIABLE_DEFINITION)
  if (!definition) return
  const message = `The variable "${definition.variable.name.value}" must not be null, because a value is required where it is used.`
  throw new GraphQLError(message, { nodes: definition })
}

type TypedOperation = { schema: GraphQLSchema; operation: OperationDefinitionNode; hideSuggestions: boolean }
