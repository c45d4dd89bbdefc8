import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { startPatientService } from '../support/patient-service.ts'
import { inTransaction, untilOthersWaitFor } from '../support/race.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import type { Caller } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startPatientService()
const { prisma, pool } = service.database
const path = '/org/subscribers/acme/delivery'
const none = { state: 'none', event_id: null, occurred_at: null, delivered_at: null, next_attempt_at: null }

let caller: Caller
let limit = 0
beforeEach(async () => {
  caller = await service.organization()
  await vendor(caller).feature('seats', { kind: 'limit' })
  await vendor(caller).subscriber('acme')
})

const subscribe = () => caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
const change = () => vendor(caller).override('acme', 'seats', { kind: 'limit', limit: limit++ })
const read = () => vendor(caller).get(path)
const updateAllEvents = (data: object) =>
  prisma.webhookEvent.updateMany({ where: { organizationId: caller.organizationId }, data })

describe("the delivery of a subscriber's newest event", () => {
  it('is absent without a webhook or without an event', async () => {
    await change()
    expect(await read()).toEqual(none)
    await subscribe()
    expect(await read()).toEqual(none)
  })

  it('goes from queued through retrying to delivered or failed, and can be paused in between', async () => {
    await subscribe()
    await change()

    const queued = await read()
    expect(queued).toEqual({
      state: 'queued',
      event_id: ulid,
      occurred_at: timestamp,
      delivered_at: null,
      next_attempt_at: timestamp,
    })
    await updateAllEvents({ attempts: 1, dueAt: new Date('2099-01-01T00:00:00Z') })
    expect(await read()).toEqual({ ...queued, state: 'retrying', next_attempt_at: '2099-01-01T00:00:00.000Z' })
    await caller.rest('POST', '/org/webhook/disable')
    expect(await read()).toEqual({ ...queued, state: 'paused', next_attempt_at: null })
    const finishedAt = new Date('2026-11-23T00:00:00Z')
    await updateAllEvents({ state: 'delivered', dueAt: null, finishedAt })
    const delivered = { ...queued, state: 'delivered', delivered_at: finishedAt.toISOString(), next_attempt_at: null }
    expect(await read()).toEqual(delivered)
    await updateAllEvents({ state: 'failed' })
    expect(await read()).toEqual({ ...queued, state: 'failed', next_attempt_at: null })
  })

  it('includes in GraphQL the time when deliveries were paused, for everyone who may read overrides', async () => {
    await subscribe()
    await change()
    const viewer = await service.member(caller.organizationId, 'viewer')
    const pausedAt = async () =>
      (await viewer.graphql('{ subscriber(subscriberId: "acme") { delivery { pausedAt } } }')).body.data.subscriber
        .delivery

    expect(await pausedAt()).toEqual({ pausedAt: null })
    await caller.rest('POST', '/org/webhook/disable')
    expect(await pausedAt()).toEqual({ pausedAt: timestamp })
    await updateAllEvents({ state: 'delivered', dueAt: null, finishedAt: new Date() })
    expect(await pausedAt()).toEqual({ pausedAt: null })
  })

  it('is that of the event queued last, even if clock skew gave this event an earlier id', async () => {
    await subscribe()
    await change()
    await updateAllEvents({ id: `7${newId().slice(1)}`, state: 'failed', dueAt: null, finishedAt: new Date() })
    await change()

    expect(await read()).toMatchObject({ state: 'queued' })
  })

  it('is the same in GraphQL, for a page of subscribers and for everyone who may read overrides', async () => {
    await subscribe()
    await vendor(caller).subscriber('idle')
    await change()
    const viewer = await service.member(caller.organizationId, 'viewer')
    const query = '{ subscribers { nodes { delivery { state eventId occurredAt deliveredAt nextAttemptAt } } } }'

    const { nodes } = (await viewer.graphql(query)).body.data.subscribers

    const { event_id, occurred_at, next_attempt_at } = await read()
    const delivery = { eventId: event_id, occurredAt: occurred_at, nextAttemptAt: next_attempt_at, deliveredAt: null }
    expect(nodes[0]).toEqual({ delivery: { state: 'QUEUED', ...delivery } })
    expect(nodes[1].delivery.state).toBe('NONE')
    const evaluator = await service.member(caller.organizationId, 'evaluator')
    expectRefusal(await evaluator.rest('GET', path), 'FORBIDDEN', { required_labels: ['overrides:read'] })
    const other = await service.organization()
    expectRefusal(await other.rest('GET', path), 'NOT_FOUND', { resource: 'subscriber', id: 'acme' })
  })
})

