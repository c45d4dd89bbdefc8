import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashApiKey } from '../src/access/api-key.ts'
import { authenticateKey } from '../src/access/authenticate.ts'
import { authenticateToken } from '../src/access/authenticate-user.ts'
import { DomainError, Overloaded, unauthorized } from '../src/core/errors.ts'
import { stringifyAnswer } from '../src/core/stored-json.ts'
import { toDomainError } from '../src/database/outage.ts'
import { readJsonBodies, toBodyRefusal } from '../src/http/body.ts'
import {
  type Cookie,
  isFromForeignPage,
  isFromOwnPage,
  noSignInFromElsewhere,
  toSetCookie,
} from '../src/http/cookies.ts'
import { originOf } from '../src/http/origin.ts'
import { sendError, unknownRoute } from '../src/http/reply.ts'
import {
  assertAllowed,
  type Call,
  refuse,
  refuseUser,
  runEval,
  runRead,
  runSignIn,
  runUserRead,
  runUserWrite,
  runWrite,
  type Services,
  type UserCall,
} from '../src/operation/run-operation.ts'
import { parseQuery } from './query.ts'
import type { EvalRoute, RestRoute } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When its headers were read. */
    receivedAt: Date | null
    /** Set once the caller is known and allowed. */
    admitted: Admitted | null
    /** Of the key that an eval came with, hashed once. */
    keyHash: string | null
  }
}

/** A request whose caller is known and allowed: what is left is to run it, or to refuse its body. */
type Admitted = {
  run(): Promise<unknown>
  /** Records a refusal of the body. */
  refuse(refusal: DomainError): Promise<void>
}

/** The REST door: translates between HTTP and the operations, and does nothing else. */
export function registerRestRoutes(
  app: FastifyInstance,
  services: Services,
  routes: readonly RestRoute[],
  bodyLimitBytes: number,
): void {
  readJsonBodies(app, bodyLimitBytes)
  app.decorateRequest('admitted', null)
  app.decorateRequest('keyHash', null)
  refuseUnknownRoutes(app)
  app.setErrorHandler((error, _request, reply) =>
    replyWithError(services, reply, toBodyRefusal(error, bodyLimitBytes) ?? error),
  )
  for (const route of routes) {
    const { method, route: template } = route.operation
    const url = template.replaceAll(/\{(\w+)\}/g, ':$1')
    if (route.operation.kind === 'eval') registerEval(app, services, method, url, route as EvalRoute, bodyLimitBytes)
    else registerPlain(app, services, method, url, route as PlainRoute, bodyLimitBytes)
  }
}

/** Before the body is read: what is wrong with it does not matter where nobody takes it. */
function refuseUnknownRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendError(reply, unknownRoute())
    else done()
  })
  app.setNotFoundHandler((_request, reply) => sendError(reply, unknownRoute()))
}

const jsonType = 'application/json; charset=utf-8'

type PlainRoute = Exclude<RestRoute, EvalRoute>

function registerPlain(
  app: FastifyInstance,
  services: Services,
  method: string,
  url: string,
  route: PlainRoute,
  bodyLimitBytes: number,
): void {
  app.route({
    method,
    url,
    // Before the body is read: who asks, and may they.
    async onRequest(request) {
      request.admitted = await admit(services, route, request)
    },
    async handler(request, reply) {
      const result = await (request.admitted as Admitted).run()
      const status = 'status' in route.operation ? route.operation.status : 200
      const body = status === 204 ? undefined : await route.reply(result, services)
      setCookies(services, request, reply, route.cookies(result))
      reply.code(status)
      return body === undefined ? reply.send() : reply.type(jsonType).send(stringifyAnswer(body))
    },
    async errorHandler(error, request, reply) {
      const refusal = toBodyRefusal(error, bodyLimitBytes) ?? (isBodyRefusal(error) ? error : null)
      if (!refusal || !request.admitted) return replyWithError(services, reply, error)
      await request.admitted.refuse(refusal)
      return replyWithError(services, reply, refusal)
    },
  })
}

/** Operations in an organization take the key alone, those of a person the Bearer token alone. */
async function admit(services: Services, { operation, query }: PlainRoute, request: FastifyRequest): Promise<Admitted> {
  const origin = originOf(request, services)
  const path = pathOf(request)
  const fromQuery = () => parseQuery(request.url, query)
  switch (operation.kind) {
    case 'read':
    case 'write': {
      const call: Call<string> = { actor: await authenticateKey(services, keyOf(request)), origin, path }
      await assertAllowed(services, operation, call)
      return {
        run: () =>
          operation.kind === 'read'
            ? runRead(services, operation, call, fromQuery)
            : runWrite(services, operation, call, request.body),
        refuse: (refusal) => refuse(services, operation, call, refusal),
      }
    }
    case 'user_read':
    case 'user_write': {
      const user = await authenticateToken(services, request.headers.authorization)
      const call: UserCall<string> = { user, origin, path }
      return {
        run: () =>
          operation.kind === 'user_read'
            ? runUserRead(services, operation, call, fromQuery)
            : runUserWrite(services, operation, call, request.body),
        refuse: (refusal) => refuseUser(services, operation, call, refusal),
      }
    }
    case 'sign_in':
      if (isFromForeignPage(request, services.address.pageOrigin(request))) throw noSignInFromElsewhere
      return {
        run: () => runSignIn(services, operation, origin, request.body),
        refuse: async () => {},
      }
  }
}

/** On a request that is none of the service's own pages, nothing is set. */
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
      const keyHash = request.keyHash as string
      const input = operation.input.parse(method === 'GET' ? parseQuery(request.url, query) : request.body)
      const result = await runEval(services, operation, { caller: { keyHash }, path: pathOf(request) }, input)
      services.lastUses.key(keyHash)
      reply.header('content-type', jsonType)
      // A snapshot may be kept by whoever asked for it, and is asked for again before it is used.
      if (method === 'GET') reply.header('cache-control', 'private, no-cache')
      return toText(result, services)
    },
    async errorHandler(error, request, reply) {
      const refusal = toBodyRefusal(error, bodyLimitBytes) ?? error
      const isEarly = refusal instanceof DomainError && [400, 413, 415, 422].includes(refusal.status)
      if (!isEarly) return replyWithError(services, reply, error)
      try {
        const actor = await authenticateKey(services, keyOf(request))
        await assertAllowed(services, operation, { actor, origin: originOf(request, services), path: pathOf(request) })
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

export function replyWithError({ logger }: Services, reply: FastifyReply, error: unknown): FastifyReply {
  const failure = toDomainError(error)
  if (failure.status >= 500 && !(failure instanceof Overloaded)) {
    logger.error({ err: failure.cause ?? failure, requestId: reply.request.id }, failure.message)
  }
  return sendError(reply, failure)
}
