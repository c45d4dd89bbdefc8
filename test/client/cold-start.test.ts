import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { requireEntitlement } from '../../src/client/frameworks/fastify.ts'
import type { Entitlements, EntitlementsOptions } from '../../src/client/index.ts'
import { atEnd } from '../support/at-end.ts'
import { startClient } from '../support/client.ts'
import { type Caller, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

/** The service with the default rate limit. */
const service = await startService({ EVAL_RATE_LIMIT_PER_SECOND: '100' })
const customers = Array.from({ length: 600 }, (_, index) => `cust-${index}`)

/** Creates a vendor with 600 customers on a plan with `sso`. Returns its admin, and the options for its product's client. */
async function startVendorOfMany(): Promise<{ admin: Caller; access: EntitlementsOptions }> {
  const admin = await service.organization()
  await vendor(admin).features()
  await vendor(admin).plan('pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  const lines = customers.map((subscriber_id) => JSON.stringify({ subscriber_id, plan_id: 'pro' })).join('\n')
  const type = { 'content-type': 'application/x-ndjson' }
  const imported = await admin.rest('POST', '/org/subscribers/import', lines, type)
  expect(imported.body).toMatchObject({ created: customers.length, failed: 0 })
  const { key } = await service.member(admin.organizationId, 'evaluator')
  // Long enough for a slow machine.
  return { admin, access: { baseUrl: service.url, apiKey: key, timeoutMs: 30_000 } }
}

/** Starts the vendor's app, whose route `GET /:id` requires `sso`. */
function startApp(entitlements: Entitlements) {
  const app = fastify()
  atEnd(() => app.close())
  const subscriberOf = ({ params }: { params: unknown }) => (params as { id: string }).id
  app.get('/:id', { preHandler: requireEntitlement(entitlements, 'sso', { subscriberOf }) }, async () => 'ok')
  return { statusOf: async (id: string) => (await app.inject(`/${id}`)).statusCode }
}

describe('a product that starts with 600 customers', () => {
  it.each([
    ['all at once', 0],
    ['within two seconds', 2_000],
  ])('refuses no customer if they arrive %s', async (_when, ms) => {
    const { access } = await startVendorOfMany()
    const { statusOf } = startApp(startClient(access).entitlements)

    const statuses = await Promise.all(
      customers.map(async (id, index) => {
        await new Promise((resolve) => setTimeout(resolve, (ms * index) / customers.length))
        return statusOf(id)
      }),
    )

    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('soon gets new answers for all customers after a change of their plan, and marks old answers until then', async () => {
    const { admin, access } = await startVendorOfMany()
    const { entitlements, countBulkRequests } = startClient(access)
    await entitlements.waitUntilReady()
    await Promise.all(customers.map((id) => entitlements.limit(id, 'seats')))
    const before = countBulkRequests()
    const changedSubscribers: string[] = []
    entitlements.on('changed', ({ subscriber }) => changedSubscribers.push(subscriber))

    await admin.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 7 } } })
    await until(() => changedSubscribers.length === customers.length)
    const details = await Promise.all(customers.map((id) => entitlements.checkDetail(id, 'seats')))

    for (const { limit, from } of details) expect([7, 5]).toContain(from === 'last-known' ? 5 : limit)
    for (const { limit, from } of details) if (from !== 'last-known') expect(limit).toBe(7)
    // The client requests the old answers again although no caller asks for them.
    await until(() => customers.every((id) => entitlements.peek(id, 'seats')?.from === 'cache'))
    expect(customers.map((id) => entitlements.peek(id, 'seats')?.limit)).toEqual(customers.map(() => 7))
    expect(countBulkRequests() - before).toBeLessThan(40)
  })
})

describe('a rate limit', () => {
  it('does not count as an outage: cached answers are used, with one warning', async () => {
    const { admin, access } = await startVendorOfMany()
    const warnings: string[] = []
    const logger = { ...console, warn: (message: string) => void warnings.push(message) }
    // Less than the second after which a refused request may be sent again.
    const { entitlements } = startClient({ ...access, timeoutMs: 900, logger })
    await entitlements.waitUntilReady()
    await entitlements.check('cust-0', 'sso')
    const events: string[] = []
    entitlements.on('rate_limited', () => events.push('rate_limited'))
    entitlements.on('unavailable', () => events.push('unavailable'))
    const where = { organizationId: admin.organizationId }
    await service.database.prisma.evalCounter.update({ where, data: { rateLimit: 0 } })
    await vendor(admin).override('cust-0', 'seats', { kind: 'limit', limit: 9 })
    await until(() => entitlements.peek('cust-0', 'seats')?.from === 'last-known')

    const known = await entitlements.checkDetail('cust-0', 'seats')
    const unknown = await entitlements.checkDetail('cust-1', 'seats')
    const { statusOf } = startApp(entitlements)

    expect(known).toMatchObject({ limit: 5, from: 'last-known', problem: null })
    expect(unknown).toMatchObject({ allowed: false, from: 'default', problem: 'rate_limited' })
    expect([await statusOf('cust-0'), await statusOf('cust-1')]).toEqual([200, 503])
    expect(events).toEqual(['rate_limited'])
    expect(warnings.filter((each) => /evals/.test(each))).toHaveLength(1)

    await service.database.prisma.evalCounter.update({ where, data: { rateLimit: 1_000 } })
    await until(async () => (await entitlements.limit('cust-0', 'seats')) === 9)
  })
})
