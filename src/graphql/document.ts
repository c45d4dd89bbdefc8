import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type Token,
} from 'graphql'
import { createYoga } from 'graphql-yoga'
import { DomainError, type FieldError, unauthorized, validationError } from '../core/errors.ts'
import { isPlainObject } from '../core/json.ts'
import { networkOf } from '../core/network.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import { encodeAnswer } from '../http/encode-answer.ts'
import type { FailureLog } from '../http/failure-log.ts'
import { keyHeader, Replayed } from '../operation/idempotent-request.ts'
import { assertBounded, fieldsIn, fragmentsOf } from './assert-bounded.ts'
import { parseBoundedDocument } from './bounds.ts'
import { type GraphqlContext, runInLoopSlice } from './context.ts'
import { assertAffordable } from './cost.ts'
import { createDocumentCache } from './document-cache.ts'
import { toDocumentRefusal, toGraphqlError, toRefusal } from './errors.ts'
import { isIntrospection } from './introspection.ts'
import { refuseValues } from './refuse-values.ts'
import { schema } from './schema.ts'
import { assertNoRequiredNull, assertVariablesBounded, coerceVariables, maxLengthForSuggestions } from './variables.ts'

export type GraphqlRequest = { query: string; variables: Record<string, unknown>; operationName: string | null }

/** Reads one request from the body. Throws 422 if it is malformed, or an array of requests. */
export function readRequest(body: unknown): GraphqlRequest {
  if (!isPlainObject(body)) {
    const message = 'The body must be a JSON object with a query. Send one request at a time.'
    throw validationError([{ path: '', message }])
  }
  const { query, variables = null, operationName = null, extensions = null } = body
  const faults: FieldError[] = []
  if (typeof query !== 'string') faults.push({ path: 'query', message: 'query is required: a GraphQL document.' })
  if (variables !== null && !isPlainObject(variables)) {
    faults.push({ path: 'variables', message: 'variables must be an object.' })
  }
  if (operationName !== null && typeof operationName !== 'string') {
    faults.push({ path: 'operationName', message: 'operationName must be a string.' })
  }
  if (extensions !== null && !isPlainObject(extensions)) {
    faults.push({ path: 'extensions', message: 'extensions must be an object.' })
  }
  if (faults.length > 0) throw validationError(faults)
  // Many clients send an empty name with a document that has one operation. "GraphQL over HTTP" treats it as absent.
  return {
    query,
    variables: variables ?? {},
    operationName: operationName === '' ? null : operationName,
  } as GraphqlRequest
}

/** The maximum number of errors shown for a document. */
const maxErrors = 10

type Answer = { result: ExecutionResult; text: string | Buffer }

/**
 * Creates a function that runs documents with Yoga, our limits and our errors. The answer to a refused document has no `data`.
 */
export function createDocumentRunner({ failures, production }: { failures: FailureLog; production: boolean }) {
  const yoga = createYoga<GraphqlContext>({
    schema,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    maskedErrors: false,
    logging: false,
    // Yoga's caches also keep refused documents, by their whole text: see document-cache.ts.
    parserAndValidationCache: false,
  })
  const cache = createDocumentCache()

  return async (request: GraphqlRequest, context: GraphqlContext): Promise<Answer> => {
    const enveloped = yoga.getEnveloped(context)
    const isKnown = !production || context.isKnown
    const load = (query: string) => cache.get(query) ?? parseValid(query, enveloped, isKnown)
    const accepted = await runInLoopSlice(context, () => accept(request, load, isKnown))
    if ('errors' in accepted) return toAnswer(await explainRefusal(accepted, request, context), context)
    if (context.idempotentRequest && !isOneWrite(accepted)) return toAnswer(toRefused([oneWriteOnly], context), context)

    cache.set(request.query, accepted.document)
    const result = await execute(accepted, request, enveloped, context).finally(() => context.releaseEvals())
    // The executor itself refused the document before any field ran.
    if (result.data === undefined) return toAnswer(toRefused(result.errors ?? [], context), context)
    const replayed = findReplayedAnswer(result)
    if (replayed) return { result: { data: {} }, text: replayed.storedAnswer.body ?? '' }
    return toBoundedAnswer(toContractResult(result, context, failures), accepted.operation, context)
  }
}

type EnvelopedFunctions = ReturnType<ReturnType<typeof createYoga<GraphqlContext>>['getEnveloped']>
type Accepted = { document: DocumentNode; operation: OperationDefinitionNode }
/** The errors, and the document if it could be parsed. */
type RefusedDocument = { errors: readonly Error[]; document?: DocumentNode }

/** Checks a request before it runs. Each step bounds the time of the next steps. */
function accept(
  { query, variables, operationName }: GraphqlRequest,
  load: (query: string) => DocumentNode | RefusedDocument,
  isKnown: boolean,
): Accepted | RefusedDocument {
  let document: DocumentNode | undefined
  try {
    assertVariablesBounded(variables)
    const loaded = load(query)
    if ('errors' in loaded) return loaded
    document = loaded
    if (!isKnown && isIntrospection(document)) throw schemaNeedsCaller
    const operation = findOperation(document, operationName)
    const coerced = coerceVariables({ schema, operation, hideSuggestions: !isKnown }, variables)
    assertNoRequiredNull({ schema, document, operation }, coerced)
    assertAffordable({ schema, operation, fragments: fragmentsOf(document), variables: coerced })
    return { document, operation }
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof DomainError)
      return { errors: [error], ...(document && { document }) }
    throw error
  }
}

