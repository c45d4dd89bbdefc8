import { pino } from 'pino'
import { loadConfig } from '../../src/config.ts'
import { startTracing, type TracingOptions } from '../../src/tracing/start-tracing.ts'
import type { Tracing } from '../../src/tracing/tracing.ts'
import { atEnd } from '../support/at-end.ts'

/** Sends spans to this collector soon after they end. */
export function createTestTracing(url: string): Tracing {
  const { tracing: options } = loadConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=from%20tests',
    OTEL_SERVICE_NAME: 'tested',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=tests',
    OTEL_BSP_SCHEDULE_DELAY: '20',
  })
  const { tracing, close } = startTracing(options as TracingOptions, pino({ level: 'silent' }))
  atEnd(close)
  return tracing
}
