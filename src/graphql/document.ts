import type { DocumentNode } from 'graphql'
import { GraphQLError } from 'graphql'
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
  const yoga = createYoga<RunContext>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    cors: false,
    batching: false,
    multipart: false,
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: { documentCache: recentDocuments() },
    plugins: [requestAsRead, boundsPlugin, contractErrors(logger)],
  })

  /** `mediaType` is application/json or application/graphql-response+json, which differ in the status of a refusal. */
  return (asked: GraphqlRequest, context: GraphqlContext, mediaType: string) =>
    yoga.fetch('http://service/graphql', { method: 'POST', headers: { accept: mediaType } }, { ...context, asked })
}

type RunContext = GraphqlContext & { asked: GraphqlRequest }

/** The request as it was read already: its body is not written and parsed once more. */
const requestAsRead: Plugin = {
  onRequestParse({ serverContext, setRequestParser }) {
    const { query, variables, operationName } = (serverContext as unknown as RunContext).asked
    setRequestParser(() => ({ query, variables, operationName: operationName ?? undefined }))
  },
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

function contractErrors(logger: Logger): Plugin {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || !('errors' in result) || !result.errors) return
      const { requestId } = (serverContext as unknown as GraphqlContext).origin
      const isRefused = result.data === undefined
      const refusalOf = createRefusalOf(logger, requestId)
      const errors = result.errors.slice(0, isRefused ? maxErrors : undefined).map((error) => {
        const refusal = isRefused ? refuseDocument(error) : refusalOf(error as GraphQLError)
        const told = toGraphqlError(refusal, requestId, error as GraphQLError)
        // Yoga takes the status of a graphql-response from here, and takes it out.
        told.extensions.http = { spec: true, status: refusal.status }
        return told
      })
      setResult({ ...result, errors })
    },
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
