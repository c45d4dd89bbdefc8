import { describe, expect, it } from 'vitest'
import { race, times } from '../support/race.ts'
import { type Caller, callerOf, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

/** Two servers on one database. */
const service = await startService({ EVAL_RATE_LIMIT_PER_SECOND: '100' })
const other = await startService({ EVAL_RATE_LIMIT_PER_SECOND: '100' })
const { pool } = service.database

async function organization(limits: { rateLimit?: number; allotment?: bigint } = {}): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  const { organizationId } = caller
  await service.database.prisma.evalCounter.update({ where: { organizationId }, data: limits })
  return caller
}

const check = (caller: Caller) => caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'sso' })
const snapshot = (caller: Caller) => caller.rest('GET', '/org/subscribers/acme/entitlements')

/** The database's clock, in seconds with a fraction. */
async function now(): Promise<number> {
  const { rows } = await pool.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 as now')
  return (rows[0] as { now: number }).now
}

const used = async (caller: Caller) => (await vendor(caller).get('/org/eval-usage')).used

/** A slow machine may answer some evals with 503, and these do not count. */
const late = '503 SERVICE_UNAVAILABLE'
const lateOf = (tally: Record<string, number>) => tally[late] ?? 0
const expectLate = (tally: Record<string, number>) => expect([[], [late]]).toContainEqual(Object.keys(tally))

describe('a thousand checks at once', () => {
  it.each([
    ['one server', [service]],
    ['two servers', [service, other]],
  ])('for one organization are admitted up to exactly the limit in a clock second, at %s', async (_where, servers) => {
    const at = (caller: Caller, i: number) => callerOf((servers[i % servers.length] as typeof service).url, caller)
    const warmUp = await organization()
    await race(times(100, (i) => () => check(at(warmUp, i))))
    const caller = await organization()

    const start = await now()
    const { answers, tally } = await race(times(1000, (i) => () => check(at(caller, i))))
    const seconds = Math.floor(await now()) - Math.floor(start) + 1

    // Those that run into the next second are admitted up to the limit there too.
    const { 200: granted = 0, '429 RATE_LIMITED': limited = 0, ...others } = tally
    expectLate(others)
    expect(granted + lateOf(others)).toBeGreaterThanOrEqual(100)
    expect(granted).toBeLessThanOrEqual(100 * seconds)
    expect(granted + limited + lateOf(others)).toBe(1000)
    for (const { status, headers } of answers) expect(headers.get('retry-after')).toBe(status === 200 ? null : '1')
    await expect.poll(() => used(caller)).toBe(granted)
  })

  it('do not affect the rate of another organization', async () => {
    const [hasty, calm] = [await organization({ rateLimit: 1 }), await organization()]

    const start = await now()
    const { tally } = await race(times(40, () => () => check(hasty)))
    const seconds = Math.floor(await now()) - Math.floor(start) + 1
    expect(tally['200']).toBeLessThanOrEqual(seconds)
    expect(tally).not.toHaveProperty('409 CONFLICT')
    const { 200: granted = 0, ...others } = (await race(times(40, () => () => check(calm)))).tally
    expectLate(others)
    expect(granted).toBe(40 - lateOf(others))
  })
})

describe('an allotment of 500', () => {
  it('admits exactly 500 of 700 evals at once, checks and snapshots over two servers', async () => {
    const caller = await organization({ rateLimit: 1_000_000, allotment: 500n })
    const there = callerOf(other.url, caller)

    const { tally } = await race(times(700, (i) => () => (i % 3 ? check : snapshot)(i % 2 ? caller : there)))

    const { 200: first = 0, '409 CONFLICT': _refused, ...others } = tally
    expectLate(others)
    // Evals that got a 503 are refunded, and can be used again.
    let granted = first
    await until(async () => {
      const { status } = await check(caller)
      if (status === 200) granted++
      return status === 409 && granted >= 500
    })
    expect(granted).toBe(500)
    expect(await used(caller)).toBe(500)
  })
})

describe('an eval', () => {
  it('sees each write that was answered before it, whichever server each of the two ran on', async () => {
    const caller = await organization({ rateLimit: 1_000_000 })
    const there = callerOf(other.url, caller)
    const path = '/org/subscribers/acme/overrides/sso'

    for (const round of times(20, (i) => i)) {
      const [writer, reader] = round % 2 ? [caller, there] : [there, caller]
      await writer.rest('PUT', path, { kind: 'flag', allowed: true })
      expect((await check(reader)).body).toMatchObject({ allowed: true, source: 'override' })
      await writer.rest('DELETE', path)
      expect((await check(reader)).body).toMatchObject({ allowed: false, source: 'none' })
    }
  })
})
