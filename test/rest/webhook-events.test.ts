import { describe, expect, it } from 'vitest'
import { timestamp, ulid } from '../support/matchers.ts'
import { startPatientService } from '../support/patient-service.ts'
import { untilOthersWaitFor } from '../support/race.ts'
import type { Caller } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countWakes } from '../support/wakes.ts'

const service = await startPatientService()
const { prisma, pool } = service.database
const wakesOf = await countWakes(pool)

const override = '/org/subscribers/acme/overrides/seats'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const inTwoHours = () => new Date(Date.now() + 7_200_000).toISOString()
const past = '2020-01-01T00:00:00.000Z'

/**
 * A vendor with a webhook, the limit `seats`, the JSON config `ui`, the plans `pro` and `basic`, and the subscriber `acme`.
 */
async function organization(webhook = true): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  if (webhook) await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  await setup.feature('seats', { kind: 'limit' })
  await setup.feature('ui', { kind: 'config', value_type: 'json' })
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 }, ui: { kind: 'config', value: { a: 1, b: 2 } } })
  await setup.plan('basic')
  await setup.subscriber('acme')
  return caller
}

/** The bodies of the events queued since the last call, oldest first. */
async function newEvents({ organizationId }: Caller) {
  const events = await prisma.webhookEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
  if (events.length > 0) await expect.poll(() => wakesOf(organizationId)).toBeGreaterThan(0)
  await prisma.webhookEvent.deleteMany({ where: { organizationId } })
  for (const event of events) {
    expect(event).toMatchObject({ state: 'queued', attempts: 0, once: false })
    expect(JSON.parse(event.body)).toMatchObject({ id: event.id, type: event.type })
  }
  return events.map(({ body }) => JSON.parse(body))
}

function staleEvent({ organizationId }: Caller, fields: object) {
  const head = { id: ulid, type: 'entitlements.stale', occurred_at: timestamp, organization_id: organizationId }
  return { ...head, subscriber_id: 'acme', ...fields }
}

const overrideEvent = (caller: Caller) => staleEvent(caller, { cause: 'override', features: ['seats'] })

async function put(caller: Caller, body: object, status = 200) {
  expect((await caller.rest('PUT', override, { kind: 'limit', ...body })).status).toBe(status)
}

describe('events of subscriptions', () => {
  it('are queued for a creation, a change (one event) and a cancellation, without features', async () => {
    const caller = await organization()
    const event = staleEvent(caller, { cause: 'subscription' })

    await vendor(caller).subscribe('acme', 'pro')
    expect(await newEvents(caller)).toEqual([event])

    const path = '/org/subscribers/acme/subscriptions'
    const { body } = await caller.rest('POST', `${path}/change`, { plan_id: 'basic' })
    expect(await newEvents(caller)).toEqual([event])

    await caller.rest('POST', `${path}/change`, { plan_id: 'basic' })
    expect(await newEvents(caller)).toEqual([event])

    const [, , last] = (await vendor(caller).get(path)).subscriptions
    await caller.rest('POST', `${path}/${last.id}/cancel`)
    expect(await newEvents(caller)).toEqual([event])
    expect(body.status).toBe('active')
  })

  it('are not queued for refused writes', async () => {
    const caller = await organization()
    await vendor(caller).subscribe('acme', 'pro')
    const path = '/org/subscribers/acme/subscriptions'
    await newEvents(caller)

    expect((await caller.rest('POST', path, { plan_id: 'basic' })).status).toBe(409)
    expect((await caller.rest('POST', path, { plan_id: 'none' })).status).toBe(404)
    expect((await caller.rest('POST', path, {})).status).toBe(422)
    expect(await newEvents(caller)).toEqual([])
  })
})

