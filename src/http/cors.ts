import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of any site may read the route's answers and refusals; `shared`: caches may give them to other clients. */
    cors?: boolean | 'shared'
  }
}

/** Omits `access-control-allow-credentials`, so that pages cannot use cookies: they send a token themselves. */
const answerHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
}

const preflightHeaders = {
  // Includes the headers that tracing libraries add to every request of a page.
  'access-control-allow-headers':
    'authorization, baggage, content-type, if-none-match, last-event-id, sentry-trace, traceparent, tracestate, x-api-key',
  // Browsers cache a preflight for two hours at most.
  'access-control-max-age': '7200',
}

/**
 * Lets pages of any site read the routes whose `config` has `cors`, and answers the preflights of these routes. Call it before
 * other hooks, so that pages can read the hooks' refusals, too. Contract: Subscriber tokens.
 */
export function allowPages(app: FastifyInstance): void {
  const methods = new Map<string, string[]>()

  app.addHook('onRequest', ({ routeOptions, raw }, reply, done) => {
    const { cors } = routeOptions.config
    // Browsers send Origin for pages of other sites; servers, which send most requests, do not.
    if (cors === 'shared' || (cors && raw.headers.origin !== undefined)) reply.headers(answerHeaders)
    done()
  })
  app.addHook('onRoute', function (this: FastifyInstance, { config, method, url }) {
    if (!config?.cors) return
    // Browsers need no permission for HEAD.
    const allowed = [method].flat().filter((each) => each !== 'HEAD' && each !== 'OPTIONS')
    if (allowed.length === 0) return
    const known = methods.get(url)
    methods.set(url, [...(known ?? []), ...allowed])
    if (known) return
    this.options(url, { config: { cors: true } }, async (_request, reply) =>
      reply
        .code(204)
        .headers({ ...preflightHeaders, 'access-control-allow-methods': methods.get(url)?.join(', ') })
        .send(),
    )
  })
}
