import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { newEvent } from '../../src/events/event.ts'
import { queueEvents } from '../../src/events/outbox.ts'
import { timestamp } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countWakes } from '../support/wakes.ts'

const service = await sharedService()
const { prisma, pool } = service.database
const wakesOf = await countWakes(pool)
const path = '/org/webhook/events'

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
})

const oneHour = 3_600_000
const sendTest = async (): Promise<string> => (await caller.rest('POST', '/org/webhook/test')).body.id
/** Creates an override; returns the id of the event that it queues. */
async function queueChange(): Promise<string> {
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('ann')
  await vendor(caller).override('ann', 'sso', { kind: 'flag', allowed: true })
  return (await vendor(caller).get(path)).events[0].id
}

const updateEvent = (id: string, data: object) =>
  prisma.webhookEvent.update({ where: { organizationId_id: { organizationId: caller.organizationId, id } }, data })
const list = async (query: string): Promise<string[]> =>
  (await vendor(caller).get(`${path}?${query}`)).events.map(({ id }: { id: string }) => id)

/** Adds a failed attempt, and an earlier one from before headers were stored; the next attempt is due in an hour. */
async function addFailedAttempts(id: string): Promise<void> {
  const { organizationId } = caller
  const common = { organizationId, eventId: id, startedAt: new Date(), durationMs: 12 }
  await prisma.webhookAttempt.createMany({
    data: [
      { ...common, number: 2, status: 500, error: '500', answer: 'oh', headers: '{"X-A":"1","__proto__":"2"}' },
      { ...common, number: 1, error: 'no answer in 5 s' },
    ],
  })
  await updateEvent(id, { attempts: 2, dueAt: new Date(Date.now() + oneHour) })
}

describe('the list of events', () => {
  it('can be filtered by type, subscriber and the time when the events occurred', async () => {
    const setup = vendor(caller)
    await setup.feature('sso')
    for (const subscriber of ['ann', 'bob']) await setup.subscriber(subscriber)
    const test = await sendTest()
    for (const subscriber of ['ann', 'bob', 'ann']) {
      await setup.override(subscriber, 'sso', { kind: 'flag', allowed: true })
      await caller.rest('DELETE', `/org/subscribers/${subscriber}/overrides/sso`)
    }
    const all = await list('')
    expect(all).toHaveLength(7)

    expect(await list('type=webhook.test')).toEqual([test])
    expect(await list('type=entitlements.stale')).toEqual(all.slice(0, 6))
    expect(await list('subscriber_id=ann')).toEqual([...all.slice(0, 2), ...all.slice(4, 6)])
    expect(await list('subscriber_id=bob&type=entitlements.stale&state=queued')).toEqual(all.slice(2, 4))
    expect(await list(`subscriber_id=ann&starting_after=${all[1]}`)).toEqual(all.slice(4, 6))
    expect(await list('subscriber_id=nobody')).toEqual([])

    const [late] = all as [string]
    await updateEvent(test, { occurredAt: new Date('2020-01-01T00:00:00Z'), isLate: true })
    await updateEvent(late, { occurredAt: new Date('2020-01-02T00:00:00Z'), isLate: true })
    expect(await list('occurred_before=2020-01-02T00:00:00Z')).toEqual([test])
    expect(await list('occurred_after=2020-01-02T00:00:00Z&occurred_before=2020-01-03T00:00:00Z')).toEqual([late])
    expect(await list('occurred_after=2020-01-03T00:00:00Z')).toEqual(all.slice(1, 6))
    expect(await list('occurred_after=2999-01-01T00:00:00Z')).toEqual([])
  })

  it.each([1, 2])(
    'finds events by the time when they occurred, even if they were queued long after; events queued at once: %d',
    async (count) => {
      const { organizationId } = caller
      const occurredAt = new Date('2001-01-01T00:00:00Z')
      const late = { type: 'entitlements.stale', subscriberId: 'late', cause: 'expiry' } as const
      const events = Array.from({ length: count }, () => newEvent(organizationId, occurredAt, late))

      await prisma.$transaction((tx) => queueEvents(tx, organizationId, events))

      expect(await list('occurred_before=2002-01-01T00:00:00Z')).toEqual(events.map(({ id }) => id).reverse())
    },
  )

  it('refuses invalid filters', async () => {
    expectInvalid(await caller.rest('GET', `${path}?type=webhook`), ['type', /entitlements.stale, plan.grants.updated/])
    expectInvalid(await caller.rest('GET', `${path}?subscriber_id=a%20b`), ['subscriber_id', /a subscriber id/])
    expectInvalid(await caller.rest('GET', `${path}?occurred_after=today`), ['occurred_after', /RFC 3339/])
  })

  it('accepts the same filters in GraphQL, in addition to the state', async () => {
    const [first, second] = [await sendTest(), await sendTest()]
    await updateEvent(first, { state: 'failed', dueAt: null, finishedAt: new Date() })
    const query = `query ($filter: WebhookEventFilter) {
      failed: webhookEvents(state: FAILED, filter: $filter) { nodes { id } }
      all: webhookEvents(filter: $filter) { nodes { id } }
    }`
    const ask = async (filter: object) => (await caller.graphql(query, { filter })).body.data

    expect(await ask({ type: 'webhook.test', occurredAfter: '2020-01-01T00:00:00Z', subscriberId: null })).toEqual({
      failed: { nodes: [{ id: first }] },
      all: { nodes: [{ id: second }, { id: first }] },
    })
    expect(await ask({ subscriberId: 'acme' })).toEqual({ failed: { nodes: [] }, all: { nodes: [] } })
  })
})

