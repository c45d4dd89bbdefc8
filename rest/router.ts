import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../src/core/errors.ts'
import { noInput } from '../src/core/input.ts'
import { networkOf } from '../src/core/network.ts'
import { stringifyAnswer } from '../src/core/stored-json.ts'
import { toDomainError } from '../src/database/outage.ts'
import type { ResolvedEntitlements } from '../src/gate/resolution/resolved-entitlements.ts'
import { readJsonBodies, toBodyRefusal } from '../src/http/body.ts'
import { recognizeCaller } from '../src/http/connection.ts'
import { type Cookie, isFromOwnPage, toSetCookie } from '../src/http/cookies.ts'
import { encodeAnswer } from '../src/http/encode-answer.ts'
import { jsonType, sendError, sendNotModified, toErrorBody, unknownRoute } from '../src/http/reply.ts'
import { Replayed, replayedHeader } from '../src/operation/idempotent-request.ts'
import { type Admitted, admit, admitEvalSync } from '../src/operation/run-operation.ts'
import type { Services } from '../src/operation/services.ts'
import { registerBulk } from './bulk.ts'
import { downloadOf, sendDownload } from './export.ts'
import { registerFollow } from './follow.ts'
import { parseQuery, readsQuery } from './query.ts'
import { refuseBody, replyWithError } from './refuse.ts'
import { RestRequest } from './rest-request.ts'
import { type BulkRoute, configOf, type EvalRoute, type FollowRoute, type RestRoute } from './route.ts'

/*
 * An operation begins before the body is read: `onRequest` admits the caller, so that nobody uploads a body that is then
 * refused. Once the body has arrived, the operation runs (`handler`) or refuses the body (`errorHandler`). Fastify's hooks
 * share only the request, so these properties pass values from the first hook to the others.
 */
declare module 'fastify' {
  interface FastifyRequest {
    /** When the headers were read. */
    receivedAt: Date | null
    /** Set once the caller may run the operation. Null again when the operation itself records the outcome. */
    admitted: Admitted<unknown> | null
    /** The request in the form that the operation reads. */
    restRequest: RestRequest | null
    /** The entitlements that the gate resolved and counted. If the answer cannot be sent, the evals are refunded. */
    granted: ResolvedEntitlements | null
  }
}

/** The REST API: it only translates between HTTP and the operations. */
export function registerRestRoutes(
  app: FastifyInstance,
  services: Services,
  routes: readonly RestRoute[],
  bodyLimitBytes: number,
): void {
  readJsonBodies(app, bodyLimitBytes)
  app.decorateRequest('admitted', null)
  app.decorateRequest('restRequest', null)
  app.decorateRequest('granted', null)
  refuseUnknownRoutes(app)
  app.setErrorHandler((error, _request, reply) =>
    replyWithError(services, reply, toBodyRefusal(error, bodyLimitBytes) ?? error),
  )
  for (const route of routes) {
    const { method, route: template } = route.operation
    const url = template.replaceAll(/\{(\w+)\}/g, ':$1')
    const { kind } = route.operation
    if (kind === 'bulk_write') registerBulk(app, services, url, route as BulkRoute)
    else if (kind === 'eval') registerEval(app, services, method, url, route as EvalRoute, bodyLimitBytes)
    else if (kind === 'follow') registerFollow(app, services, url, route as FollowRoute)
    else registerPlainRoute(app, services, method, url, route as PlainRoute, bodyLimitBytes)
  }
}

/** Refuses unknown routes before the body is read. */
function refuseUnknownRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendError(reply, unknownRoute())
    else done()
  })
  app.setNotFoundHandler((_request, reply) => sendError(reply, unknownRoute()))
}

type PlainRoute = Exclude<RestRoute, EvalRoute | BulkRoute | FollowRoute>

