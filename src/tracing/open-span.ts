import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** The maximum number of links of a span. The first ones are kept. */
const maxLinks = 128

/** An error's code, and whether the party that did the work, rather than its caller, is at fault. */
type Failure = { code: string; isFault: boolean }

/** A span that is recorded and has not ended. Exists only for sampled traces; other files import only the type. */
export class OpenSpan {
  readonly #tracer: Tracer
  readonly #span: Span

  private constructor(tracer: Tracer, span: Span) {
    this.#tracer = tracer
    this.#span = span
  }

  /** Null if the trace is not sampled. */
  static start(tracer: Tracer, name: string, options: SpanOptions, context: Context): OpenSpan | null {
    const span = tracer.startSpan(name, options, context)
    return span.isRecording() ? new OpenSpan(tracer, span) : null
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  startChild(name: string, attributes: Attributes, kind: SpanKind = SpanKind.INTERNAL): OpenSpan {
    const context = trace.setSpan(ROOT_CONTEXT, this.#span)
    return this.#start(name, { kind, attributes }, context)
  }

  /** Starts the span of a call to another server. */
  startCall(name: string, attributes: Attributes): OpenSpan {
    return this.startChild(name, attributes, SpanKind.CLIENT)
  }

  /**
   * Starts the span, without a parent, of a call that these spans share. It is linked with each of them in both directions.
   * `spans` must contain this one.
   */
  startSharedCall(spans: readonly OpenSpan[], name: string, attributes: Attributes): OpenSpan {
    const links = spans.slice(0, maxLinks).map((each) => ({ context: each.#span.spanContext() }))
    const shared = this.#start(name, { kind: SpanKind.CLIENT, attributes, links }, ROOT_CONTEXT)
    for (const each of spans) each.#span.addLink({ context: shared.#span.spanContext() })
    return shared
  }

  #start(name: string, options: SpanOptions, context: Context): OpenSpan {
    return new OpenSpan(this.#tracer, this.#tracer.startSpan(name, options, context))
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes)
  }

  end(attributes: Attributes = {}, failure: Failure | null = null): void {
    this.#span.setAttributes(attributes)
    if (failure) this.#span.setAttribute('error.type', failure.code)
    if (failure?.isFault) this.#span.setStatus({ code: SpanStatusCode.ERROR })
    this.#span.end()
  }
}
