import { describe, expect, it } from 'vitest'
import { Gauge } from '../../src/metrics/instruments.ts'
import { Metrics } from '../../src/metrics/metrics.ts'
import { OtherProcesses } from '../../src/metrics/other-processes.ts'
import { metricsReader, renderMetrics } from '../../src/metrics/registry.ts'
import { countRequests } from '../../src/operation/count-requests.ts'
import { readExposition } from '../support/exposition.ts'

/** Counts requests of this many organizations, each with an eval, a refusal and an attempt to deliver. */
function countFor(metrics: Metrics, organizations: number): void {
  const observe = countRequests(metrics)
  for (let number = 0; number < organizations; number++) {
    const organizationId = `organization_${number}`
    const request = { api: 'rest', requestId: 'req_1', organizationId, durationMs: 1 } as const
    const evalRequest = { ...request, operation: 'check', kind: 'eval', isWrite: false } as const
    observe({ ...evalRequest, status: 200, code: null })
    observe({ ...evalRequest, status: 403, code: 'FORBIDDEN' })
    observe({ ...request, operation: 'createFeature', kind: 'write', isWrite: true, status: 409, code: 'CONFLICT' })
    metrics.countAttempt('delivered', organizationId)
  }
}

async function seriesOf(metrics: Metrics) {
  const text = await renderMetrics([await metricsReader(metrics)()])
  const samples = [...readExposition(text).values()].flatMap((family) => family.samples)
  return samples.filter(({ name }) => name.startsWith('entitlements_'))
}

const organizationsOf = (series: Awaited<ReturnType<typeof seriesOf>>, name: string) =>
  new Set(series.filter((sample) => sample.name === name).map(({ labels }) => labels.organization_id))

describe('series', () => {
  it('are as many for 10,000 organizations as for one', async () => {
    const [one, many] = [new Metrics(), new Metrics()]
    countFor(one, 1)
    countFor(many, 10_000)

    const [ofOne, ofMany] = [await seriesOf(one), await seriesOf(many)]

    expect(ofMany).toHaveLength(ofOne.length)
    expect(ofMany.find(({ labels }) => labels.outcome === 'forbidden')?.value).toBe(10_000)
    expect(JSON.stringify(ofMany)).not.toContain('organization_')
  })

  it('distinguish 1,000 organizations with METRICS_PER_ORGANIZATION, and count other organizations as `other`', async () => {
    const metrics = new Metrics({ perOrganization: true })
    countFor(metrics, 10_000)

    const series = await seriesOf(metrics)

    for (const name of ['entitlements_evals_total', 'entitlements_webhook_attempts_total']) {
      const found = organizationsOf(series, name)
      expect([found.size, found.has('other')]).toEqual([1_001, true])
    }
    const others = series.find(({ labels }) => labels.organization_id === 'other' && labels.outcome === 'granted')
    expect(others?.value).toBe(9_000)
  })

  it('of several processes distinguish 1,000 organizations together, including those of ended processes', async () => {
    const [first, second] = [new Metrics({ perOrganization: true }), new Metrics({ perOrganization: true })]
    for (let number = 0; number < 1_500; number++) first.countEval('granted', `organization_${number}`)
    for (let number = 0; number < 1_500; number++) second.countEval('granted', `organization_${3_000 - number}`)
    const others = new OtherProcesses(new Metrics({ perOrganization: true }).organizations)

    others.addEnded(await metricsReader(first)())
    const text = await renderMetrics(await others.read(Promise.all([metricsReader(second)()])))

    const samples = readExposition(text).get('entitlements_evals_total')?.samples ?? []
    expect(samples).toHaveLength(1_001)
    expect(samples.find(({ labels }) => labels.organization_id === 'other')?.value).toBe(2_000)
  })

  it('of an ended process stay in the sums, except current values', async () => {
    const [ended, running] = [new Metrics(), new Metrics()]
    for (const metrics of [ended, running]) {
      countFor(metrics, 2)
      metrics.followers.addSource(() => [{ value: 3 }])
    }
    const others = new OtherProcesses(null)

    for (let times = 0; times < 2; times++) others.addEnded(await metricsReader(ended)())
    const text = await renderMetrics(await others.read(Promise.all([metricsReader(running)()])))

    const families = readExposition(text)
    const granted = families.get('entitlements_evals_total')?.samples.find(({ labels }) => labels.outcome === 'granted')
    const durations = families
      .get('entitlements_eval_duration_seconds')
      ?.samples.find(({ name }) => /_count$/.test(name))
    expect([granted?.value, durations?.value]).toEqual([6, 12])
    expect(families.get('entitlements_followers')?.samples[0]?.value).toBe(3)
  })

  it('of several processes are summed, except for values that describe all processes', async () => {
    const processes = [new Metrics(), new Metrics()]
    for (const [index, metrics] of processes.entries()) {
      countFor(metrics, 2)
      metrics.buildInfo.addSource(() => [{ labels: { version: '1' }, value: 1 }])
      metrics.followers.addSource(() => [{ value: 3 }])
      metrics.databaseOutage.addSource(() => [{ value: index }])
      metrics.changeToReceipt.observe(0.3, 'feed')
    }

    const text = await renderMetrics(await Promise.all(processes.map((metrics) => metricsReader(metrics)())))

    const families = readExposition(text)
    const sum = (name: string, labels: Record<string, string> = {}) =>
      Array.from(families.values(), ({ samples }) => samples)
        .flat()
        .filter((sample) => sample.name === `entitlements_${name}`)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((total, { value }) => total + value, 0)
    expect(sum('evals_total', { outcome: 'granted' })).toBe(4)
    expect(sum('followers')).toBe(6)
    expect(sum('database_outage')).toBe(1)
    expect(sum('build_info')).toBe(1)
    expect(sum('change_to_receipt_seconds_bucket', { path: 'feed', le: '0.5' })).toBe(2)
    expect(sum('change_to_receipt_seconds_bucket', { path: 'feed', le: '0.25' })).toBe(0)
  })

  it('of several processes show the worst event-loop delay, so that other processes do not hide it', async () => {
    const delayed = (await metricsReader(new Metrics())()).map((metric) =>
      metric.name === 'nodejs_eventloop_lag_p99_seconds'
        ? { ...metric, values: metric.values.map((value) => ({ ...value, value: 0.9 })) }
        : metric,
    )
    const others = await Promise.all([metricsReader(new Metrics())(), metricsReader(new Metrics())()])

    const families = readExposition(await renderMetrics([delayed, ...others]))

    expect(families.get('nodejs_eventloop_lag_p99_seconds')?.samples[0]?.value).toBe(0.9)
  })

  it('escape characters that a label may contain', async () => {
    const gauge = new Gauge({ name: 'odd', help: 'a "quoted" \\ text\nof two lines' })
    gauge.addSource(() => [{ labels: { which: 'a"b\\c\nd' }, value: 1 }])
    const json = [await gauge.toJson()] as never

    const family = readExposition(await renderMetrics([json])).get('entitlements_odd')

    expect(family?.samples).toEqual([{ name: 'entitlements_odd', labels: { which: 'a\\"b\\\\c\\nd' }, value: 1 }])
  })
})
