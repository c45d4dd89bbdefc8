import { afterAll, describe, expect, it } from 'vitest'
import { overloadReasons } from '../../src/core/errors.ts'
import { connectDatabase } from '../../src/database/client.ts'
import { listen } from '../../src/listen.ts'
import { addPool, createMetrics } from '../../src/measure.ts'
import { evalOutcomes } from '../../src/metrics/metrics.ts'
import { createMetricsApp, metricsReader } from '../../src/metrics/registry.ts'
import { openStream } from '../changes/event-stream.ts'
import { namesWithLabels, withLabels } from '../metrics/names.ts'
import { dashboardQueries, rulesFile, ruleTestsFile } from '../metrics/queries.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { createDeliveryTest } from '../support/delivery.ts'
import { type Family, readExposition } from '../support/exposition.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { hasPrometheus, prometheusNote, startPrometheus } from '../support/prometheus.ts'
import { hasPromtool, promtool, promtoolNote } from '../support/promtool.ts'
import { inTurn } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { toTestUrl } from '../support/url-of-tests.ts'
import { vendor } from '../support/vendor.ts'

/* The service, a worker and their metrics in one process, as `npm start` with METRICS_PORT runs them. */
const proxy = await startDatabaseProxy(await createOwnDatabase())
const url = toTestUrl(proxy.url)
const database = connectDatabase({ url, maxConnections: 2 })
const metrics = createMetrics({ perOrganization: false, pool: database.pool })
addPool(metrics, 'worker', database.pool)
const test = await createDeliveryTest(url, { WEBHOOK_RETRY_WAITS_SECONDS: '0.05', MAX_PARSED_BYTES: '65536' }, metrics)
const paused = await test.vendor()
await paused.rest('POST', '/org/webhook/disable')
await test.queue(paused, 3)
await test.worker()
const app = createMetricsApp(readAll())
const address = await listen(app, { host: '127.0.0.1', port: 0, variable: 'METRICS_PORT' })
afterAll(async () => {
  await app.close()
  await database.close()
  await proxy.close()
})

function readAll() {
  const read = metricsReader(metrics)
  return async () => [await read()]
}

async function scrape(): Promise<{ text: string; families: Map<string, Family> }> {
  const answer = await fetch(`${address}/metrics`)
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return { text, families: readExposition(text) }
}

