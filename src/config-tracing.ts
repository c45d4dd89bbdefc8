import { StartupError } from './core/startup-error.ts'
import { withoutTrailingSlashes } from './core/trailing-slashes.ts'
import type { SamplerName } from './tracing/samplers.ts'
import type { TracingOptions } from './tracing/start-tracing.ts'

/** The variables of OpenTelemetry, which the service parses itself. */
type TracingVariables = {
  otelSdkDisabled: boolean
  otelTracesExporter: 'otlp' | 'none' | undefined
  otelExporterOtlpEndpoint: string | undefined
  otelExporterOtlpTracesEndpoint: string | undefined
  otelExporterOtlpProtocol: string
  otelExporterOtlpTracesProtocol: string | undefined
  otelExporterOtlpHeaders: Record<string, string> | undefined
  otelExporterOtlpTracesHeaders: Record<string, string> | undefined
  otelServiceName: string | undefined
  otelResourceAttributes: Record<string, string> | undefined
  otelTracesSampler: SamplerName
  otelTracesSamplerArg: number
  otelBspScheduleDelay: number
}

/** The default address of an OpenTelemetry collector. */
const defaultEndpoint = 'http://localhost:4318'

/** How traces are exported; null unless a variable names the exporter or its address. */
export function toTracingOptions(read: TracingVariables): TracingOptions | null {
  const { otelTracesExporter: exporter, otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint: tracesUrl } = read
  const isRequested = exporter === 'otlp' || otelExporterOtlpEndpoint !== undefined || tracesUrl !== undefined
  if (read.otelSdkDisabled || exporter === 'none' || !isRequested) return null
  assertProtocol(read.otelExporterOtlpTracesProtocol ?? read.otelExporterOtlpProtocol)
  return {
    url: tracesUrl ?? `${withoutTrailingSlashes(otelExporterOtlpEndpoint ?? defaultEndpoint)}/v1/traces`,
    headers: { ...read.otelExporterOtlpHeaders, ...read.otelExporterOtlpTracesHeaders },
    resource: {
      'service.name': 'entitlements-service',
      ...read.otelResourceAttributes,
      ...(read.otelServiceName !== undefined && { 'service.name': read.otelServiceName }),
    },
    sampler: read.otelTracesSampler,
    ratio: read.otelTracesSamplerArg,
    delayMs: read.otelBspScheduleDelay,
  }
}

function assertProtocol(protocol: string): void {
  if (protocol === 'http/protobuf') return
  throw new StartupError(
    `OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, but is ${JSON.stringify(protocol)}. A collector that accepts another protocol accepts this one too, usually at port 4318. OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf sets it for traces only.`,
  )
}
