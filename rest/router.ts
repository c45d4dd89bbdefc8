import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashApiKey } from '../src/access/api-key.ts'
import { authenticateKey } from '../src/access/authenticate.ts'
import { DomainError, unauthorized } from '../src/core/errors.ts'
import { toDomainError } from '../src/database/outage.ts'
import type { Origin } from '../src/modules/audit/record.ts'
import {
  assertAllowed,
  type Call,
  refuse,
  runEval,
  runRead,
  runWrite,
  type Services,
} from '../src/operation/run-operation.ts'
import { readJsonBodies, toBodyRefusal } from './body.ts'
import { parseQuery } from './query.ts'
import { sendError, sendJsonText, unknownRoute } from './reply.ts'
import type { RestRoute } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known and allowed: what a refusal of the body is recorded under. */
    call: Call<string> | null
    /** Of the key that an eval came with, hashed once. */
    keyHash: Buffer | null
  }
}

/** The REST door: translates between HTTP and the operations, and does nothing else. */
export function registerRestRoutes(
  app: FastifyInstance,
  services: Services,
  routes: readonly RestRoute[],
  bodyLimitBytes: number,
): void {
  readJsonBodies(app, bodyLimitBytes)
  app.decorateRequest('call', null)
  app.decorateRequest('keyHash', null)
  refuseUnknownRoutes(app)
  app.setErrorHandler((error, _request, reply) =>
    replyWithError(services, reply, toBodyRefusal(error, bodyLimitBytes) ?? error),
  )
  for (const route of routes) {
    const { method, route: template } = route.operation
    const url = template.replaceAll(/\{(\w+)\}/g, ':$1')
    if (route.operation.kind === 'eval') registerEval(app, services, method, url, route as EvalRoute, bodyLimitBytes)
    else registerReadOrWrite(app, services, method, url, route as ReadOrWriteRoute, bodyLimitBytes)
  }
}

/** Before the body is read: what is wrong with it does not matter where nobody takes it. */
function refuseUnknownRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => (request.is404 ? sendError(reply, unknownRoute()) : undefined))
  app.setNotFoundHandler((_request, reply) => sendError(reply, unknownRoute()))
}

type EvalRoute = Extract<RestRoute, { reply: (result: unknown) => string }>
type ReadOrWriteRoute = Exclude<RestRoute, { operation: { kind: 'eval' } }>

function registerReadOrWrite(
  app: FastifyInstance,
  services: Services,
  method: string,
  url: string,
  { operation, query, reply: toBody }: ReadOrWriteRoute,
  bodyLimitBytes: number,
): void {
  app.route({
    method,
    url,
    // Before the body is read: who asks, and may they.
    async onRequest(request) {
      const actor = await authenticateKey(services.database, keyOf(request))
      const call = { actor, origin: originOf(request), path: pathOf(request) }
      await assertAllowed(services, operation, call)
      request.call = call
    },
    async handler(request, reply) {
      const call = request.call as Call<string>
      if (operation.kind === 'read') {
        const result = await runRead(services, operation, call, parseQuery(request.url, query))
        return reply.send(toBody(result))
      }
      const result = await runWrite(services, operation, call, request.body)
      return reply.code(operation.status).send(operation.status === 204 ? undefined : toBody(result))
    },
    async errorHandler(error, request, reply) {
      const refusal = toBodyRefusal(error, bodyLimitBytes) ?? (isBodyRefusal(error) ? error : null)
      if (!refusal || !request.call) return replyWithError(services, reply, error)
      try {
        await refuse(services, operation, request.call, refusal)
        return replyWithError(services, reply, refusal)
      } catch (unrecorded) {
        return replyWithError(services, reply, unrecorded)
      }
    },
  })
}

/**
 * Evals are authenticated by the gate, in the statement that counts them. Where the request is refused before it comes
 * there, the key is looked up first: 401 and 403 go before everything else.
 */
function registerEval(
  app: FastifyInstance,
  services: Services,
  method: string,
  url: string,
  { operation, query, reply: toText }: EvalRoute,
  bodyLimitBytes: number,
): void {
  app.route({
    method,
    url,
    onRequest(request, _reply, done) {
      request.keyHash = hashApiKey(keyOf(request) ?? '')
      done(request.keyHash ? undefined : unauthorized())
    },
    async handler(request, reply) {
      const keyHash = request.keyHash as Buffer
      const input = operation.input.parse(method === 'GET' ? parseQuery(request.url, query) : request.body)
      const result = await runEval(services, operation, { keyHash, path: pathOf(request) }, input)
      return sendJsonText(reply, 200, toText(result))
    },
    async errorHandler(error, request, reply) {
      const refusal = toBodyRefusal(error, bodyLimitBytes) ?? error
      const isEarly = refusal instanceof DomainError && [400, 413, 415, 422].includes(refusal.status)
      if (!isEarly) return replyWithError(services, reply, error)
      try {
        const actor = await authenticateKey(services.database, keyOf(request))
        await assertAllowed(services, operation, { actor, origin: originOf(request), path: pathOf(request) })
        return replyWithError(services, reply, refusal)
      } catch (unauthenticated) {
        return replyWithError(services, reply, unauthenticated)
      }
    },
  })
}

function isBodyRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.status === 400 || error.status === 415)
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key']
  return Array.isArray(key) ? key.join() : key
}

function pathOf(request: FastifyRequest): Record<string, string> {
  return request.params as Record<string, string>
}

export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    receivedAt: new Date(),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  }
}

export function replyWithError({ logger }: Services, reply: FastifyReply, error: unknown): FastifyReply {
  const failure = toDomainError(error)
  if (failure.status >= 500)
    logger.error({ err: failure.cause ?? failure, requestId: reply.request.id }, failure.message)
  return sendError(reply, failure)
}
