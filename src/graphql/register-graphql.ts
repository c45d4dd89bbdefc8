import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ExecutionResult } from 'graphql'
import type { Config } from '../config.ts'
import { toDomainError } from '../database/outage.ts'
import { StatementTimes } from '../database/statement-times.ts'
import { readJsonBodies, toBodyRefusal } from '../http/body.ts'
import { recognizeCaller } from '../http/connection.ts'
import { preferredType, prefers } from '../http/negotiation.ts'
import { originOf } from '../http/origin.ts'
import { graphqlTakesPost, sendError } from '../http/reply.ts'
import { sendCompressed } from '../http/send-compressed.ts'
import { IdempotentRequest, isKeptRefusal, keyHeader, replayedHeader } from '../operation/idempotent-request.ts'
import type { Services } from '../operation/services.ts'
import { Budget } from './budget.ts'
import { findCallers, findCredentialRefusal, pageOf } from './callers.ts'
import { createGraphqlContext } from './context.ts'
import { createDocumentRunner, type GraphqlRequest, readRequest } from './document.ts'
import { toGraphqlError } from './errors.ts'
import { serveGraphiql } from './graphiql.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the body of a GraphQL request is awaited: then the request is refused for its credentials before its body. */
    awaitsBody: boolean
  }
}

/** The GraphQL API: POST /graphql, and GraphiQL for browsers at GET /graphql. */
export async function registerGraphql(app: FastifyInstance, services: Services, config: Config): Promise<void> {
  const runDocument = createDocumentRunner({ failures: services.failures, production: config.production })
  await app.register(async (scope) => {
    readJsonBodies(scope, config.bodyLimitBytes)
    scope.decorateRequest('awaitsBody', false)
    scope.setErrorHandler(async (error, request, reply) => {
      const credentialRefusal = request.awaitsBody
        ? await findCredentialRefusal(services, request, originOf(request, services).ip)
        : null
      const refusal = credentialRefusal ?? toBodyRefusal(error, config.bodyLimitBytes) ?? toDomainError(error)
      services.failures.log(refusal, request.id)
      return reply.code(refusal.status).send({ errors: [toGraphqlError(refusal, request.id)] })
    })
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      services.assertCurrent()
      const origin = originOf(request, services)
      const page = pageOf(services, request, reply)
      const findCallersOfRequest = (sessionToken: string | null) =>
        findCallers(services, request, { page, ip: origin.ip }, sessionToken)
      const callers = await findCallersOfRequest(null)
      const graphqlRequest = readValidRequest(request.body, callers.credentialRefusal)
      const budget = new Budget(config)
      const idempotentRequest = idempotentRequestOf(request, graphqlRequest)
      const context = createGraphqlContext(services, {
        origin,
        idempotentRequest,
        page,
        callers,
        findCallers: findCallersOfRequest,
        budget,
        isLarge: request.holdBody !== null,
        span: request.span,
      })
      if (context.isKnown) recognizeCaller(request.raw)
      const { result, text } = await runDocument(graphqlRequest, context)
      if (idempotentRequest?.isReplay) reply.header(replayedHeader, 'true')
      if (mayBeStored(result)) await idempotentRequest?.keepAnswer(String(text))
      const waitSeconds = findRetrySeconds(result)
      if (waitSeconds > 0) reply.header('retry-after', String(waitSeconds))
      reply.code(statusOf(result, request)).type(mediaTypeOf(request))
      return sendCompressed(request, reply, text)
    }
    const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      request.awaitsBody = true
      done()
    }
    scope.post('/graphql', { onRequest }, (request, reply) => {
      request.awaitsBody = false
      if (!request.span) return answer(request, reply)
      // Measures the reads outside of operations: of the caller, and of nested fields.
      const times = new StatementTimes(request.span)
      return times.run(() => answer(request, reply)).finally(() => times.end())
    })
    if (config.graphiql) serveGraphiql(scope)
    else scope.get('/graphql', (_request, reply) => sendError(reply, graphqlTakesPost()))
  })
}

/** Reads the request. If the body is invalid, but the credentials are too, throws for the credentials. */
function readValidRequest(body: unknown, credentialRefusal: Error | null): GraphqlRequest {
  try {
    return readRequest(body)
  } catch (error) {
    throw credentialRefusal ?? error
  }
}

function idempotentRequestOf(request: FastifyRequest, graphqlRequest: GraphqlRequest) {
  const header = request.headers[keyHeader.toLowerCase()]
  if (header === undefined) return null
  return new IdempotentRequest({ header: String(header), requestHash: hashOf(request, graphqlRequest) })
}

/** Hashes the document, its variables and the operation's name, which are the same in a repetition. */
function hashOf({ bodyHash }: FastifyRequest, { query, variables, operationName }: GraphqlRequest): Buffer {
  try {
    return hash('sha256', `POST /graphql\n${JSON.stringify([query, variables, operationName])}`, 'buffer')
  } catch (error) {
    // The variables are too deep for the stack, and will be refused.
    if (error instanceof RangeError && bodyHash) return bodyHash
    throw error
  }
}

/** Whether the answer may be stored for repetitions: no part of it failed for a temporary reason. */
function mayBeStored({ errors = [] }: ExecutionResult): boolean {
  return errors.every(({ extensions }) => isKeptRefusal(extensions as { status: number }))
}

const responseType = 'application/graphql-response+json'

function mediaTypeOf(request: FastifyRequest): string {
  return `${preferredType(request, ['application/json', responseType])}; charset=utf-8`
}

/**
 * Follows "GraphQL over HTTP": clients of `application/json` treat every status except 200 as a failure of the transport, so a
 * refused document has its status only in the extensions. For `application/graphql-response+json`, it is also the HTTP status.
 */
function statusOf({ data, errors }: ExecutionResult, request: FastifyRequest): number {
  if (data !== undefined || !prefers(request, responseType)) return 200
  return (errors?.[0]?.extensions.status as number | undefined) ?? 200
}

/** Seconds until a rate-limited request may be repeated; 0 if no field was limited. */
function findRetrySeconds({ errors = [] }: ExecutionResult): number {
  const limited = errors.filter(({ extensions }) => extensions.code === 'RATE_LIMITED')
  const waitsSeconds = limited.map(({ extensions }) => {
    const details = extensions.details as { retry_after_seconds?: number } | null
    return details?.retry_after_seconds ?? 1
  })
  return Math.max(0, ...waitsSeconds)
}
