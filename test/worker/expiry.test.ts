import { describe, expect, it } from 'vitest'
import { systemClock } from '../../worker/clock.ts'
import { findOrganizationsToExpire } from '../../worker/jobs/expire-overrides.ts'
import { type SubscribedOrganization, startDeliveryTest } from '../support/delivery.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { wallTimeOf } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const deliveries = await startDeliveryTest({ WEBHOOK_ATTEMPT_TIMEOUT_MS: '60000' })
const { pool } = deliveries.service.database
await Promise.all([deliveries.worker(), deliveries.worker()])

const route = '/org/subscribers/acme/overrides/seats'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const put = (caller: SubscribedOrganization, body: object) =>
  caller.rest('PUT', route, { kind: 'limit', limit: 5, ...body })

/** The received events, without the fields that make each one different. */
function receivedCauses({ receiver }: SubscribedOrganization) {
  return receiver.received.map(({ body }) => JSON.parse(body).cause)
}

/** The latest end of an override so far, in milliseconds since 1970. */
let latestEnd = 0

/** Creates a vendor with an override that ends after this time, or later if the machine took longer to put it. */
async function createVendorWithEnd(ms = 200): Promise<{ caller: SubscribedOrganization; expiresAt: string }> {
  const caller = await deliveries.vendor()
  const expiresAt = inMs(ms)
  await put(caller, { expires_at: expiresAt })
  if (Date.now() >= Date.parse(expiresAt)) return createVendorWithEnd(2 * ms)
  latestEnd = Math.max(latestEnd, Date.parse(expiresAt))
  return { caller, expiresAt }
}

type Ending = { caller: SubscribedOrganization; expiresAt: string }

/** Calls `write` with a time after which an override shall end, and again with twice the time if it took longer than that. */
async function writeBeforeEnd(write: (ms: number) => Promise<Ending>, ms = 400): Promise<SubscribedOrganization> {
  const { caller, expiresAt } = await write(ms)
  if (Date.now() >= Date.parse(expiresAt)) return writeBeforeEnd(write, 2 * ms)
  latestEnd = Math.max(latestEnd, Date.parse(expiresAt))
  return caller
}

/** Resolves when receivers were notified of a new override that expired after all earlier ones. */
async function passExpiry(): Promise<void> {
  const { caller } = await createVendorWithEnd(Math.max(0, latestEnd - Date.now()) + 200)
  await until(() => receivedCauses(caller).includes('expiry'))
}

/** Creates an override whose end was moved to a later time before it ended. */
async function createMovedOverride(ms = 400): Promise<{ caller: SubscribedOrganization; later: string }> {
  const { caller, expiresAt } = await createVendorWithEnd(ms)
  const later = new Date(Date.parse(expiresAt) + 400).toISOString()
  await put(caller, { expires_at: later })
  if (Date.now() >= Date.parse(expiresAt)) return createMovedOverride(2 * ms)
  latestEnd = Math.max(latestEnd, Date.parse(later))
  return { caller, later }
}