describe("the delivery of the newest change of the plan's grants", () => {
  const raiseSeats = (plan: string) =>
    caller.rest('PATCH', `/org/plans/${plan}`, { grants: { seats: { kind: 'limit', limit: limit++ } } })
  const updatePlanEvents = (data: object) =>
    prisma.webhookEvent.updateMany({
      where: { organizationId: caller.organizationId, type: 'plan.grants.updated' },
      data,
    })

  beforeEach(async () => {
    await vendor(caller).plan('pro', {})
    await vendor(caller).plan('other', {})
    await subscribe()
    await raiseSeats('pro')
    await vendor(caller).subscribe('acme', 'pro')
  })

  it('is absent while only other plans have changed', async () => {
    await raiseSeats('other')
    await caller.rest('PATCH', '/org/plans/pro', { name: 'Professional' })

    expect(Object.keys(await read()).toSorted()).toEqual(Object.keys(none).toSorted())
  })

  it('includes a change of the plan that waited for a lock while the subscriber got the plan', async () => {
    const update = await inTransaction(pool, async (client) => {
      await client.query('select from organization where organization_id = $1 for update', [caller.organizationId])
      const running = caller.rest('PATCH', '/org/plans/other', { grants: { seats: { kind: 'limit', limit: 77 } } })
      await untilOthersWaitFor(client)
      await caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'other' })
      await client.query('rollback')
      return running
    })

    const { plan_change } = await read()
    expect(plan_change).toMatchObject({ state: 'queued', occurred_at: update.body.updated_at })
  })

  it("has the same states as the subscriber's own event, but independently of it", async () => {
    await updateAllEvents({ state: 'delivered', dueAt: null, finishedAt: new Date() })
    await raiseSeats('pro')
    await raiseSeats('other')

    const { plan_change: queued, ...own } = await read()
    expect(own).toMatchObject({ state: 'delivered' })
    const { events } = await vendor(caller).get('/org/webhook/events?type=plan.grants.updated')
    expect(queued).toEqual({
      state: 'queued',
      event_id: events[1].id,
      occurred_at: timestamp,
      delivered_at: null,
      next_attempt_at: timestamp,
    })
    await caller.rest('POST', '/org/webhook/disable')
    expect((await read()).plan_change).toEqual({ ...queued, state: 'paused', next_attempt_at: null })
    await updatePlanEvents({ state: 'failed', dueAt: null, finishedAt: new Date() })
    expect((await read()).plan_change).toEqual({ ...queued, state: 'failed', next_attempt_at: null })
    await raiseSeats('pro')
    expect((await read()).plan_change).toMatchObject({ state: 'paused' })
    expect((await read()).plan_change.event_id).not.toBe(queued.event_id)
    await caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'other' })
    expect(await read()).not.toHaveProperty('plan_change')
  })

  it('is that of the event queued last, even if clock skew gave this event an earlier id', async () => {
    await raiseSeats('pro')
    await updatePlanEvents({ state: 'failed', dueAt: null, finishedAt: new Date() })
    const { event_id: id } = (await read()).plan_change
    const { organizationId } = caller
    await prisma.webhookEvent.update({
      where: { organizationId_id: { organizationId, id } },
      data: { id: `7${newId().slice(1)}` },
    })
    await raiseSeats('pro')

    expect(await read()).toMatchObject({ plan_change: { state: 'queued' } })
  })

  it('is the same in GraphQL, where a page of subscribers has it, with the time when deliveries were paused', async () => {
    await vendor(caller).subscriber('idle')
    await raiseSeats('pro')
    await caller.rest('POST', '/org/webhook/disable')
    const viewer = await service.member(caller.organizationId, 'viewer')
    const fields = 'state eventId occurredAt deliveredAt nextAttemptAt pausedAt'
    const query = `{ subscribers { nodes { delivery { state planChange { ${fields} } } } } }`

    const { nodes } = (await viewer.graphql(query)).body.data.subscribers

    const { plan_change } = await read()
    expect(nodes[0].delivery).toEqual({
      state: 'PAUSED',
      planChange: {
        state: 'PAUSED',
        eventId: plan_change.event_id,
        occurredAt: plan_change.occurred_at,
        deliveredAt: null,
        nextAttemptAt: null,
        pausedAt: timestamp,
      },
    })
    expect(nodes[1].delivery).toEqual({ state: 'NONE', planChange: null })
  })
})