describe('one event', () => {
  it('is the same as in the list, but also has its body and each attempt', async () => {
    const id = await sendTest()
    await addFailedAttempts(id)

    const event = await vendor(caller).get(`${path}/${id}`)

    const { events } = await vendor(caller).get(path)
    const { body, attempts_made, ...listed } = event
    expect(listed).toEqual(events[0])
    expect(JSON.parse(body)).toEqual({
      id,
      type: 'webhook.test',
      occurred_at: event.occurred_at,
      organization_id: caller.organizationId,
    })
    const common = { started_at: timestamp, duration_ms: 12 }
    expect(attempts_made).toEqual([
      { ...common, number: 1, status: null, error: 'no answer in 5 s', answer: null, headers: null },
      {
        ...common,
        number: 2,
        status: 500,
        error: '500',
        answer: 'oh',
        headers: JSON.parse('{"X-A":"1","__proto__":"2"}'),
      },
    ])
  })

  it('is the same in GraphQL', async () => {
    const id = await sendTest()
    await addFailedAttempts(id)

    const { body } = await caller.graphql(
      `query ($id: ID!) { webhookEvent(eventId: $id) { id body state attempts { number headers } } }`,
      { id },
    )

    expect(body.data.webhookEvent).toEqual({
      id,
      body: (await vendor(caller).get(`${path}/${id}`)).body,
      state: 'QUEUED',
      attempts: [
        { number: 1, headers: null },
        { number: 2, headers: JSON.parse('{"X-A":"1","__proto__":"2"}') },
      ],
    })
  })

  it('has the body of an import line with very many overrides, within the maxLength in /openapi.json', async () => {
    const keys = Array.from({ length: 1500 }, (_, index) => `f${index}`)
    await pool.query(
      `insert into feature (organization_id, feature_key, name, description, kind, created_at, updated_at)
       select $1, key, key, '', 'flag', now(), now() from unnest($2::text[]) as key`,
      [caller.organizationId, keys],
    )
    const overrides = Object.fromEntries(keys.map((key) => [key, { kind: 'flag', allowed: true }]))
    const line = JSON.stringify({ subscriber_id: 'ann', overrides })
    const headers = { 'content-type': 'application/x-ndjson' }
    expect(await caller.rest('POST', '/org/subscribers/import', line, headers)).toMatchObject({ body: { created: 1 } })

    const [{ id }] = (await vendor(caller).get(path)).events
    const { body } = await vendor(caller).get(`${path}/${id}`)

    expect(JSON.parse(body).features).toEqual(keys)
    const { components } = (await caller.rest('GET', '/openapi.json')).body
    expect(body.length).toBeLessThanOrEqual(components.schemas.WebhookEventWithAttempts.properties.body.maxLength)
  })

  it('is 404 when unknown, malformed or of another organization', async () => {
    const mine = await sendTest()
    const other = await service.organization()

    expectRefusal(await other.rest('GET', `${path}/${mine}`), 'NOT_FOUND', { resource: 'event', id: mine })
    for (const id of [newId(), 'nothing', mine.toLowerCase()]) {
      expectRefusal(await caller.rest('GET', `${path}/${id}`), 'NOT_FOUND', { resource: 'event', id })
    }
  })
})

describe('a retry', () => {
  it('makes the next attempt of a queued event due now, wakes the worker and is recorded', async () => {
    const id = await queueChange()
    await addFailedAttempts(id)
    const before = await vendor(caller).get(`${path}/${id}`)
    // The notification of the event itself may arrive after the answer.
    await expect.poll(() => wakesOf(caller.organizationId)).toBe(1)

    const { status, body } = await caller.rest('POST', `${path}/${id}/retry`)

    expect(status).toBe(200)
    const { body: _body, attempts_made: _attempts, ...listed } = before
    expect(body).toEqual({ ...listed, due_at: timestamp })
    expect(Date.parse(body.due_at)).toBeLessThan(Date.now() + oneHour / 2)
    await expect.poll(() => wakesOf(caller.organizationId)).toBe(2)
    const { audit_events } = await vendor(caller).get(`/org/audit-events?params[event_id]=${id}`)
    expect(audit_events).toMatchObject([
      {
        method: 'POST',
        route: '/org/webhook/events/{event_id}/retry',
        status: 200,
        details: { due_at: { from: before.due_at, to: body.due_at } },
      },
    ])
  })

  it('keeps the due time of an event that is already due', async () => {
    const id = await queueChange()
    const before = (await vendor(caller).get(path)).events[0]

    const { body } = await caller.graphql(`mutation { retryEvent(input: { eventId: "${id}" }) { id state dueAt } }`)

    expect(body.data.retryEvent).toEqual({ id, state: 'QUEUED', dueAt: before.due_at })
    expect((await vendor(caller).get(`/org/audit-events?params[event_id]=${id}`)).audit_events[0].details).toBe(null)
  })

  it('is 409 with the state for a finished event, and 404 for an unknown event or without an endpoint', async () => {
    const id = await sendTest()
    for (const state of ['delivered', 'failed'] as const) {
      await updateEvent(id, { state, dueAt: null, finishedAt: new Date() })
      expectRefusal(await caller.rest('POST', `${path}/${id}/retry`), 'CONFLICT', { field: 'state', value: state })
    }
    const unknown = newId()
    expectRefusal(await caller.rest('POST', `${path}/${unknown}/retry`), 'NOT_FOUND', {
      resource: 'event',
      id: unknown,
    })
    await caller.rest('DELETE', '/org/webhook')
    expectRefusal(await caller.rest('POST', `${path}/${id}/retry`), 'NOT_FOUND', { resource: 'webhook', id: null })
  })
})
