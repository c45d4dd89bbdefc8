import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OpenSpan } from './open-span.ts'

type Request = {
  headers: Record<string, string | string[] | undefined>
  method: string
  protocol: string
  originalUrl: string
}

type Attempt = { organizationId: string; eventId: string; number: number; url: string }

type AttemptSpan = {
  /** The headers to send with the attempt, whether or not the trace is sampled. */
  headers: Record<string, string>
  end(status: number | null, isAcknowledged: boolean): void
}

/** The maximum length of a `tracestate` that is passed on: the W3C requires support for this length. */
const maxStateLength = 512

/** Begins traces. Exists only in processes that export them: see start-tracing.ts. */
export class Tracing {
  readonly #tracer: Tracer
  readonly #propagator: TextMapPropagator

  constructor(tracer: Tracer, propagator: TextMapPropagator) {
    this.#tracer = tracer
    this.#propagator = propagator
  }

  /** Starts the span of a request, which continues the trace of its `traceparent`. Null if the trace is not sampled. */
  startRequest(request: Request, route: string): OpenSpan | null {
    const { headers, method } = request
    const context = headers.traceparent === undefined ? ROOT_CONTEXT : this.#contextOf(headers)
    const span = OpenSpan.start(this.#tracer, `${method} ${route}`, { kind: SpanKind.SERVER }, context)
    span?.set({
      'http.request.method': method,
      'http.route': route,
      'url.scheme': request.protocol,
      // Without the query, which may contain a token.
      'url.path': request.originalUrl.split('?', 1)[0],
    })
    return span
  }

  #contextOf({ traceparent, tracestate }: Request['headers']): Context {
    const isForwarded = typeof tracestate === 'string' && tracestate.length <= maxStateLength
    const headers = isForwarded ? { traceparent, tracestate } : { traceparent }
    return this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  }

  /** Starts the span of an attempt to deliver an event: a new trace, which continues at the receiver. */
  startAttempt({ organizationId, eventId, number, url }: Attempt): AttemptSpan {
    const attributes = {
      'http.request.method': 'POST',
      // Only the host, because paths and queries may contain vendors' secrets.
      'server.address': new URL(url).hostname,
      'entitlements.organization_id': organizationId,
      'entitlements.event_id': eventId,
      'entitlements.attempt': number,
    }
    const span = this.#tracer.startSpan('webhook attempt', { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT)
    const headers: Record<string, string> = {}
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
    return {
      headers,
      end(status, isAcknowledged) {
        if (status !== null) span.setAttribute('http.response.status_code', status)
        if (!isAcknowledged) {
          span.setAttribute('error.type', status === null ? 'no_answer' : String(status))
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }
}