function registerPlainRoute(
  app: FastifyInstance,
  services: Services,
  method: string,
  url: string,
  route: PlainRoute,
  bodyLimitBytes: number,
): void {
  const { fields } = route.operation.input
  const isQuery = readsQuery(route.operation)
  const status = 'status' in route.operation ? route.operation.status : 200
  const toText = (result: unknown) => (status === 204 ? null : stringifyAnswer(route.reply(result, services)))
  app.route({
    method,
    url,
    config: configOf(route.operation),
    // Checks authentication and rights before the body is read.
    async onRequest(request) {
      request.restRequest = new RestRequest(services, request, route.operation, toText)
      request.admitted = await admit(services, route.operation, request.restRequest)
    },
    async handler(request, reply) {
      const download = downloadOf(route.operation, request)
      if (download) return sendDownload(services, download, { operation: route.operation, request, reply })
      const readInput = () => {
        // Even a body that is not used must be a JSON object.
        if (method === 'DELETE') noInput.parse(request.body)
        return isQuery ? parseQuery(request.url, fields) : request.body
      }
      const { run, ownerId = networkOf(request.ip) } = request.admitted as Admitted<unknown>
      const result = await run(readInput)
      if (request.restRequest?.idempotentRequest?.isReplay) reply.header(replayedHeader, 'true')
      const body = status === 204 ? undefined : await route.reply(result, services)
      setCookies(services, request, reply, route.cookies(result))
      reply.code(status)
      return body === undefined ? reply.send() : reply.type(jsonType).send(await encodeAnswer(body, ownerId))
    },
    async errorHandler(error: unknown, request, reply) {
      const idempotentRequest = request.restRequest?.idempotentRequest
      if (idempotentRequest?.isReplay) reply.header(replayedHeader, 'true')
      if (error instanceof Replayed) return sendReplayed(reply, error)
      if (idempotentRequest)
        await idempotentRequest.keepAnswer(JSON.stringify(toErrorBody(toDomainError(error), request.id)))
      return refuseBody(services, bodyLimitBytes, { error, request, reply })
    },
  })
}

function sendReplayed(reply: FastifyReply, { storedAnswer: { status, body } }: Replayed): FastifyReply {
  reply.code(status)
  return body === null ? reply.send() : reply.type(jsonType).send(body)
}

/** Sets no cookies unless the request is from one of the service's own pages. */
function setCookies(services: Services, request: FastifyRequest, reply: FastifyReply, cookies: Cookie[]): void {
  if (cookies.length === 0) return
  const pageOrigin = services.address.pageOrigin(request)
  if (pageOrigin === null || !isFromOwnPage(request, pageOrigin)) return
  const isHttps = pageOrigin.startsWith('https:')
  reply.header(
    'set-cookie',
    cookies.map((cookie) => toSetCookie(cookie, isHttps)),
  )
}

/** The hot path: passes the eval of an API key to the gate without waiting for anything first. */
function registerEval(
  app: FastifyInstance,
  services: Services,
  method: string,
  url: string,
  { operation, reply: toReply, isForKeys }: EvalRoute,
  bodyLimitBytes: number,
): void {
  app.route({
    method,
    url,
    config: configOf(operation),
    onRequest(request, _reply, done) {
      const restRequest = new RestRequest(services, request, operation)
      try {
        request.restRequest = restRequest
        const { sendsToken } = restRequest
        if (sendsToken && isForKeys(request)) throw unauthorized()
        if (sendsToken) {
          admit(services, operation, restRequest).then((admitted) => start(admitted), done)
        } else {
          start(admitEvalSync(services, operation, restRequest))
        }
      } catch (error) {
        done(error as Error)
      }
      function start(admitted: Admitted<unknown>): void {
        request.admitted = admitted
        done()
      }
    },
    async handler(request, reply) {
      const readInput = () => {
        if (method !== 'GET') return request.body
        // Only requests for a signed answer have query parameters.
        return isForKeys(request) ? parseQuery(request.url, operation.input.fields) : {}
      }
      const admitted = request.admitted as Admitted<unknown>
      const response = await admitted.reply(readInput, (result) => {
        request.granted = (result as { entitlements: ResolvedEntitlements }).entitlements
        return toReply(result, services, request)
      })
      // Subscribers with tokens are too many to be known callers: their requests take turns, like those of anonymous clients.
      if (!request.restRequest?.sendsToken) recognizeCaller(request.raw)
      if (response.status === 200) reply.header('content-type', jsonType)
      if (response.headers) reply.headers(response.headers)
      return response.status === 304 ? sendNotModified(reply) : response.body
    },
    errorHandler(error, request, reply) {
      if (request.granted) services.gate.takeBack(request.granted)
      return refuseBody(services, bodyLimitBytes, { error, request, reply, refusesAs: operation.refusesAs })
    },
  })
}