describe('events of overrides', () => {
  it('are queued for a creation, a change and a deletion, with the feature', async () => {
    const caller = await organization()

    await put(caller, { limit: 5 })
    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
    await put(caller, { limit: null, expires_at: inAnHour() })
    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
    await caller.rest('DELETE', override)
    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
  })

  it('are queued even if the plan grants the same value', async () => {
    const caller = await organization()
    await vendor(caller).subscribe('acme', 'pro')
    await newEvents(caller)

    await put(caller, { limit: 5 })

    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
  })

  it('are not queued for an identical put, or for a change of expires_at to another future time or null', async () => {
    const caller = await organization()
    const [near, far] = [inAnHour(), inTwoHours()]
    await put(caller, { limit: 5, expires_at: near })
    await newEvents(caller)

    for (const expires_at of [near, far, near, null, far, undefined]) await put(caller, { limit: 5, expires_at })

    expect(await newEvents(caller)).toEqual([])
  })

  it('are not queued if only the order of keys in a JSON value differs', async () => {
    const caller = await organization()
    const path = '/org/subscribers/acme/overrides/ui'
    await caller.rest('PUT', path, { kind: 'config', value: { a: 1, b: { c: 2, d: 3 } } })
    await newEvents(caller)

    await caller.rest('PUT', path, { kind: 'config', value: { b: { d: 3, c: 2 }, a: 1 } })
    expect(await newEvents(caller)).toEqual([])

    await caller.rest('PUT', path, { kind: 'config', value: { b: { d: 3, c: 4 }, a: 1 } })
    expect(await newEvents(caller)).toEqual([staleEvent(caller, { cause: 'override', features: ['ui'] })])
  })

  it('are queued when expires_at is set to the past, but not for a change or deletion while still expired', async () => {
    const caller = await organization()
    await put(caller, { limit: 5 })
    await newEvents(caller)

    await put(caller, { limit: 5, expires_at: past })
    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
    await put(caller, { limit: 6, expires_at: past })
    await put(caller, { limit: 6, expires_at: '2021-01-01T00:00:00.000Z' })
    await caller.rest('DELETE', override)
    expect(await newEvents(caller)).toEqual([])
  })

  it('are not queued when an override is created already expired, but are queued when it is revived', async () => {
    const caller = await organization()

    await put(caller, { limit: 5, expires_at: past })
    expect(await newEvents(caller)).toEqual([])
    await put(caller, { limit: 5, expires_at: inAnHour() })
    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
  })

  it.each([
    ['a revival with the same value', (caller: Caller) => put(caller, { limit: 5, expires_at: inAnHour() }), false],
    ['another value, still expired', (caller: Caller) => put(caller, { limit: 6, expires_at: past }), true],
    ['the removal of the expiry', (caller: Caller) => put(caller, { limit: 5 }), false],
    ['a deletion', (caller: Caller) => caller.rest('DELETE', override), undefined],
  ])('are queued for %s before the expiry is processed, and then none for the expiry', async (_, change, mark) => {
    const caller = await organization()
    const { organizationId } = caller
    await put(caller, { limit: 5, expires_at: inAnHour() })
    await prisma.override.updateMany({ where: { organizationId }, data: { expiresAt: new Date(past) } })
    await newEvents(caller)

    await change(caller)

    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
    const row = await prisma.override.findFirst({ where: { organizationId } })
    expect(row?.expiryMarked).toBe(mark)
  })

  it('are not queued for a deletion that waited while the worker marked the override as expired', async () => {
    const caller = await organization()
    const { organizationId } = caller
    await put(caller, { limit: 5, expires_at: inAnHour() })
    await prisma.override.updateMany({ where: { organizationId }, data: { expiresAt: new Date(past) } })
    await newEvents(caller)
    const worker = await pool.connect()
    await worker.query('begin')
    await worker.query('update override set expiry_marked = true where organization_id = $1', [organizationId])

    const deletion = caller.rest('DELETE', override)
    await untilOthersWaitFor(worker)
    await worker.query('commit')
    worker.release()

    expect((await deletion).status).toBe(204)
    expect(await newEvents(caller)).toEqual([])
  })

  it('are not queued for an identical put after the expiry: the job for the expiry will queue the event', async () => {
    const caller = await organization()
    const { organizationId } = caller
    await put(caller, { limit: 5, expires_at: inAnHour() })
    await prisma.override.updateMany({ where: { organizationId }, data: { expiresAt: new Date(past) } })
    await newEvents(caller)

    await put(caller, { limit: 5, expires_at: past })

    expect(await newEvents(caller)).toEqual([])
    expect(await prisma.override.findFirst({ where: { organizationId } })).toMatchObject({ expiryMarked: false })
  })

  it('for an expiry are prepared by a job at expires_at, with or without an endpoint', async () => {
    for (const webhook of [true, false]) {
      const caller = await organization(webhook)
      const expires_at = inAnHour()

      await put(caller, { limit: 5, expires_at })
      await put(caller, { limit: 6, expires_at: past })

      const { rows } = await pool.query(
        `select data, start_after from pgboss.job where name = 'override.expire' and data->>'organizationId' = $1`,
        [caller.organizationId],
      )
      expect(rows).toEqual([{ data: { organizationId: caller.organizationId }, start_after: new Date(expires_at) }])
    }
  })

  it('are not queued for refused writes', async () => {
    const caller = await organization()

    await put(caller, { limit: -1 }, 422)
    await put(caller, { kind: 'flag', allowed: true }, 422)
    expect((await caller.rest('DELETE', override)).status).toBe(404)

    expect(await newEvents(caller)).toEqual([])
  })

  it('are queued once for an identical put that is sent many times at once', async () => {
    const caller = await organization()

    await Promise.all(Array.from({ length: 8 }, () => put(caller, { limit: 5 })))

    expect(await newEvents(caller)).toEqual([overrideEvent(caller)])
  })
})

