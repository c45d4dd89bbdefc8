import { expect, it } from 'vitest'
import { createTestClock, type SubscribedOrganization, startDeliveryTest } from '../support/delivery.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { wallTimeOf } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const test = await startDeliveryTest({ WEBHOOK_ATTEMPT_TIMEOUT_MS: '60000' })
await Promise.all([test.worker(), test.worker()])

const route = '/org/subscribers/acme/overrides/seats'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

function receivedCauses({ receiver }: SubscribedOrganization) {
  return receiver.received.map(({ body }) => JSON.parse(body).cause)
}

/**
 * Creates a vendor with an override that starts after `ms`, or later if the machine took longer to create it, and ends
 * `lastsMs` after its start.
 */
async function createScheduledOverride(
  ms = 200,
  lastsMs?: number,
): Promise<{ caller: SubscribedOrganization; startsAt: string }> {
  const caller = await test.vendor()
  const starts_at = inMs(ms)
  const end = lastsMs === undefined ? {} : { expires_at: inMs(ms + lastsMs) }
  const answer = await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 5, starts_at, ...end })
  return answer.starts_at === undefined ? createScheduledOverride(2 * ms, lastsMs) : { caller, startsAt: starts_at }
}

/** Resolves once receivers were notified of an override that starts later than all earlier ones. */
async function passStart(after: string): Promise<void> {
  const { caller } = await createScheduledOverride(Math.max(0, Date.parse(after) - Date.now()) + 200)
  await until(() => receivedCauses(caller).length > 0)
}

it('a start is reported once and on time, with two workers', async () => {
  const { caller, startsAt } = await createScheduledOverride()

  const [event] = await caller.receiver.waitFor(1)

  expect(wallTimeOf(event)).toBeGreaterThanOrEqual(Date.parse(startsAt))
  expect(JSON.parse(event?.body ?? '')).toEqual({
    id: ulid,
    type: 'entitlements.stale',
    occurred_at: startsAt,
    organization_id: caller.organizationId,
    subscriber_id: 'acme',
    cause: 'override',
    features: ['seats'],
  })
  await passStart(inMs(0))
  expect(receivedCauses(caller)).toEqual(['override'])
  expect(await vendor(caller).get(route)).toMatchObject({ limit: 5, updated_at: startsAt, created_at: timestamp })
  expect(await vendor(caller).get(route)).not.toHaveProperty('starts_at')
  const { history } = await vendor(caller).get('/org/subscribers/acme/history?feature=seats')
  expect(history).toMatchObject([{ cause: 'override', at: startsAt, by: { display_name: 'admin' } }])
})

it('the end of an override with a start is reported as well', async () => {
  const { caller, startsAt } = await createScheduledOverride(300, 500)

  await caller.receiver.waitFor(2)

  expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
  const { history } = await vendor(caller).get('/org/subscribers/acme/history?feature=seats')
  expect(history.map(({ cause }: { cause: string }) => cause)).toEqual(['expiry', 'override'])
  expect(history[1].at).toBe(startsAt)
})

it.each([
  ['deleted', (caller: SubscribedOrganization) => caller.rest('DELETE', route)],
  [
    'moved',
    (caller: SubscribedOrganization) =>
      caller.rest('PUT', route, { kind: 'limit', limit: 5, starts_at: inMs(9_000_000) }),
  ],
])('an override that was %s before its start is never reported', async (_, write) => {
  const { caller, startsAt } = await createScheduledOverride(600)
  expect((await write(caller)).status).toBeLessThan(300)
  if (Date.now() >= Date.parse(startsAt)) return

  await passStart(startsAt)

  expect(receivedCauses(caller)).toEqual([])
})

it('a start is reported by a running worker even if its job was lost', async () => {
  const { caller } = await createScheduledOverride(400)
  await test.service.database.pool.query(`delete from pgboss.job where name = 'override.expire'`)

  await until(() => receivedCauses(caller).length > 0)

  expect(receivedCauses(caller)).toEqual(['override'])
})

it('a start that no worker saw is reported when a worker starts, and then the end is reported', async () => {
  const { caller } = await createScheduledOverride(3_600_000, 3_600_000)

  const clock = createTestClock()
  clock.advance(7_300)
  await test.worker({ clock })

  await caller.receiver.waitFor(2)
  expect(receivedCauses(caller)).toEqual(['override', 'expiry'])
})
