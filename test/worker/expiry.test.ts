import { describe, expect, it } from 'vitest'
import { type Subscribed, startDeliveryTest } from '../support/delivery.ts'
import { until } from '../support/until.ts'
import { timestamp, ulid, vendor } from '../support/vendor.ts'

const test = await startDeliveryTest()
const { pool } = test.service.database
await Promise.all([test.worker(), test.worker()])

const route = '/org/subscribers/acme/overrides/seats'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const put = (caller: Subscribed, body: object) => caller.rest('PUT', route, { kind: 'limit', limit: 5, ...body })

/** The received events, without the fields that make each one different. */
function causes({ receiver }: Subscribed) {
  return receiver.received.map(({ body }) => JSON.parse(body).cause)
}

/** Resolves when receivers were notified of an override that expires after all others so far. */
async function passExpiry(): Promise<void> {
  const other = await test.vendor()
  await put(other, { expires_at: inMs(2500) })
  await until(() => causes(other).includes('expiry'))
}

describe('an override that expires', () => {
  it('is notified once and after its end, with two workers', async () => {
    const caller = await test.vendor()
    const expiresAt = inMs(1500)

    await put(caller, { expires_at: expiresAt })
    const [, event] = await caller.receiver.waitFor(2)

    const lagMs = performance.timeOrigin + (event?.at ?? 0) - Date.parse(expiresAt)
    expect(lagMs).toBeGreaterThan(0)
    expect(JSON.parse(event?.body ?? '')).toEqual({
      id: ulid,
      type: 'entitlements.stale',
      occurred_at: timestamp,
      organization_id: caller.organizationId,
      subscriber_id: 'acme',
      cause: 'expiry',
      features: ['seats'],
    })
    await passExpiry()
    expect(causes(caller)).toEqual(['override', 'expiry'])
  })

  it('is notified at the moment to which it was moved, and not before', async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(1000) })
    const later = inMs(4000)

    await put(caller, { expires_at: later })
    await passExpiry()
    await caller.receiver.waitFor(2)

    expect(causes(caller)).toEqual(['override', 'expiry'])
    expect(performance.timeOrigin + (caller.receiver.received[1]?.at ?? 0)).toBeGreaterThan(Date.parse(later))
  })

  it('is notified at the earlier moment if it was moved to an earlier one', async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(3_600_000) })

    await put(caller, { expires_at: inMs(1000) })
    await caller.receiver.waitFor(2)

    expect(causes(caller)).toEqual(['override', 'expiry'])
  })

  it.each([
    ['lost its end', (caller: Subscribed) => put(caller, {}), ['override']],
    ['was deleted', (caller: Subscribed) => caller.rest('DELETE', route), ['override', 'override']],
    [
      'is deleted with its subscriber',
      (caller: Subscribed) => caller.rest('DELETE', '/org/subscribers/acme'),
      ['override', 'subscriber'],
    ],
  ])('is never notified if it %s before', async (_what, change, expected) => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(1500) })

    expect((await change(caller)).status).toBeLessThan(300)
    await passExpiry()

    expect(causes(caller)).toEqual(expected)
  })

  it('is notified once each time it is put again after its end', async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(1000) })
    await caller.receiver.waitFor(2)

    await put(caller, { expires_at: inMs(1000) })
    await caller.receiver.waitFor(4)
    await passExpiry()

    expect(causes(caller)).toEqual(['override', 'expiry', 'override', 'expiry'])
  })

  it('is notified if a write that locked it at its end changed nothing', async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(1000) })
    const client = await pool.connect()
    await client.query('begin')
    await client.query('select from override where organization_id = $1 for update', [caller.organizationId])
    await passExpiry()
    expect(causes(caller)).toEqual(['override'])

    await client.query('rollback')
    client.release()
    await caller.receiver.waitFor(2)

    expect(causes(caller)).toEqual(['override', 'expiry'])
  })

  it('is listed by the time of its end, however long after that it was found', async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(3_600_000) })
    await pool.query(`update override set expires_at = '2020-01-02' where organization_id = $1`, [
      caller.organizationId,
    ])
    await passExpiry()
    await caller.receiver.waitFor(2)

    const found = await caller.rest('GET', '/org/webhook/events?occurred_before=2020-01-03T00:00:00Z')

    expect(found.body.events).toMatchObject([{ occurred_at: '2020-01-02T00:00:00.000Z' }])
  })

  it('is marked if there is no endpoint, and a later endpoint is not notified', async () => {
    const caller = await test.service.organization()
    const given = vendor(caller)
    await given.feature('seats', { kind: 'limit' })
    await given.subscriber('acme')
    await given.override('acme', 'seats', { kind: 'limit', limit: 1, expires_at: inMs(200) })
    const isMarked = async () => {
      const { rows } = await pool.query('select expiry_marked from override where organization_id = $1', [
        caller.organizationId,
      ])
      return rows[0].expiry_marked
    }

    await until(isMarked)

    expect(await test.events(caller)).toEqual([])
  })

  it("is notified with the next override's job, of any organization, if its own job was lost", async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(1500) })
    await pool.query(`delete from pgboss.job where name = 'override.expire' and data->>'organizationId' = $1`, [
      caller.organizationId,
    ])

    await passExpiry()
    await caller.receiver.waitFor(2)

    expect(causes(caller)).toEqual(['override', 'expiry'])
  })

  it('is notified by the sweep of a starting worker if no job is left', async () => {
    const caller = await test.vendor()
    await put(caller, { expires_at: inMs(3_600_000) })
    await pool.query(`update override set expires_at = now() - interval '1 second' where organization_id = $1`, [
      caller.organizationId,
    ])

    await test.worker()
    await caller.receiver.waitFor(2)

    expect(causes(caller)).toEqual(['override', 'expiry'])
  })
})

describe('a thousand overrides that expire at once', () => {
  it('are notified once each, in several organizations, within seconds', async () => {
    const callers = await Promise.all([test.vendor(), test.vendor()])
    for (const { organizationId } of callers) {
      await pool.query(
        `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
         select $1, 's' || number, now(), now() from generate_series(1, 500) as number`,
        [organizationId],
      )
      await pool.query(
        `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", expires_at,
                               created_at, updated_at)
         select $1, 's' || number, 'seats', 's' || number, 'limit', 1, now() - interval '1 second', now(), now()
           from generate_series(1, 500) as number`,
        [organizationId],
      )
      await put({ organizationId, ...callers.find((each) => each.organizationId === organizationId) } as Subscribed, {
        expires_at: inMs(200),
      })
    }

    for (const { receiver } of callers) {
      await receiver.waitFor(502)
      const subscribers = receiver.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ cause }) => cause === 'expiry')
      expect(new Set(subscribers.map(({ subscriber_id }) => subscriber_id)).size).toBe(501)
      expect(receiver.received).toHaveLength(502)
    }
  })
})