const schemaNeedsCaller = unauthorized('Only known callers may read the schema. Send an API key, or sign in.')

/** Returns the document, or its errors. Callers who may not read the schema get no suggestions of its names. */
function parseValid(query: string, { validate }: EnvelopedFunctions, isKnown: boolean): DocumentNode | RefusedDocument {
  const document = parseBoundedDocument(query)
  if (!isKnown && isIntrospection(document)) throw schemaNeedsCaller
  assertBounded(document)
  const options = { maxErrors, hideSuggestions: !isKnown || hasLongText(document) }
  const errors: readonly GraphQLError[] = validate(schema, document, undefined, options)
  return errors.length > 0 ? { errors, document } : document
}

function hasLongText({ loc }: DocumentNode): boolean {
  let token: Token | null | undefined = loc?.startToken
  while (token && token.end - token.start <= maxLengthForSuggestions) token = token.next
  return Boolean(token)
}

const oneWriteOnly = validationError([
  {
    path: keyHeader,
    message: `${keyHeader} is for one write: send it with a mutation that has one field, or send the document without it.`,
  },
])

/** Whether the operation is a mutation with one root field. */
function isOneWrite({ document, operation: { operation, selectionSet } }: Accepted): boolean {
  return operation === 'mutation' && fieldsIn(selectionSet.selections, fragmentsOf(document)).length === 1
}

/** Finds the stored answer of a mutation that was answered before. */
function findReplayedAnswer({ errors = [] }: ExecutionResult): Replayed | undefined {
  return errors.map(({ originalError }) => originalError).find((error) => error instanceof Replayed)
}

function findOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (operation) return operation
  if (name) throw new GraphQLError(`The document has no operation named "${name}".`)
  const { length } = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  throw new GraphQLError(length === 0 ? 'The document has no operation.' : 'Set operationName to the operation to run.')
}

/** Runs Yoga's steps without its fetch layer, which would serialize and parse request and answer again. */
async function execute(
  { document }: Accepted,
  { variables, operationName }: GraphqlRequest,
  { execute, contextFactory }: EnvelopedFunctions,
  context: GraphqlContext,
): Promise<ExecutionResult> {
  const contextValue = await contextFactory(context)
  const run = () =>
    execute({ schema, document, operationName, variableValues: variables, contextValue }) as Promise<ExecutionResult>
  // Introspection cannot be sliced.
  return isIntrospection(document) ? loopSlices.runWhole('introspection', run) : run()
}

/**
 * Reports invalid credentials; otherwise the operation's message for each value that does not fit its type; otherwise the
 * errors themselves.
 */
async function explainRefusal(
  { errors, document }: RefusedDocument,
  { variables, operationName }: GraphqlRequest,
  context: GraphqlContext,
): Promise<ExecutionResult> {
  if (context.credentialRefusal) return toRefused([context.credentialRefusal], context)
  if (!document || !(errors[0] instanceof GraphQLError)) return toRefused(errors, context)
  try {
    const operation = findOperation(document, operationName)
    const refusals = await refuseValues({ document, operation, variables }, context)
    if (refusals.length > 0)
      return {
        errors: refusals.slice(0, maxErrors).map(({ field, refusal }) => {
          const at = new GraphQLError(refusal.message, { nodes: field, path: [(field.alias ?? field.name).value] })
          return toGraphqlError(refusal, context.origin.requestId, at)
        }),
      }
  } catch (error) {
    // The error is not about a value.
    if (!(error instanceof GraphQLError)) throw error
  }
  return toRefused(errors, context)
}

function toRefused(errors: readonly Error[], { origin }: GraphqlContext): ExecutionResult {
  return {
    errors: errors
      .slice(0, maxErrors)
      .map((error) =>
        error instanceof DomainError
          ? toGraphqlError(error, origin.requestId)
          : toGraphqlError(toDocumentRefusal(error), origin.requestId, error as GraphQLError),
      ),
  }
}

function toContractResult(
  { data = null, errors }: ExecutionResult,
  { origin: { requestId } }: GraphqlContext,
  failures: FailureLog,
): ExecutionResult {
  if (!errors) return { data }
  return {
    errors: errors.map((error) => toGraphqlError(toRefusal(error, failures, requestId), requestId, error)),
    data,
  }
}

/** If the request exceeded its budget, the answer has only that error. */
async function toBoundedAnswer(
  result: ExecutionResult,
  { operation }: OperationDefinitionNode,
  context: GraphqlContext,
): Promise<Answer> {
  const { budget, origin } = context
  if (!budget.refusal) {
    const answer = await toAnswer(result, context)
    budget.checkAnswerSize(Buffer.byteLength(answer.text))
    if (!budget.refusal) return answer
  }
  context.takeBackEvals()
  const { refusal } = budget
  const notice = operation === 'mutation' ? ' Mutations that already ran stay in effect, and are recorded.' : ''
  const error = toGraphqlError(new DomainError(refusal, refusal.message + notice), origin.requestId)
  return toAnswer({ errors: [error] }, context)
}

async function toAnswer(result: ExecutionResult, { origin, owner }: GraphqlContext): Promise<Answer> {
  return { result, text: await encodeAnswer(result, owner || networkOf(origin.ip)) }
}
