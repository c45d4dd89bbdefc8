import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  getNullableType,
  isInputObjectType,
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
import { DomainError, type FieldError, maxFieldErrors, validationError } from '../core/errors.ts'
import type { Fields } from '../core/field-type.ts'
import { toCamelCase, toSnakeCase } from '../core/names.ts'
import type { AnyOperation } from '../operation/operation.ts'
import { fieldsIn, fragmentsOf } from './assert-bounded.ts'
import { bounds } from './bounds.ts'
import { type GraphqlContext, runInLoopSlice } from './context.ts'
import { nameOf, pathNamesOf, toGraphqlDetail, toOperationNames } from './names.ts'
import { type Fault, type ReadRequest, readArguments } from './read-arguments.ts'
import { schema } from './schema.ts'

/*
 * Refuses values that do not fit their types in the schema. graphql-js would refuse the document before the caller is admitted,
 * and with its own message. Here the caller is admitted first, as in REST, and the operation reports the error.
 */

const valueRules: readonly unknown[] = [ValuesOfCorrectTypeRule, ProvidedRequiredArgumentsRule, KnownArgumentNamesRule]
const otherRules = specifiedRules.filter((rule) => !valueRules.includes(rule))

type ParsedRequest = { document: DocumentNode; operation: OperationDefinitionNode; variables: Record<string, unknown> }
type FieldCall = { definition: GraphQLField<unknown, unknown>; args: object; faults: readonly Fault[] }
type RefusedField = { field: FieldNode; refusal: DomainError }

/** Returns the refusals of the root fields, in order; none if the document was refused for another reason. */
export async function refuseValues(request: ParsedRequest, context: GraphqlContext): Promise<RefusedField[]> {
  const fields = await runInLoopSlice(context, () => readFields(request))
  if (fields.every(({ faults }) => faults.length === 0)) return []
  const refusedFields: RefusedField[] = []
  for (const { field, ...rest } of fields) {
    const refusal = await refuse(rest, context)
    if (refusal) refusedFields.push({ field, refusal })
  }
  return refusedFields
}

/** Reads the arguments of all fields; returns none if the document has other faults. */
function readFields({ document, operation, variables }: ParsedRequest): (FieldCall & { field: FieldNode })[] {
  if (validate(schema, document, otherRules, { maxErrors: 1 }).length > 0) return []
  const request = {
    variables: withDefaults(operation, variables),
    remainingValues: bounds.variableValues + bounds.tokens,
  }
  const fragments = fragmentsOf(document)
  const type = schema.getRootType(operation.operation)
  return fieldsIn(operation.selectionSet.selections, fragments).flatMap((field) => {
    const definition = type?.getFields()[field.name.value]
    if (!definition) return []
    const { args, faults } = readArguments(definition, field, request)
    const nestedFaults = findNestedFaults(definition, field, { fragments, request })
    return { field, definition, args, faults: [...faults, ...nestedFaults] }
  })
}