/** The sum of the samples of a name whose labels have these values. */
async function sumOfSamples(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { families } = await scrape()
  const samples = [...families.values()].flatMap((family) => family.samples)
  return samples
    .filter((sample) => sample.name === `entitlements_${name}`)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

/** How much the sum increases during the work. */
async function increaseOf(name: string, labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> {
  const before = await sumOfSamples(name, labels)
  await work()
  return (await sumOfSamples(name, labels)) - before
}

const check = '/org/subscribers/acme/entitlements/check'
const hourMs = 3_600_000

describe('the metrics', () => {
  it('count requests for operations in both APIs by their code, and how long they took', async () => {
    const caller = await test.service.organization()
    const ofWrite = { operation: 'createFeature', api: 'rest', kind: 'write' }

    const created = await increaseOf('operations_total', { ...ofWrite, code: 'OK' }, () =>
      vendor(caller).feature('sso'),
    )
    const refused = await increaseOf('operations_total', { ...ofWrite, code: 'VALIDATION_ERROR' }, () =>
      caller.rest('POST', '/org/features', {}),
    )
    const labels = { operation: 'features', api: 'graphql' }
    const read = await increaseOf('operations_total', { ...labels, kind: 'read', code: 'OK' }, () =>
      caller.graphql('{ features { key } }'),
    )

    expect([created, refused, read]).toEqual([1, 1, 1])
    expect(await sumOfSamples('operation_duration_seconds_count', labels)).toBe(
      await sumOfSamples('operations_total', labels),
    )
    expect(await sumOfSamples('operation_duration_seconds_sum', labels)).toBeGreaterThan(0)
  })

  it('count evals by outcome, and the statements and catalogs that answered them', async () => {
    const caller = await test.service.organization()
    await vendor(caller).feature('sso')
    await vendor(caller).subscriber('acme')
    const { pool } = test.service.database
    const setLimits = (limits: string) =>
      pool.query(`update eval_counter set ${limits} where organization_id = $1`, [caller.organizationId])
    const evaluate = (body: unknown = { feature: 'sso' }, headers = {}) => caller.rest('POST', check, body, headers)
    const counted = async (outcome: string, work: () => Promise<unknown>) =>
      expect([outcome, await increaseOf('evals_total', { outcome }, work)]).toEqual([outcome, 1])
    const before = await sumOfSamples('catalog_reads_total', { result: 'hit' })

    await counted('granted', () => evaluate())
    await counted('granted', () => evaluate())
    const snapshot = await caller.rest('GET', '/org/subscribers/acme/entitlements')
    const known = { 'if-none-match': snapshot.headers.get('etag') as string }
    await counted('not_modified', () => caller.rest('GET', '/org/subscribers/acme/entitlements', undefined, known))
    await counted('invalid', () => evaluate({ feature: 'unknown' }))
    await counted('not_found', () => caller.rest('POST', check.replace('acme', 'nobody'), { feature: 'sso' }))
    await counted('unauthorized', () => evaluate(undefined, { 'x-api-key': 'nobody' }))
    await setLimits('rate_limit = 1')
    const threeAtOnce = () => Promise.all([evaluate(), evaluate(), evaluate()])
    expect(await increaseOf('evals_total', { outcome: 'rate_limited' }, threeAtOnce)).toBeGreaterThan(0)
    await setLimits('rate_limit = null, allotment = 0')
    await counted('allotment_used', () => evaluate())

    expect((await sumOfSamples('catalog_reads_total', { result: 'hit' })) - before).toBeGreaterThanOrEqual(3)
    expect(await sumOfSamples('catalog_reads_total', { result: 'miss' })).toBeGreaterThanOrEqual(1)
    expect(await sumOfSamples('eval_batch_size_sum')).toBeGreaterThanOrEqual(6)
    expect(await sumOfSamples('eval_duration_seconds_count')).toBe(await sumOfSamples('evals_total'))
  })

  it('count deliveries, failed attempts, entries of the log and the time from a change to its receipt', async () => {
    const caller = await test.vendor(inTurn(500, 204))

    await test.emit(caller)
    await test.settled(caller, 'delivered')

    expect(await sumOfSamples('webhook_attempts_total', { outcome: 'failed' })).toBe(1)
    expect(await sumOfSamples('webhook_attempts_total', { outcome: 'delivered' })).toBe(1)
    expect(await sumOfSamples('webhook_attempt_duration_seconds_count')).toBe(2)
    expect(await sumOfSamples('change_to_receipt_seconds_count', { path: 'webhook' })).toBe(1)
    // The event waited for its second attempt.
    expect(await sumOfSamples('change_to_receipt_seconds_sum', { path: 'webhook' })).toBeGreaterThan(0.05)
    expect(await sumOfSamples('audit_entries_total', { outcome: 'responded' })).toBeGreaterThan(0)
    expect(await sumOfSamples('audit_entries_total', { outcome: 'pending' })).toBeGreaterThan(0)
    const viewer = await test.service.member(caller.organizationId, 'viewer')
    expect(
      await increaseOf('audit_entries_total', { outcome: 'rejected' }, () => viewer.rest('PUT', '/org/webhook', {})),
    ).toBe(1)
  })

  it('show events that wait for receivers, and paused webhooks', async () => {
    const caller = await test.vendor(() => null)
    await test.emit(caller)
    await until(() => caller.receiver.received.length > 0)

    expect(await sumOfSamples('webhook_lanes_held')).toBeGreaterThan(0)
    await until(async () => (await sumOfSamples('webhook_events', { state: 'paused' })) === 3)
    expect(await sumOfSamples('webhook_endpoints_paused')).toBe(1)
    expect((await scrape()).families.get('entitlements_webhook_oldest_due_seconds')?.samples).toHaveLength(1)
  })

  it('measure the feed, and how late an override expires', async () => {
    const caller = await test.service.organization()
    await vendor(caller).feature('sso')
    await vendor(caller).subscriber('acme')
    const stream = await openStream(`${test.service.url}/org/changes`, { 'x-api-key': caller.key })
    await stream.take('ready')
    const followers = await sumOfSamples('followers')

    const expires_at = new Date(Date.now() + hourMs).toISOString()
    await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true, expires_at })
    await stream.take('entitlements.stale')
    await test.service.database.pool.query(
      'update override set expires_at = clock_timestamp() where organization_id = $1',
      [caller.organizationId],
    )
    await stream.take('entitlements.stale')
    await stream.leave()

    expect(followers).toBe(1)
    expect(await sumOfSamples('change_to_receipt_seconds_count', { path: 'feed' })).toBe(2)
    expect(await sumOfSamples('expiry_lag_seconds_count')).toBe(1)
    await until(async () => (await sumOfSamples('followers')) === 0)
  })

  it('show connections, requests that were refused, and an outage', async () => {
    const caller = await test.service.organization()
    const refused = await increaseOf('requests_refused_total', { reason: 'too_many_bytes' }, () =>
      caller.rest('POST', '/org/features', { key: 'sso', name: 'x'.repeat(100_000), kind: 'flag' }),
    )

    expect(refused).toBe(1)
    expect(await sumOfSamples('http_connections')).toBeGreaterThan(0)
    expect(await sumOfSamples('database_connections', { pool: 'main', state: 'idle' })).toBeGreaterThan(0)
    expect(await sumOfSamples('requests_waiting')).toBe(0)
    expect(await sumOfSamples('database_outage')).toBe(0)
    proxy.refuseConnections()
    await until(async () => (await sumOfSamples('database_outage')) === 1)
    expect(
      await increaseOf('evals_total', { outcome: 'unavailable' }, () => caller.rest('POST', check, { feature: 'sso' })),
    ).toBe(1)
    proxy.open()
    await until(async () => (await sumOfSamples('database_outage')) === 0)
  })

  it('count writes whose outcome is unknown', async () => {
    const caller = await test.service.organization()

    const unknown = await increaseOf('audit_entries_total', { outcome: 'no_response' }, async () => {
      void proxy.trapNextCommit('seats', 'cut before commit').then(() => proxy.refuseConnections())
      const { status } = await caller.rest('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
      expect(status).toBe(503)
      proxy.open()
    })

    expect(unknown).toBe(1)
  })

  it('include every documented name and label, and metrics of the process and Node, but no organization id', async () => {
    const caller = await test.service.organization()
    await vendor(caller).feature('sso')
    const { families, text } = await scrape()
    const valuesOf = (name: string, label: string) =>
      new Set(families.get(`entitlements_${name}`)?.samples.map(({ labels }) => labels[label]))

    const ours = [...families].filter(([name]) => name.startsWith('entitlements_'))
    const found = ours.map(([name, { samples }]) => {
      const labels = new Set(samples.flatMap(({ labels }) => Object.keys(labels)))
      labels.delete('le')
      return withLabels(name.replace('entitlements_', ''), [...labels])
    })
    expect(found.sort()).toEqual(namesWithLabels)
    expect(families.has('process_cpu_user_seconds_total') && families.has('nodejs_eventloop_lag_seconds')).toBe(true)
    expect(valuesOf('evals_total', 'outcome')).toEqual(new Set(evalOutcomes))
    expect(valuesOf('requests_refused_total', 'reason')).toEqual(new Set(overloadReasons))
    expect(valuesOf('build_info', 'node')).toEqual(new Set([process.version]))
    expect(text).not.toContain(caller.organizationId)
  })

  it.skipIf(!hasPromtool)(`satisfy promtool${promtoolNote}`, async () => {
    const { text } = await scrape()

    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' })
  })

  it.skipIf(!hasPrometheus)(`answer every query of the dashboard in a real Prometheus${prometheusNote}`, async () => {
    const { query } = await startPrometheus(address)

    const empty = []
    for (const { title, expr } of dashboardQueries) if ((await query(expr)).length === 0) empty.push(title)

    expect(empty).toEqual([])
  })
})

it.skipIf(!hasPromtool)(`the alerts are valid, and fire or stay quiet as their tests expect${promtoolNote}`, () => {
  expect(promtool(['check', 'rules', rulesFile]).output).toContain('SUCCESS')
  expect(promtool(['test', 'rules', ruleTestsFile]).output).toContain('SUCCESS')
})
