import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type LogEntry, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { type Collector, startCollector } from './collector.ts'
import type { ReceivedSpan } from './otlp.ts'
import { createTestTracing } from './test-tracing.ts'

let collector: Collector
let service: TestService
let caller: Caller
const log: LogEntry[] = []

beforeAll(async () => {
  collector = await startCollector()
  const tracing = createTestTracing(collector.url)
  service = await startService({ LOG_LEVEL: 'debug' }, log, undefined, { tracing })
  caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
})
afterAll(() => collector.close())

const check = '/org/subscribers/acme/entitlements/check'

/** A trace that a caller began; sampled unless it says otherwise. */
function newTrace(flags = '01') {
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, parentId, headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } }
}

const below = (spans: readonly ReceivedSpan[], { spanId }: Pick<ReceivedSpan, 'spanId'>) =>
  spans.filter(({ parentId }) => parentId === spanId)

const named = (spans: readonly ReceivedSpan[], name: string) => spans.find((span) => span.name === name) as ReceivedSpan

/** Resolves to the spans of a trace once they include the span of its request, which ends last. */
async function spansOf(traceId: string, root: RegExp): Promise<ReceivedSpan[]> {
  for (let count = 1; ; count++) {
    const spans = await collector.ofTrace(traceId, count)
    if (spans.some(({ name }) => root.test(name))) return spans
  }
}

describe('a request to the REST API', () => {
  it('has a span below its traceparent, with the spans of its operation and of its statements below', async () => {
    const { traceId, parentId, headers } = newTrace()
    await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro Secret' }, headers)

    const spans = await spansOf(traceId, /^POST /)
    const request = named(spans, 'POST /org/plans')
    expect(request).toMatchObject({
      parentId,
      kind: 'server',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/org/plans',
        'http.response.status_code': 201,
        'url.path': '/org/plans',
        'url.scheme': 'http',
      },
      resource: { 'service.name': 'tested', 'deployment.environment.name': 'tests' },
    })
    const [operation] = below(spans, request) as [ReceivedSpan]
    expect(operation).toMatchObject({
      name: 'createPlan',
      kind: 'internal',
      attributes: {
        'entitlements.api': 'rest',
        'entitlements.code': 'OK',
        'entitlements.organization_id': caller.organizationId,
      },
    })
    const statements = below(spans, operation)
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'COMMIT', expect.stringMatching(/^record-organization-pending/)]),
    )
    expect(statements.every(({ kind, attributes }) => kind === 'client' && attributes['db.system.name'])).toBe(true)
    expect(spans).toHaveLength(2 + statements.length)
    expect(JSON.stringify(spans)).not.toMatch(new RegExp(`Pro Secret|${caller.key}`))
  })

  it('that is refused has the code in its span, and the trace in its log line', async () => {
    const { traceId, headers } = newTrace()
    await caller.rest('GET', '/org/features/none?first=secret', undefined, headers)

    const spans = await spansOf(traceId, /^GET /)
    expect(named(spans, 'GET /org/features/{key}').attributes).toMatchObject({
      'http.response.status_code': 404,
      'url.path': '/org/features/none',
    })
    expect(named(spans, 'feature').attributes).toMatchObject({
      'entitlements.code': 'NOT_FOUND',
      'error.type': 'NOT_FOUND',
    })
    expect(log.filter(({ msg, trace_id }) => msg === 'a request was refused' && trace_id === traceId)).toHaveLength(1)
    expect(JSON.stringify(spans)).not.toContain('secret')
  })

  it('begins a new trace when the traceparent is malformed, and is answered as usual', async () => {
    const { traceId, parentId } = newTrace()
    const before = collector.spans.length
    const answer = await caller.rest('GET', '/org/plans/none', undefined, { traceparent: `99-${traceId}-${parentId}` })

    expect(answer.status).toBe(404)
    expect(answer.headers.has('traceparent')).toBe(false)
    const line = log.findLast(({ operation, code }) => operation === 'plan' && code === 'NOT_FOUND')
    const spans = await spansOf(String(line?.trace_id), /^GET /)
    expect(named(spans, 'GET /org/plans/{key}').parentId).toBe('')
    expect(collector.spans.slice(before).some((span) => span.traceId === traceId)).toBe(false)
  })

  it('whose caller does not record its trace has no span', async () => {
    const [silent, recorded] = [newTrace('00'), newTrace()]
    await caller.rest('GET', '/org/features', undefined, silent.headers)
    await caller.rest('GET', '/org/features', undefined, recorded.headers)

    await spansOf(recorded.traceId, /^GET /)
    expect(collector.spans.filter(({ traceId }) => traceId === silent.traceId)).toEqual([])
  })
})

describe('a request to the GraphQL API', () => {
  it('has a span for each operation of the document, and for the statements below it', async () => {
    const { traceId, headers } = newTrace()
    const query = '{ features { key } plan(key: "none") { key } }'
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': caller.key, ...headers },
      body: JSON.stringify({ query }),
    })
    expect(await response.json()).toMatchObject({ data: { features: [{ key: 'sso' }] } })

    const spans = await spansOf(traceId, /^POST /)
    const request = named(spans, 'POST /graphql')
    const names = below(spans, request).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['features', 'plan']))
    expect(below(spans, named(spans, 'features')).map(({ kind }) => kind)).toContain('client')
    expect(named(spans, 'plan').attributes).toMatchObject({
      'entitlements.code': 'NOT_FOUND',
      'entitlements.api': 'graphql',
    })
  })
})

describe('evals', () => {
  it("that share a statement have spans that are linked with the statement's span in both directions", async () => {
    const unseen = newTrace('00')
    const ask = ({ headers }: { headers: Record<string, string> }) =>
      caller.rest('POST', check, { feature: 'sso' }, headers)
    // After the first eval, the process knows the key.
    await ask(unseen)
    const { operations, batches } = await until(async () => {
      const traces = Array.from({ length: 10 }, () => newTrace())
      const answers = await Promise.all([...traces, unseen].map(ask))
      expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(200))

      const ofEvals = await Promise.all(traces.map(({ traceId }) => spansOf(traceId, /^POST /)))
      const operations = ofEvals.map((spans) => spans.find(({ kind }) => kind === 'internal') as ReceivedSpan)
      const linked = operations.flatMap(({ links }) => links)
      expect(linked).toHaveLength(10)
      const ofBatches = [...new Set(linked.map(({ traceId }) => traceId))]
      const batches = await Promise.all(ofBatches.map((id) => collector.ofTrace(id, 1)))
      // On a busy machine, each eval may arrive alone.
      return batches.length < 10 && { operations, batches }
    })

    expect(batches.flat()).toSatisfy((all: ReceivedSpan[]) =>
      all.every(({ name, kind, parentId }) => name === 'eval-gate' && kind === 'client' && parentId === ''),
    )
    const identity = ({ traceId, spanId }: { traceId: string; spanId: string }) => `${traceId}/${spanId}`
    expect(
      batches
        .flat()
        .flatMap(({ links }) => links)
        .map(identity)
        .sort(),
    ).toEqual(operations.map(identity).sort())
    const sizes = batches.flat().map(({ attributes }) => Number(attributes['db.operation.batch.size']))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(10)
    expect(operations[0]?.attributes).toMatchObject({ 'entitlements.organization_id': caller.organizationId })
  })
})
