import { type DocumentNode, type ExecutionResult, GraphQLError } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { type FieldError, validationError } from '../core/errors.ts'
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

/** What runs documents: Yoga, within our bounds and with our errors. A refused document has no `data`, and nothing ran. */
export function createDocumentRunner(logger: Logger) {
  const yoga = createYoga<GraphqlContext>({
    schema,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: { documentCache: recentDocuments() },
    plugins: [boundsPlugin],
  })

  return async (request: GraphqlRequest, context: GraphqlContext): Promise<ExecutionResult> => {
    const result = await run(yoga.getEnveloped(context), request)
    return toContractResult(result, context.origin.requestId, logger)
  }
}

type Enveloped = ReturnType<ReturnType<typeof createYoga<GraphqlContext>>['getEnveloped']>

/** Yoga's steps without its fetch layer, which would write and read the request and the answer once more. */
async function run(
  { schema, parse, validate, contextFactory, execute }: Enveloped,
  { query, variables, operationName }: GraphqlRequest,
): Promise<ExecutionResult> {
  let document: DocumentNode
  try {
    document = parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
  const errors: readonly GraphQLError[] = validate(schema, document)
  if (errors.length > 0) return { errors }
  return execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: await contextFactory(),
  }) as Promise<ExecutionResult>
}

function toContractResult({ data, errors }: ExecutionResult, requestId: string, logger: Logger): ExecutionResult {
  if (!errors) return { data }
  if (data === undefined) {
    const told = errors.slice(0, maxErrors)
    return { errors: told.map((error) => toGraphqlError(refuseDocument(error), requestId, error)) }
  }
  const refusalOf = createRefusalOf(logger, requestId)
  return { errors: errors.map((error) => toGraphqlError(refusalOf(error), requestId, error)), data }
}

/** Each before the step whose time it bounds. */
const boundsPlugin: Plugin = {
  onParse: ({ setParseFn }) => setParseFn((source: unknown) => parseBounded(String(source))),
  onValidate({ params: { documentAST }, setResult }) {
    refuseWith(setResult, () => assertBounded(documentAST))
  },
  onExecute({ args, setResultAndStopExecution }) {
    refuseWith(
      (errors) => setResultAndStopExecution({ errors }),
      () => assertAffordable(args.schema, args.document, args.operationName, args.variableValues ?? {}),
    )
  },
}

function refuseWith(refuse: (errors: GraphQLError[]) => void, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    refuse([error])
  }
}

/** What is wrong with a document is told up to here. */
const maxErrors = 10

const maxRecent = 100
const maxRecentLength = 4_000

/** Documents that came lately, by text: clients send the same few again and again. Long ones are not kept. */
function recentDocuments() {
  const documents = new Map<string, DocumentNode>()
  return {
    get: (query: string) => documents.get(query),
    set(query: string, document: DocumentNode) {
      if (query.length > maxRecentLength) return
      documents.set(query, document)
      const [oldest] = documents.keys()
      if (documents.size > maxRecent && oldest !== undefined) documents.delete(oldest)
    },
  }
}
