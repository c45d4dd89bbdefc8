import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDeliveryTest, type DeliveryTest } from '../support/delivery.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { inTurn, isSignedWith, type ReceivedRequest } from '../support/receiver.ts'
import { type Collector, startCollector } from './collector.ts'
import { createTestTracing } from './test-tracing.ts'

let collector: Collector
let test: DeliveryTest
beforeAll(async () => {
  collector = await startCollector()
  const env = { WEBHOOK_RETRY_WAITS_SECONDS: '0.05' }
  test = await createDeliveryTest(await createOwnDatabase(), env, undefined, createTestTracing(collector.url))
})
afterAll(() => collector.close())

it('each attempt is sent with the traceparent of its span, which has the outcome and no secret of the URL', async () => {
  const vendor = await test.vendor(inTurn(500, 204))
  await test.worker()
  const [eventId] = await test.emit(vendor)
  const [refused, taken] = (await vendor.receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest]

  const identityOf = ({ headers }: ReceivedRequest) =>
    /^00-(?<traceId>\w{32})-(?<spanId>\w{16})-01$/.exec(String(headers.traceparent))?.groups as Record<string, string>
  const spans = await Promise.all([refused, taken].map((each) => collector.ofTrace(identityOf(each).traceId ?? '', 1)))
  const [first, second] = spans.flat()
  const common = {
    'entitlements.event_id': eventId,
    'entitlements.organization_id': vendor.organizationId,
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
  }
  expect(first).toMatchObject({
    ...identityOf(refused),
    parentId: '',
    name: 'webhook attempt',
    kind: 'client',
    isError: true,
  })
  expect(first?.attributes).toEqual({
    ...common,
    'entitlements.attempt': 1,
    'http.response.status_code': 500,
    'error.type': '500',
  })
  expect(second).toMatchObject({ ...identityOf(taken), isError: false })
  expect(second?.attributes).toEqual({ ...common, 'entitlements.attempt': 2, 'http.response.status_code': 204 })
  expect(isSignedWith(vendor.secret, taken)).toBe(true)
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'api-key': 'from tests' } })
  expect(JSON.stringify(collector.spans)).not.toContain('from=test')
})
