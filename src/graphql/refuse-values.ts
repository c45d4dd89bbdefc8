import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  Kind,
  KnownArgumentNamesRule,
  type OperationDefinitionNode,
  ProvidedRequiredArgumentsRule,
  type SelectionSetNode,
  specifiedRules,
  TypeInfo,
  ValuesOfCorrectTypeRule,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { DomainError, type FieldError, validationError } from '../core/errors.ts'
import { toCamelCase } from '../core/names.ts'
import type { AnyOperation } from '../operation/operation.ts'
import { fragmentsOf } from './assert-bounded.ts'
import type { GraphqlContext } from './context.ts'
import { inNames, inNamesOfGraphql, pathNamesOf, toGraphqlPath, toOwnNames } from './names.ts'
import { type Fault, readArguments } from './read-arguments.ts'
import { schema } from './schema.ts'

/*
 * Values that do not fit their types in the schema. GraphQL would refuse the document with its own message, whoever asks. Here
 * the caller is admitted first, as over REST, and then the operation reports the error.
 */

const aboutValues: readonly unknown[] = [ValuesOfCorrectTypeRule, ProvidedRequiredArgumentsRule, KnownArgumentNamesRule]
const otherRules = specifiedRules.filter((rule) => !aboutValues.includes(rule))

type Asked = { document: DocumentNode; operation: OperationDefinitionNode; variables: Record<string, unknown> }
type RefusedField = { field: FieldNode; refusal: DomainError }

/** The refusals of the root fields, in their order; none if the document was refused for another reason. */
export async function refuseValues(
  { document, operation, variables }: Asked,
  context: GraphqlContext,
): Promise<RefusedField[]> {
  if (validate(schema, document, otherRules, { maxErrors: 1 }).length > 0) return []
  const given = withDefaults(operation, variables)
  const fragments = fragmentsOf(document)
  const type = schema.getRootType(operation.operation)
  const fields = fieldsOf(operation.selectionSet, fragments).flatMap((field) => {
    const definition = type?.getFields()[field.name.value]
    if (!definition) return []
    const { args, faults } = readArguments(definition, field, given)
    return { field, definition, args, faults: [...faults, ...faultsBelow(definition, field, { fragments, given })] }
  })
  if (fields.every(({ faults }) => faults.length === 0)) return []
  const refused: RefusedField[] = []
  for (const { field, ...asked } of fields) {
    const refusal = await refuse(asked, context)
    if (refusal) refused.push({ field, refusal })
  }
  return refused
}

type RefusedRequest = { definition: GraphQLField<unknown, unknown>; args: object; faults: readonly Fault[] }

/** Runs the resolver up to its operation, which admits the caller and then refuses the input. */
async function refuse(
  { definition, args, faults }: RefusedRequest,
  context: GraphqlContext,
): Promise<DomainError | null> {
  const run = async (operation: AnyOperation, input: object = {}) => {
    const admitted = await context.admit(operation, input)
    const refuseInput = () => {
      throw refusalOf(operation, input, faults)
    }
    if (faults.length > 0) await inNamesOfGraphql(operation.input.fields, () => admitted.run(refuseInput))
    throw new AllowedSignal()
  }
  try {
    await definition.resolve?.(undefined, args as never, { ...context, run } as never, {} as never)
  } catch (error) {
    if (error instanceof DomainError) return error
    if (!(error instanceof AllowedSignal)) throw error
  }
  return faults.length > 0 ? validationError([...faults]) : null
}

/** Thrown instead of running an operation that the caller may run: another part of the document is wrong. */
class AllowedSignal extends Error {}

/** The operation's errors for its input, and the errors that only the schema knows. */
function refusalOf(
  { route, input: { fields, parse } }: AnyOperation,
  input: object,
  faults: readonly Fault[],
): DomainError {
  const faultAt = new Map(faults.map((fault) => [fault.path, fault]))
  const own = faultsOf(() => parse(toOwnNames(fields, input)))
    .map(({ path, message }) => ({ path, message: inValuesOf(faultAt.get(toGraphqlPath(fields, path)), message) }))
    // A misspelled field is not also missing.
    .filter(({ path }) => !faults.some(({ meant }) => meant === toGraphqlPath(fields, path)))
  const pathNames = pathNamesOf(route).map(toCamelCase)
  const others =
    own.length === 0 ? faults : faults.filter(({ path, meant }) => meant !== undefined || pathNames.includes(path))
  return validationError([...own, ...others.map(({ path, message }) => ({ path, message }))])
}

/** The message with GraphQL's names of an enum's values. */
function inValuesOf(fault: Fault | undefined, message: string): string {
  const { values, isQuoted = false } = fault ?? {}
  if (!values) return message
  const named = inNames(values, message)
  return isQuoted ? `${named} Write it without quotation marks.` : named
}

function faultsOf(parse: () => unknown): readonly FieldError[] {
  try {
    parse()
  } catch (error) {
    if (error instanceof DomainError) return (error.details?.fields ?? []) as FieldError[]
    // A value of another shape than its wording expects.
    if (!(error instanceof TypeError)) throw error
  }
  return []
}

type Fragments = ReturnType<typeof fragmentsOf>
type ValueContext = { fragments: Fragments; given: Record<string, unknown> }

/** The fields of a selection and of its fragments. */
function fieldsOf({ selections }: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    return inner ? fieldsOf(inner.selectionSet, fragments) : []
  })
}

/** The faults in the arguments of the fields below a field. Each fragment is visited once. */
function faultsBelow(
  definition: GraphQLField<unknown, unknown>,
  { selectionSet }: FieldNode,
  { fragments, given }: ValueContext,
): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const visitFields = (node: SelectionSetNode | NonNullable<ReturnType<Fragments['get']>>, types: TypeInfo) =>
    visit(
      node,
      visitWithTypeInfo(types, {
        Field(field) {
          const below = types.getFieldDef()
          if (below) faults.push(...readArguments(below, field, given).faults)
        },
        FragmentSpread({ name: { value } }) {
          const fragment = fragments.get(value)
          if (!fragment || seen.has(value)) return
          seen.add(value)
          visitFields(fragment, new TypeInfo(schema))
        },
      }),
    )
  if (selectionSet) visitFields(selectionSet, new TypeInfo(schema, definition.type))
  return faults
}

/** The variables as sent, with the defaults of missing ones. */
function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, variables: Record<string, unknown>) {
  const defaults = variableDefinitions.flatMap(({ variable: { name }, defaultValue }) =>
    defaultValue ? [[name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  )
  return { ...Object.fromEntries(defaults), ...variables }
}
