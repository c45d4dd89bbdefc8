import { describe, expect, it } from 'vitest'
import { timestamp } from '../support/matchers.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { openStream } from './event-stream.ts'

const start = () => startService({}, undefined, undefined, { followersPublishedEveryMs: 100 })
const [service, other] = [await start(), await start()]

const follow = async ({ key }: Caller, { url }: TestService = service) => {
  const stream = await openStream(`${url}/org/changes`, { 'x-api-key': key })
  await stream.take('ready')
  return stream
}
const read = (caller: Caller) => vendor(caller).get('/org/followers')
const untilCount = (caller: Caller, count: number) => until(async () => (await read(caller)).count === count)

describe('the followers of an organization', () => {
  it('have count 0 and no last change at first', async () => {
    const caller = await service.organization()

    const followers = await read(caller)

    expect(followers).toEqual({ count: 0, last_change: null, handed_out_at: null, delay_ms: null })
    const { body } = await caller.graphql('{ followers { count lastChange handedOutAt delayMs } }')
    expect(body.data.followers).toEqual({ count: 0, lastChange: null, handedOutAt: null, delayMs: null })
  })

  it('are counted over all processes until they disconnect', async () => {
    const [caller, otherCaller] = [await service.organization(), await service.organization()]
    const [one, two] = [await follow(caller), await follow(caller, other)]
    const waiting = caller.rest('GET', '/org/changes?wait=30')

    await untilCount(caller, 3)

    expect((await read(otherCaller)).count).toBe(0)
    await two.leave()
    await vendor(caller).feature('sso')
    await waiting
    await untilCount(caller, 1)
    await one.leave()
    await untilCount(caller, 0)
  })

  it('are reported with the last change that they received, and its delay', async () => {
    const caller = await service.organization()
    const stream = await follow(caller)

    await vendor(caller).feature('sso')
    const change = await stream.take('catalog.updated')

    await until(async () => (await read(caller)).last_change !== null)
    const followers = await read(caller)
    expect(followers).toEqual({
      count: 1,
      last_change: JSON.parse(change.data),
      handed_out_at: timestamp,
      delay_ms: expect.any(Number),
    })
    expect(followers.delay_ms).toBeGreaterThanOrEqual(0)
    const { body } = await caller.graphql('{ followers { count lastChange handedOutAt delayMs } }')
    expect(body.data.followers).toEqual({
      count: 1,
      lastChange: followers.last_change,
      handedOutAt: followers.handed_out_at,
      delayMs: followers.delay_ms,
    })
  })

  it('are not counted once their process has died, but their last change is still reported', async () => {
    const caller = await service.organization()
    const { pool } = service.database
    const stream = await follow(caller)
    await vendor(caller).feature('sso')
    await until(async () => (await read(caller)).last_change !== null)
    await stream.leave()
    await untilCount(caller, 0)

    await pool.query(
      `update follower_count set followers = 2, told_at = clock_timestamp() - interval '41 seconds' where organization_id = $1`,
      [caller.organizationId],
    )

    expect(await read(caller)).toMatchObject({ count: 0, last_change: { type: 'catalog.updated' } })
  })

  it('cannot be read without the label webhooks:read', async () => {
    const viewer = await service.organization('viewer')

    const answer = await viewer.rest('GET', '/org/followers')

    expectRefusal(answer, 'FORBIDDEN', { required_labels: ['webhooks:read'] })
  })
})
