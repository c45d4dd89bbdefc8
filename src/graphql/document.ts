import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  specifiedRules,
  validate,
} from 'graphql'
import type { Logger } from 'pino'
import { type DomainError, type FieldError, validationError } from '../core/errors.ts'
import { isPlainObject } from '../core/json.ts'
import { assertAffordable, assertBounded, parseBounded } from './bounds.ts'
import type { GraphqlContext } from './context.ts'
import { createRefusalOf, refuseDocument, toGraphqlError } from './errors.ts'
import { schema } from './schema.ts'

export type GraphqlRequest = { query: string; variables: Record<string, unknown>; operationName: string | null }

/** The body of a request. 422 when it is none, an array of several included. */
export function readRequest(body: unknown): GraphqlRequest {
  if (!isPlainObject(body)) {
    throw validationError([
      { path: '', message: 'The body must be a JSON object with a query. Send one request at a time.' },
    ])
  }
  const { query, variables = null, operationName = null } = body
  const faults: FieldError[] = []
  if (typeof query !== 'string') faults.push({ path: 'query', message: 'query is required: a GraphQL document.' })
  if (variables !== null && !isPlainObject(variables)) {
    faults.push({ path: 'variables', message: 'variables must be an object.' })
  }
  if (operationName !== null && typeof operationName !== 'string') {
    faults.push({ path: 'operationName', message: 'operationName must be a string.' })
  }
  if (faults.length > 0) throw validationError(faults)
  return { query, variables: variables ?? {}, operationName } as GraphqlRequest
}

/** Runs the document. Without `data` in the answer, it was refused and nothing ran. */
export async function runDocument(
  request: GraphqlRequest,
  context: GraphqlContext,
  { requestId, logger }: { requestId: string; logger: Logger },
): Promise<ExecutionResult> {
  const prepared = prepare(request)
  if ('refused' in prepared) {
    return { errors: prepared.refused.map((error) => toGraphqlError(refuseDocument(error), requestId, error)) }
  }
  const { document, operation } = prepared
  const { data, errors } = await execute({
    schema,
    document,
    operationName: operation.name?.value,
    variableValues: request.variables,
    contextValue: context,
  })
  if (!errors) return { data }
  const refusalOf = createRefusalOf(logger, requestId)
  return { errors: errors.map((error) => toGraphqlError(refusalOf(error), requestId, error)), data }
}

/** The answer to a request that came to no document. */
export function toRefusedResult(refusal: DomainError, requestId: string): ExecutionResult {
  return { errors: [toGraphqlError(refusal, requestId)] }
}

/** What is wrong with a document is told up to here. */
const maxErrors = 10

type Prepared = { document: DocumentNode; operation: OperationDefinitionNode } | { refused: readonly GraphQLError[] }

function prepare({ query, variables, operationName }: GraphqlRequest): Prepared {
  try {
    const document = readDocument(query)
    if ('refused' in document) return document
    const operation = findOperation(document, operationName)
    assertAffordable(schema, document, operation, variables)
    return { document, operation }
  } catch (error) {
    if (error instanceof GraphQLError) return { refused: [error] }
    throw error
  }
}

function findOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (operation) return operation
  if (name !== null) throw new GraphQLError(`The document has no operation named "${name}".`)
  const { length } = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  throw new GraphQLError(
    length === 0 ? 'The document has no operation.' : 'Say by operationName which operation to run.',
  )
}

/** Valid documents that came lately, by text: clients send the same few again and again. */
const recent = new Map<string, DocumentNode>()
const maxRecent = 100
const maxRecentLength = 4_000

function readDocument(query: string): DocumentNode | { refused: readonly GraphQLError[] } {
  const known = recent.get(query)
  if (known) {
    recent.delete(query)
    recent.set(query, known)
    return known
  }
  const document = parseBounded(query)
  assertBounded(document)
  const refused = validate(schema, document, specifiedRules, { maxErrors })
  if (refused.length > 0) return { refused }
  if (query.length <= maxRecentLength) remember(query, document)
  return document
}

function remember(query: string, document: DocumentNode): void {
  recent.set(query, document)
  const [oldest] = recent.keys()
  if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest)
}
