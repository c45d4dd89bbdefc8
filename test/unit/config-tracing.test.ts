import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'

const tracingOf = (env: Record<string, string>) => loadConfig(env).tracing
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318/base/' }

describe('the configuration of traces', () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: 'mine', OTEL_TRACES_SAMPLER: 'always_on' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
    { ...endpoint, OTEL_SDK_DISABLED: 'true' },
    // Variables for other processes, which do export over gRPC.
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ])('exports no traces with %o', (env) => {
    expect(tracingOf(env as Record<string, string>)).toBeNull()
  })

  it('exports to the named collector, or else to the collector on this machine', () => {
    expect(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual({
      url: 'http://localhost:4318/v1/traces',
      headers: {},
      resource: { 'service.name': 'entitlements-service' },
      sampler: 'parentbased_always_on',
      ratio: 1,
      delayMs: 5000,
    })
    expect(tracingOf(endpoint)?.url).toBe('https://collector:4318/base/v1/traces')
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/spans' }
    expect(tracingOf({ ...endpoint, ...own })?.url).toBe('https://other/spans')
  })

  it('accepts headers and attributes as percent-encoded pairs, and prefers the more specific variable', () => {
    const tracing = tracingOf({
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-tenant = one,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=theirs,team=a%2Cb',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
    })

    expect(tracing).toMatchObject({
      headers: { authorization: 'Basic YQ==', 'x-tenant': 'two' },
      resource: { 'service.name': 'theirs', team: 'a,b' },
      sampler: 'traceidratio',
      ratio: 0.25,
    })
  })

  it.each([
    ['OTEL_TRACES_EXPORTER', 'console', 'otlp or none'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'an http or https address'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a secret', 'key=value pairs'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz', 'key=value pairs'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'one of always_on, always_off, traceidratio'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'a number from 0 to 1'],
  ])('refuses %s=%s and says what is allowed', (name, value, allowed) => {
    const message = (() => {
      try {
        return String(loadConfig({ [name]: value }))
      } catch (error) {
        return (error as Error).message
      }
    })()

    expect(message).toContain(`${name} must be ${allowed}`)
    expect(message).not.toContain('a secret')
  })
})