describe('events of subscribers', () => {
  it('are queued only for a deletion, without features', async () => {
    const caller = await organization()
    await put(caller, { limit: 5 })
    await newEvents(caller)

    await caller.rest('PATCH', '/org/subscribers/acme', { name: 'Acme' })
    await vendor(caller).subscriber('other')
    expect(await newEvents(caller)).toEqual([])

    await caller.rest('DELETE', '/org/subscribers/acme')
    expect(await newEvents(caller)).toEqual([staleEvent(caller, { cause: 'subscriber' })])
  })
})

describe('events of plans', () => {
  it('are queued once for changed grants, with the key of the plan', async () => {
    const caller = await organization()
    await vendor(caller).subscribe('acme', 'pro')
    await newEvents(caller)

    await caller.rest('PATCH', '/org/plans/pro', { name: 'Pro!', grants: { seats: { kind: 'limit', limit: 6 } } })

    expect(await newEvents(caller)).toEqual([
      {
        id: ulid,
        type: 'plan.grants.updated',
        occurred_at: timestamp,
        organization_id: caller.organizationId,
        key: 'pro',
      },
    ])
  })

  it('are not queued for a new name, the same grants, or a plan that is created, archived or deleted', async () => {
    const caller = await organization()
    const grants = { ui: { kind: 'config', value: { b: 2, a: 1 } }, seats: { kind: 'limit', limit: 5 } }

    await caller.rest('PATCH', '/org/plans/pro', { name: 'Pro!', grants })
    await vendor(caller).plan('new', { seats: { kind: 'limit', limit: 1 } })
    await vendor(caller).archive('new')
    await caller.rest('POST', '/org/plans/new/unarchive')
    expect((await caller.rest('DELETE', '/org/plans/new')).status).toBe(204)

    expect(await newEvents(caller)).toEqual([])
  })
})

describe('no event', () => {
  it('is queued for features, evals and reads', async () => {
    const caller = await organization()
    await vendor(caller).feature('more')
    await caller.rest('PATCH', '/org/features/more', { name: 'More' })
    await caller.rest('DELETE', '/org/features/more')
    await caller.rest('GET', '/org/subscribers/acme/entitlements')
    await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' })

    expect(await newEvents(caller)).toEqual([])
  })

  it('is queued without an endpoint, even if one is created later', async () => {
    const caller = await organization(false)
    await put(caller, { limit: 5 })
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })

    expect(await newEvents(caller)).toEqual([])
    expect(wakesOf(caller.organizationId)).toBe(0)
  })
})

describe('in GraphQL', () => {
  it('writes queue the same events', async () => {
    const caller = await organization()

    await caller.graphql(
      `mutation { putOverride(input: { subscriberId: "acme", featureKey: "seats", kind: LIMIT, limit: 7 }) { limit } }`,
    )
    await caller.graphql(`mutation { createSubscription(input: { subscriberId: "acme", planId: "pro" }) { id } }`)
    await caller.graphql(`mutation { updatePlan(input: { key: "pro", grants: [] }) { key } }`)
    await caller.graphql(`mutation { deleteSubscriber(input: { subscriberId: "acme" }) }`)

    expect(await newEvents(caller)).toMatchObject([
      overrideEvent(caller),
      staleEvent(caller, { cause: 'subscription' }),
      { type: 'plan.grants.updated', key: 'pro' },
      staleEvent(caller, { cause: 'subscriber' }),
    ])
  })
})
