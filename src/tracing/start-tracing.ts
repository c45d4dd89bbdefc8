import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { version } from '../core/version.ts'
import type { SamplerName } from './samplers.ts'
import { Tracing } from './tracing.ts'

/* The only file that loads OpenTelemetry's SDK. The service imports this file only if spans must be exported. */

export type TracingOptions = {
  /** The collector's address for traces. */
  url: string
  headers: Record<string, string>
  /** Attributes of this process. */
  resource: Record<string, string>
  sampler: SamplerName
  /** The fraction of traces that is sampled, from 0 to 1. */
  ratio: number
  /** The maximum time that a span waits to be sent together with others. */
  delayMs: number
}

/** The maximum length of an attribute, because paths and statements may be long. */
const attributeLimit = 1024
/** How long a stop waits for the last spans to be sent. */
const closeTimeoutMs = 3_000

type StartedTracing = {
  tracing: Tracing
  /** Sends the waiting spans, unless the collector takes too long. */
  close(): Promise<void>
}

export function startTracing(options: TracingOptions, logger: Pick<Logger, 'info' | 'warn'>): StartedTracing {
  const { url, headers, resource, delayMs } = options
  const exporter = reportFailures(new OTLPTraceExporter({ url, headers }), logger)
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.version': version, 'service.instance.id': randomUUID(), ...resource }),
    ),
    sampler: alsoSampleShared(toSampler(options)),
    spanLimits: { attributeValueLengthLimit: attributeLimit },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  })
  return {
    tracing: new Tracing(provider.getTracer('entitlements-service', version), new W3CTraceContextPropagator()),
    close: () => Promise.race([provider.shutdown(), wait(closeTimeoutMs, undefined, { ref: false })]),
  }
}

function toSampler({ sampler, ratio }: TracingOptions): Sampler {
  const root = toRootSampler(sampler, ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function toRootSampler(sampler: SamplerName, ratio: number): Sampler {
  if (sampler.endsWith('always_on')) return new AlwaysOnSampler()
  return sampler.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
}

/** Also samples the separate traces of work that several sampled traces share. */
function alsoSampleShared(sampler: Sampler): Sampler {
  return {
    shouldSample(context, ...rest) {
      const links = rest[4]
      const isShared = links.length > 0 && trace.getSpanContext(context) === undefined
      return isShared ? { decision: SamplingDecision.RECORD_AND_SAMPLED } : sampler.shouldSample(context, ...rest)
    },
    toString: () => `${sampler}, and work shared by sampled traces`,
  }
}

/** Logs one line when the collector stops accepting spans, and one when it accepts them again. */
function reportFailures(exporter: SpanExporter, logger: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let lostSpans = 0
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error || result.code !== 0) {
          if (lostSpans === 0) logger.warn({ error: result.error?.message }, 'spans could not be sent, and are dropped')
          lostSpans += spans.length
        } else if (lostSpans > 0) {
          logger.info({ lost: lostSpans }, 'spans are sent again')
          lostSpans = 0
        }
        // Reports success, because the processor would only log the failure once more.
        done({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