describe('sending events again', () => {
  const resend = (body: object) => caller.rest('POST', '/org/webhook/events/resend', body)
  const failAll = () => updateAllEvents({ state: 'failed', attempts: 8, dueAt: null, finishedAt: new Date() })

  it('queues the failed events of a period, is recorded, and works in GraphQL', async () => {
    await subscribe()
    for (let i = 0; i < 3; i++) await change()
    await failAll()
    const events = await prisma.webhookEvent.findMany({
      where: { organizationId: caller.organizationId },
      orderBy: { id: 'asc' },
    })
    const times = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z']
    for (const [index, { organizationId, id }] of events.entries()) {
      const where = { organizationId_id: { organizationId, id } }
      await prisma.webhookEvent.update({ where, data: { occurredAt: new Date(times[index] as string) } })
    }
    const between = { occurred_after: times[1], occurred_before: times[2] }

    expect((await resend({ state: 'failed', ...between })).body).toEqual({ resent: 1, has_more: false })

    const states = await prisma.webhookEvent.findMany({
      where: { organizationId: caller.organizationId },
      orderBy: { id: 'asc' },
      select: { state: true, once: true },
    })
    expect(states.map(({ state }) => state)).toEqual(['failed', 'queued', 'failed'])
    const { audit_events: entries } = await vendor(caller).get('/org/audit-events?limit=1')
    expect(entries[0]).toMatchObject({ route: '/org/webhook/events/resend', status: 200, details: { resent: 1 } })
    const query = 'mutation { resendEvents(input: { state: FAILED }) { resent hasMore } }'
    expect((await caller.graphql(query)).body.data.resendEvents).toEqual({ resent: 2, hasMore: false })
    expect((await resend({ state: 'failed' })).body).toEqual({ resent: 0, has_more: false })
    const { audit_events: last } = await vendor(caller).get('/org/audit-events?limit=1')
    expect(last[0]).toMatchObject({ status: 200, details: null })
  })

  it('queues 10,000 events at once, the oldest first, and keeps its answer for an Idempotency-Key', async () => {
    await subscribe()
    await insertMany('failed')
    const headers = { 'Idempotency-Key': 'again' }

    const { body } = await caller.rest('POST', '/org/webhook/events/resend', { state: 'failed' }, headers)

    expect(body).toEqual({ resent: 10_000, has_more: true })
    const again = await caller.rest('POST', '/org/webhook/events/resend', { state: 'failed' }, headers)
    expect(again.body).toEqual(body)
    const { events } = await vendor(caller).get('/org/webhook/events?state=failed')
    expect(events.map(({ id }: { id: string }) => Number(id.slice(2)))).toEqual([10_001])
    expect((await resend({ state: 'failed' })).body).toEqual({ resent: 1, has_more: false })
  })

  it('keeps the order in which queued events were due when a webhook with many of them is resumed', async () => {
    await subscribe()
    await insertMany('queued')
    await caller.rest('POST', '/org/webhook/disable')

    expect((await caller.rest('POST', '/org/webhook/enable')).status).toBe(200)

    expect(await dueInOrder()).toEqual(Array.from({ length: 10_001 }, (_, index) => 10_001 - index))
  })

  it('resumes a webhook with any number of queued events, because no transaction makes more than 2,000 of them due', async () => {
    await subscribe()
    await insertMany('queued')
    await caller.rest('POST', '/org/webhook/disable')

    const answers = await Promise.all([
      caller.rest('POST', '/org/webhook/enable'),
      caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/new' }),
    ])

    expect(answers.map(({ status, body }) => [status, body.disabled])).toEqual(Array(2).fill([200, false]))
    expect(await dueInOrder()).toEqual(Array.from({ length: 10_001 }, (_, index) => 10_001 - index))
    // The transaction that last changed a row is its xmin.
    const { rows } = await pool.query(
      `select max(events)::int as most
         from (select count(*) as events from webhook_event where organization_id = $1 group by xmin::text) of_transaction`,
      [caller.organizationId],
    )
    expect(rows).toEqual([{ most: 2000 }])
  })

  it('leaves many queued events as they are when a webhook that is not paused is enabled or saved', async () => {
    await subscribe()
    await insertMany('queued')

    await caller.rest('POST', '/org/webhook/enable')
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/new' })

    expect(await dueInOrder()).toEqual([])
  })

  /** The numbers of the events that `insertMany` queued and that are due now, in the order in which they are sent. */
  async function dueInOrder(): Promise<number[]> {
    const { rows } = await pool.query(
      `select right(event_id, 5)::int as number from webhook_event
        where organization_id = $1 and due_at < statement_timestamp() + interval '1 minute' order by due_at`,
      [caller.organizationId],
    )
    return rows.map(({ number }) => number)
  }

  /** Inserts far more events than PostgreSQL expects: its statistics say that each of many organizations has one event. */
  async function insertMany(state: 'failed' | 'queued') {
    const insert = `
      insert into webhook_event (organization_id, event_id, type, body, occurred_at, state, attempts, due_at, finished_at)
      select $1 || case when $4 then number::text else '' end, '01' || lpad(number::text, 24, '0'), 'entitlements.stale', '{}',
             now(), $2::webhook_event_state, 8,
             case when $2 = 'queued' then now() + interval '1 day' - number * interval '1 second' end,
             case when $2 = 'failed' then now() end
        from generate_series(1, $3::int) number`
    const others = `${caller.organizationId}-`
    await pool.query(insert, [others, 'failed', 3_000, true])
    await pool.query('analyze webhook_event')
    await pool.query('delete from webhook_event where organization_id like $1', [`${others}%`])
    await pool.query(insert, [caller.organizationId, state, 10_001, false])
  }

  it('accepts only the state failed, and is 404 without a webhook', async () => {
    expectRefusal(await resend({ state: 'failed' }), 'NOT_FOUND', { resource: 'webhook', id: null })
    expectInvalid(await resend({ state: 'delivered' }), ['state', /must be failed/])
    expectInvalid(await resend({}), ['state', /is required: failed/])
    expectInvalid(await resend({ state: 'failed', occurred_after: 'today' }), ['occurred_after', /RFC 3339/])
  })
})
