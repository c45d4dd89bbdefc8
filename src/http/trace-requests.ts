import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OpenSpan } from '../tracing/open-span.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { whenClosed } from './when-closed.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null unless the request's trace is recorded. */
    span: OpenSpan | null
  }
}

/** The paths of both APIs, without pages and health checks. */
const tracedPaths = /^\/(org|user|ofrep|graphql)\b/

/** Begins the span of each API request before the request waits for anything. Must be the first hook. */
export function traceRequests(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('span', null)
  if (!tracing) return
  const routes = new Map<string, string | null>()
  /** The route as the API reference writes it, such as `/org/plans/{key}`; null if its requests have no spans. */
  const routeOf = (url: string) => {
    const known = routes.get(url)
    if (known !== undefined) return known
    const route = tracedPaths.test(url) ? url.replaceAll(/:(\w+)/g, '{$1}') : null
    routes.set(url, route)
    return route
  }
  app.addHook('onRequest', (request, reply, done) => {
    const route = routeOf(request.routeOptions.url ?? '')
    request.span = route === null ? null : tracing.startRequest(request, route)
    if (request.span) endWithAnswer(request.span, reply)
    done()
  })
}

/** Ends the span when the last byte of the answer is sent or the client leaves, for streams and imports, too. */
function endWithAnswer(span: OpenSpan, reply: FastifyReply): void {
  whenClosed(reply, () => {
    const { raw } = reply
    const { statusCode, headersSent, writableFinished } = raw
    const attributes = headersSent ? { 'http.response.status_code': statusCode } : {}
    if (!writableFinished) span.end(attributes, { code: 'client_left', isFault: false })
    else span.end(attributes, statusCode >= 500 ? { code: String(statusCode), isFault: true } : null)
  })
}