/** Runs the resolver up to its operation, which admits the caller and then refuses the input. */
async function refuse({ definition, args, faults }: FieldCall, context: GraphqlContext): Promise<DomainError | null> {
  const run = async (operation: AnyOperation, input: object = {}) => {
    const admitted = await context.admit(operation, input)
    const refuseInput = () => {
      throw refusalOf(operation, input, { definition, faults })
    }
    if (faults.length > 0) await runInLoopSlice(context, () => admitted.run(refuseInput))
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

/** Thrown instead of running an operation that the caller may run, because another part of the document is wrong. */
class AllowedSignal extends Error {}

/** The errors that the operation reports for its input, and errors that only the schema finds. */
function refusalOf(
  { route, input: { fields, hints, parse } }: AnyOperation,
  input: object,
  { definition, faults }: Pick<FieldCall, 'definition' | 'faults'>,
): DomainError {
  const [names, wordedNames] = [argumentNamesOf(definition), wordedNamesOf(fields)]
  const isInWorded = ({ path }: Pick<FieldError, 'path'>) => wordedNames.has(firstNameOf(path))
  const hasWordedFault = faults.some(isInWorded)
  // A misspelled field is not also reported as missing.
  const isMisspelled = (path: string) => faults.some(({ intended }) => intended === path)
  const own = collectErrors(() => parse(toOperationNames(fields, input)))
    .map((detail) => toGraphqlDetail(fields, detail))
    // `checks` has no argument `feature`, which its operation would require.
    .filter(({ path }) => path === '' || names.has(firstNameOf(path)))
    .filter(({ path }) => !isMisspelled(path))
    // A value that does not fit the type in the schema was converted to nonsense, such as a grant of the feature "undefined".
    .filter((detail) => !hasWordedFault || !isInWorded(detail))
    .map((detail) => withHint(faults, detail))
  const pathNames = pathNamesOf(route).map(toCamelCase)
  const isOnlyInSchema = ({ unknown, path }: Fault) =>
    unknown || (!isMisspelled(path) && (own.length === 0 || pathNames.includes(path) || isInWorded({ path })))
  const others = faults.filter(isOnlyInSchema).map(({ path, message, unknown }) => {
    const hint = unknown === 'field' ? (hints.get(path) ?? hints.get(toSnakeCase(path))) : undefined
    return { path, message: hint ? toGraphqlDetail(fields, { path, message: hint }).message : message }
  })
  return validationError([...own, ...others])
}

/** The names of fields that GraphQL takes in another form than REST, such as a list instead of a map. */
function wordedNamesOf(fields: Fields): Set<string> {
  return new Set(Array.from(fields).flatMap(([name, field]) => (field.wordedField ? [nameOf(name, field)] : [])))
}

function firstNameOf(path: string): string {
  return path.split('.', 1)[0] ?? ''
}

/** The names of a field's arguments, and of the fields in its `input` or `filter`. */
function argumentNamesOf({ args }: FieldCall['definition']): Set<string> {
  const names = args.flatMap(({ name, type }) => {
    const inner = getNullableType(type)
    return [name, ...(isInputObjectType(inner) ? Object.keys(inner.getFields()) : [])]
  })
  return new Set(names)
}

function withHint(faults: readonly Fault[], { path, message }: FieldError): FieldError {
  const isQuoted = faults.some((fault) => fault.isQuoted && fault.path === path)
  return { path, message: isQuoted ? `${message} Write it without quotation marks.` : message }
}

function collectErrors(parse: () => unknown): readonly FieldError[] {
  try {
    parse()
  } catch (error) {
    if (error instanceof DomainError) return (error.details?.fields ?? []) as FieldError[]
    // The value does not have the shape that the conversion from GraphQL's form expects.
    if (!(error instanceof TypeError)) throw error
  }
  return []
}

type Fragments = ReturnType<typeof fragmentsOf>
type ValueContext = { fragments: Fragments; request: ReadRequest }

/** Finds the faults in the arguments of all fields within a field. Visits each fragment once. */
function findNestedFaults(
  definition: GraphQLField<unknown, unknown>,
  { selectionSet }: FieldNode,
  { fragments, request }: ValueContext,
): Fault[] {
  const faults: Fault[] = []
  const visited = new Set<string>()
  const visitFields = (node: SelectionSetNode | NonNullable<ReturnType<Fragments['get']>>, types: TypeInfo) =>
    visit(
      node,
      visitWithTypeInfo(types, {
        Field(field) {
          const nested = types.getFieldDef()
          if (nested && faults.length < maxFieldErrors) faults.push(...readArguments(nested, field, request).faults)
        },
        FragmentSpread({ name: { value } }) {
          const fragment = fragments.get(value)
          if (!fragment || visited.has(value)) return
          visited.add(value)
          visitFields(fragment, new TypeInfo(schema))
        },
      }),
    )
  if (selectionSet) visitFields(selectionSet, new TypeInfo(schema, definition.type))
  return faults
}

/** The variables as sent, with the defaults of missing variables. */
function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, variables: Record<string, unknown>) {
  const defaults = variableDefinitions.flatMap(({ variable: { name }, defaultValue }) =>
    defaultValue ? [[name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  )
  return { ...Object.fromEntries(defaults), ...variables }
}