/** Adds overrides of different subscribers that ended a second ago, without jobs. */
async function addEndedOverrides({ organizationId }: SubscribedOrganization, count: number): Promise<void> {
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select $1, 's' || number, now(), now() from generate_series(1, $2::int) as number`,
    [organizationId, count],
  )
  await pool.query(
    `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", expires_at,
                           created_at, updated_at)
     select $1, 's' || number, 'seats', 's' || number, 'limit', 1, now() - interval '1 second', now(), now()
       from generate_series(1, $2::int) as number`,
    [organizationId, count],
  )
}

describe('an override that expires', () => {
  it('is reported only once, and after its end, with two workers', async () => {
    const { caller, expiresAt } = await createVendorWithEnd()

    const [, event] = await caller.receiver.waitFor(2)

    expect(wallTimeOf(event)).toBeGreaterThan(Date.parse(expiresAt))
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
    expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
  })

  it('is reported at its new end, and not before, if the end was moved to a later time', async () => {
    const { caller, later } = await createMovedOverride()

    await passExpiry()
    await caller.receiver.waitFor(2)

    expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
    expect(wallTimeOf(caller.receiver.received[1])).toBeGreaterThan(Date.parse(later))
  })

  it('is reported at its new end if the end was moved to an earlier time', async () => {
    const caller = await writeBeforeEnd(async (ms) => {
      const caller = await deliveries.vendor()
      await put(caller, { expires_at: inMs(3_600_000) })
      const expiresAt = inMs(ms)
      await put(caller, { expires_at: expiresAt })
      return { caller, expiresAt }
    })
    await caller.receiver.waitFor(2)

    expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
  })

  it.each([
    ['its expiry was removed', (caller: SubscribedOrganization) => put(caller, {}), ['override']],
    ['it was deleted', (caller: SubscribedOrganization) => caller.rest('DELETE', route), ['override', 'override']],
    [
      'it was deleted with its subscriber',
      (caller: SubscribedOrganization) => caller.rest('DELETE', '/org/subscribers/acme'),
      ['override', 'subscriber'],
    ],
  ])('is never reported if %s before its end', async (_what, change, expected) => {
    let caller: SubscribedOrganization
    let expiresAt: string
    let ms = 200
    do {
      ms *= 2
      ;({ caller, expiresAt } = await createVendorWithEnd(ms))
      expect((await change(caller)).status).toBeLessThan(300)
    } while (Date.now() >= Date.parse(expiresAt))
    await passExpiry()

    expect(receivedCauses(caller)).toEqual(expected)
  })

  it('is reported once each time it is put again after its end', async () => {
    const caller = await writeBeforeEnd(async (ms) => {
      const { caller } = await createVendorWithEnd()
      await caller.receiver.waitFor(2)
      const expiresAt = inMs(ms)
      await put(caller, { expires_at: expiresAt })
      return { caller, expiresAt }
    })
    await caller.receiver.waitFor(4)
    await passExpiry()

    expect(receivedCauses(caller)).toEqual(['override', 'expiry', 'override', 'expiry'])
  })

  it('causes an event even if a write had locked the override when it ended, and was rolled back', async () => {
    const client = await pool.connect()
    const caller = await writeBeforeEnd(async (ms) => {
      await client.query('rollback')
      const caller = await deliveries.vendor()
      const expiresAt = inMs(ms)
      await put(caller, { expires_at: expiresAt })
      await client.query('begin')
      await client.query('select from override where organization_id = $1 for update', [caller.organizationId])
      return { caller, expiresAt }
    })
    await passExpiry()
    expect(receivedCauses(caller)).toEqual(['override'])

    await client.query('rollback')
    client.release()
    await caller.receiver.waitFor(2)

    expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
  })

  it('is listed at the time of its end, however late the worker found it', async () => {
    const caller = await deliveries.vendor()
    await put(caller, { expires_at: inMs(3_600_000) })
    await pool.query(`update override set expires_at = '2020-01-02' where organization_id = $1`, [
      caller.organizationId,
    ])
    await passExpiry()
    await caller.receiver.waitFor(2)

    const found = await caller.rest('GET', '/org/webhook/events?occurred_before=2020-01-03T00:00:00Z')

    expect(found.body.events).toMatchObject([{ occurred_at: '2020-01-02T00:00:00.000Z' }])
  })

  it('is marked as reported if there is no endpoint, and a later endpoint is not notified', async () => {
    const caller = await deliveries.service.organization()
    const setup = vendor(caller)
    await setup.feature('seats', { kind: 'limit' })
    await setup.subscriber('acme')
    await setup.override('acme', 'seats', { kind: 'limit', limit: 1, expires_at: inMs(200) })
    const isMarked = async () => {
      const { rows } = await pool.query('select expiry_marked from override where organization_id = $1', [
        caller.organizationId,
      ])
      return rows[0].expiry_marked
    }

    await until(isMarked)

    expect(await deliveries.events(caller)).toEqual([])
  })

  it("is reported by the next ending override's job, in any organization, if its own job was lost", async () => {
    const { caller } = await createVendorWithEnd(400)
    await pool.query(`delete from pgboss.job where name = 'override.expire' and data->>'organizationId' = $1`, [
      caller.organizationId,
    ])

    await passExpiry()
    await caller.receiver.waitFor(2)

    expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
  })

  it('is reported by the sweep of a starting worker if no job is left', async () => {
    const caller = await deliveries.vendor()
    await put(caller, { expires_at: inMs(3_600_000) })
    await pool.query(`update override set expires_at = now() - interval '1 second' where organization_id = $1`, [
      caller.organizationId,
    ])

    await deliveries.worker()
    await caller.receiver.waitFor(2)

    expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
  })
})

it('a sweep reads none of the overrides that start or end later', async () => {
  let sweep = ''
  const capture = async (text: string) => {
    sweep = text
    return { rows: [] }
  }
  await findOrganizationsToExpire({ pool: { query: capture } as unknown as typeof pool, clock: systemClock })
  const client = await pool.connect()
  // A temporary table hides the real one until the transaction is rolled back.
  await client.query(`begin;
    create temporary table override (like public.override including all);
    insert into override (organization_id, subscriber_id, feature_key, override_id, kind, allowed, created_at, updated_at,
                          expires_at, starts_at)
    select 'organization' || number % 20, 'subscriber' || number / 10, 'feature' || number % 100, 'override' || number,
           'flag', true, now(), now(), case when number % 3 = 0 then timestamptz '2199-01-01' end,
           case when number % 3 = 1 then timestamptz '2198-01-01' end
      from generate_series(1, 20000) number;
    analyze override`)

  const { rows } = await client.query(`explain (analyze, buffers, format json) ${sweep}`)

  await client.query('rollback')
  client.release()
  expect(rows[0]['QUERY PLAN'][0].Plan['Local Hit Blocks']).toBeLessThan(10)
})

it('the end of an override without a job is reported, however many overrides of a moved organization have ended', async () => {
  const [moved, caller] = await Promise.all([deliveries.vendor(), deliveries.vendor()])
  await pool.query(`update member set moving_until = '9999-01-01 00:00:00+00' where organization_id = $1`, [
    moved.organizationId,
  ])
  await addEndedOverrides(moved, 10_001)

  await addEndedOverrides(caller, 1)
  await caller.receiver.waitFor(1)

  expect(receivedCauses(caller)).toEqual(['expiry'])
  expect(await deliveries.events(moved)).toEqual([])
})

describe('a thousand overrides that expire at once', () => {
  it('are reported once each, in several organizations', async () => {
    const callers = await Promise.all([deliveries.vendor(), deliveries.vendor()])
    for (const caller of callers) await addEndedOverrides(caller, 500)

    // The overrides whose jobs were lost are found by the job of another override.
    await passExpiry()

    for (const { receiver } of callers) {
      await receiver.waitFor(500)
      const events = receiver.received.map(({ body }) => JSON.parse(body))
      expect(new Set(events.map(({ cause }) => cause))).toEqual(new Set(['expiry']))
      expect(new Set(events.map(({ subscriber_id }) => subscriber_id)).size).toBe(500)
      expect(receiver.received).toHaveLength(500)
    }
  })
})
