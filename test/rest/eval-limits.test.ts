import { beforeEach, describe, expect, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService({ EVAL_RATE_LIMIT_PER_SECOND: '1000000', EVAL_MONTHLY_ALLOTMENT: '1000000' })

beforeEach(waitIfNearMidnight)

const path = '/org/subscribers/acme/entitlements'

/** A vendor with the feature `sso`, the subscriber `acme`, and limits of its own. */
async function organizationWithLimits(limits: { rateLimit?: number; allotment?: number }): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  await service.database.prisma.evalCounter.update({
    where: { organizationId: caller.organizationId },
    data: { rateLimit: limits.rateLimit ?? null, allotment: limits.allotment ?? null },
  })
  return caller
}

const check = (caller: Caller, feature = 'sso') => caller.rest('POST', `${path}/check`, { feature })
const used = async (caller: Caller) => (await vendor(caller).get('/org/eval-usage')).used
const today = () => new Date().toISOString().slice(0, 10)

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('the monthly allotment', () => {
  it('is shared by checks and snapshots; once it is used up, both are 409 CONFLICT and count nothing', async () => {
    const caller = await organizationWithLimits({ allotment: 2 })

    expect(await check(caller)).toMatchObject({ status: 200 })
    expect(await caller.rest('GET', path)).toMatchObject({ status: 200 })

    expectRefusal(await check(caller), 'CONFLICT', { field: 'evals', value: 2 })
    expectRefusal(await caller.rest('GET', path), 'CONFLICT', { field: 'evals', value: 2 })
    expect(await used(caller)).toBe(2)
  })

  it('is checked last: after 404 and 422, neither of which counts an eval', async () => {
    const caller = await organizationWithLimits({ allotment: 0 })

    expectInvalid(await check(caller, ''), ['feature', /key of a feature/])
    expectInvalid(await check(caller, 'nope'), ['feature', /not in the catalog/])
    const unknown = await caller.rest('GET', '/org/subscribers/nope/entitlements')
    expectRefusal(unknown, 'NOT_FOUND', { resource: 'subscriber', id: 'nope' })
    expectRefusal(await check(caller), 'CONFLICT', { field: 'evals', value: 0 })
    expect(await used(caller)).toBe(0)
  })

  it('limits neither writes nor other reads', async () => {
    const caller = await organizationWithLimits({ allotment: 0, rateLimit: 0 })

    await vendor(caller).feature('another')
    expect(await caller.rest('GET', '/org/subscribers/acme/overrides')).toMatchObject({ status: 200 })
  })
})

describe('the rate limit', () => {
  it('is reported as 429 with the wait in details and Retry-After, for checks and snapshots', async () => {
    const caller = await organizationWithLimits({ rateLimit: 0 })

    for (const answer of [await check(caller), await caller.rest('GET', path), await check(caller, 'nope')]) {
      expectRefusal(answer, 'RATE_LIMITED', { retry_after_seconds: 1 })
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect(await used(caller)).toBe(0)
  })

  it('is checked after the request body, and before the subscriber', async () => {
    const caller = await organizationWithLimits({ rateLimit: 0 })

    expectRefusal(await caller.rest('POST', `${path}/check`, '{'), 'INVALID_JSON', null)
    expectInvalid(await caller.rest('POST', `${path}/check`, {}), ['feature', /required/])
    expectInvalid(await caller.rest('POST', `${path}/check`, []), ['', /JSON object/])
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expectRefusal(await caller.rest('POST', `${path}/check`, 'a=b', form), 'UNSUPPORTED_MEDIA_TYPE', null)
    const unknown = await caller.rest('GET', '/org/subscribers/nope/entitlements')
    expectRefusal(unknown, 'RATE_LIMITED', { retry_after_seconds: 1 })
  })
})

describe('GET /org/eval-usage', () => {
  it('answers with the month, its evals, the allotment, and the evals of each day', async () => {
    const caller = await organizationWithLimits({ allotment: 10 })
    const empty = { month: today().slice(0, 7), used: 0, allotment: 10, days: [] }
    expect(await vendor(caller).get('/org/eval-usage')).toEqual(empty)

    for (let i = 0; i < 3; i++) await check(caller)

    const usage = { ...empty, used: 3, days: [{ date: today(), used: 3 }] }
    expect(await vendor(caller).get('/org/eval-usage')).toEqual(usage)
    expect(await vendor(caller).get(`/org/eval-usage?month=${today().slice(0, 7)}&other=1`)).toEqual(usage)
    expect(await vendor(caller).get('/org/eval-usage?month=2020-02')).toEqual({ ...empty, month: '2020-02' })
  })

  it("has the server's allotment for an organization without its own, and null for an unlimited one", async () => {
    expect(await vendor(await organizationWithLimits({})).get('/org/eval-usage')).toMatchObject({
      allotment: 1_000_000,
    })
    expect(await vendor(await organizationWithLimits({ allotment: -1 })).get('/org/eval-usage')).toMatchObject({
      allotment: null,
    })
  })

  it.each(['2026', '2026-13', '2026-00', '2026-1', '0000-01', '2026-11-01', '', '%ff', '2026-11%00', 'nov'])(
    'refuses month=%s with one detail',
    async (month) => {
      const caller = await service.organization('viewer')

      const answer = await caller.rest('GET', `/org/eval-usage?month=${month}`)

      expectInvalid(answer, ['month', /^month must be a calendar month such as 2026-11/])
    },
  )
})
