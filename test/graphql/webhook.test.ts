import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { prisma } = service.database

const url = 'https://receiver.example/'

/** Returns the data of an answer without errors. */
async function data(caller: Caller, query: string, variables?: Record<string, unknown>) {
  const { body } = await caller.graphql(query, variables)
  expect(body.errors).toBeUndefined()
  return body.data
}

/** Returns the extensions of an answer's only error. */
async function refusal(caller: Caller, query: string) {
  const { body } = await caller.graphql(query)
  expect(body.errors).toHaveLength(1)
  const { code, details, status } = body.errors[0].extensions
  return { code, details, status }
}

async function organizationWithWebhook(): Promise<Caller> {
  const caller = await service.organization()
  await caller.rest('PUT', '/org/webhook', { url })
  return caller
}

async function entries({ organizationId }: Caller) {
  const rows = await prisma.auditEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
  return rows.map(({ method, route, status, details }) => ({
    route: `${method} ${route}`,
    status,
    details: details && JSON.parse(details),
  }))
}

/** Sets an event to the state that a worker leaves after giving up, with its attempts. */
async function setEventState(
  { organizationId }: Caller,
  eventId: string,
  state: 'delivered' | 'failed',
): Promise<void> {
  const at = new Date()
  await prisma.webhookEvent.update({
    where: { organizationId_id: { organizationId, id: eventId } },
    data: { state, attempts: 2, dueAt: null, finishedAt: at },
  })
  await prisma.webhookAttempt.createMany({
    data: [
      { organizationId, eventId, number: 2, startedAt: at, durationMs: 12, status: 500, error: '500', answer: 'oh' },
      { organizationId, eventId, number: 1, startedAt: at, durationMs: 5000, error: 'no answer in 5 s' },
    ],
  })
}

const webhookFields =
  'url secretPrefix disabled disabledAt disabledByFailures exhaustedInARow failuresToPause createdAt updatedAt'

describe('the webhook', () => {
  it('is created, read, rotated, paused, resumed and deleted', async () => {
    const caller = await service.organization()

    const { putWebhook } = await data(
      caller,
      `mutation { putWebhook(input: { url: "${url}" }) { webhook { ${webhookFields} } secret } }`,
    )
    expect(putWebhook.secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    expect(putWebhook.webhook).toEqual({
      url,
      secretPrefix: putWebhook.secret.slice(0, 12),
      disabled: false,
      disabledAt: null,
      disabledByFailures: false,
      exhaustedInARow: 0,
      failuresToPause: 8,
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    expect((await data(caller, `{ webhook { ${webhookFields} } }`)).webhook).toEqual(putWebhook.webhook)

    const again = await data(
      caller,
      `mutation { putWebhook(input: { url: "http://other.example" }) { webhook { url } secret } }`,
    )
    expect(again.putWebhook).toEqual({ webhook: { url: 'http://other.example' }, secret: null })

    const { rotateWebhook } = await data(caller, `mutation { rotateWebhook { webhook { secretPrefix } secret } }`)
    expect(rotateWebhook.webhook.secretPrefix).toBe(rotateWebhook.secret.slice(0, 12))
    expect(rotateWebhook.secret).not.toBe(putWebhook.secret)

    expect(await data(caller, `mutation { disableWebhook { disabled disabledAt disabledByFailures } }`)).toEqual({
      disableWebhook: { disabled: true, disabledAt: timestamp, disabledByFailures: false },
    })
    expect(await data(caller, `mutation { enableWebhook { disabled disabledAt } }`)).toEqual({
      enableWebhook: { disabled: false, disabledAt: null },
    })
    expect(await data(caller, `mutation { deleteWebhook }`)).toEqual({ deleteWebhook: caller.organizationId })

    const notFound = { code: 'NOT_FOUND', status: 404, details: { resource: 'webhook', id: null } }
    expect(await refusal(caller, `{ webhook { url } }`)).toEqual(notFound)
    expect(await refusal(caller, `mutation { rotateWebhook { secret } }`)).toEqual(notFound)
    expect((await entries(caller)).map(({ route, status }) => `${route} ${status}`)).toEqual([
      'PUT /org/webhook 200',
      'PUT /org/webhook 200',
      'POST /org/webhook/rotate 200',
      'POST /org/webhook/disable 200',
      'POST /org/webhook/enable 200',
      'DELETE /org/webhook 204',
      'POST /org/webhook/rotate 404',
    ])
  })

  it('has no field that returns the secret', async () => {
    const { __type } = await data(await service.organization(), `{ __type(name: "Webhook") { fields { name } } }`)

    expect(__type.fields.map(({ name }: { name: string }) => name)).toEqual(webhookFields.split(' ').sort())
  })

  it('says whether failures or a person paused it', async () => {
    const caller = await organizationWithWebhook()
    const { organizationId } = caller
    await prisma.webhookEndpoint.update({
      where: { organizationId },
      data: { disabled: true, disabledAt: new Date(), exhaustedInARow: 8 },
    })

    expect(await data(caller, `{ webhook { disabled disabledByFailures exhaustedInARow } }`)).toEqual({
      webhook: { disabled: true, disabledByFailures: true, exhaustedInARow: 8 },
    })
  })
})

const eventFields = `id type body occurredAt state dueAt finishedAt
  attempts { number startedAt durationMs status error answer }`

describe('events', () => {
  it('form a connection, newest first, with their attempts in order and the time of the next one', async () => {
    const caller = await organizationWithWebhook()
    const ids = []
    for (let i = 0; i < 3; i++) {
      ids.unshift((await data(caller, `mutation { sendTestEvent { id } }`)).sendTestEvent.id)
    }
    await setEventState(caller, ids[2], 'failed')

    const first = await data(
      caller,
      `{ webhookEvents(first: 2) { nodes { id state dueAt } pageInfo { hasNextPage endCursor } } }`,
    )
    expect(first.webhookEvents).toEqual({
      nodes: [
        { id: ids[0], state: 'QUEUED', dueAt: timestamp },
        { id: ids[1], state: 'QUEUED', dueAt: timestamp },
      ],
      pageInfo: { hasNextPage: true, endCursor: ids[1] },
    })

    const next = await data(
      caller,
      `{ webhookEvents(first: 2, after: "${ids[1]}") { edges { cursor node { ${eventFields} } } pageInfo { hasNextPage } } }`,
    )
    const occurred = next.webhookEvents.edges[0]?.node.occurredAt
    expect(next.webhookEvents).toEqual({
      edges: [
        {
          cursor: ids[2],
          node: {
            id: ids[2],
            type: 'webhook.test',
            body: `{"id":"${ids[2]}","type":"webhook.test","occurred_at":"${occurred}","organization_id":"${caller.organizationId}"}`,
            occurredAt: timestamp,
            state: 'FAILED',
            dueAt: null,
            finishedAt: timestamp,
            attempts: [
              {
                number: 1,
                startedAt: timestamp,
                durationMs: 5000,
                status: null,
                error: 'no answer in 5 s',
                answer: null,
              },
              { number: 2, startedAt: timestamp, durationMs: 12, status: 500, error: '500', answer: 'oh' },
            ],
          },
        },
      ],
      pageInfo: { hasNextPage: false },
    })
    expect(await data(caller, `{ webhookEvents(state: FAILED) { nodes { id } } }`)).toEqual({
      webhookEvents: { nodes: [{ id: ids[2] }] },
    })
  })

  it('are counted as queued, retrying and failed, without test events', async () => {
    const caller = await organizationWithWebhook()
    const { organizationId } = caller
    await vendor(caller).feature('seats', { kind: 'limit' })
    await vendor(caller).subscriber('acme')
    for (let limit = 0; limit < 5; limit++) await vendor(caller).override('acme', 'seats', { kind: 'limit', limit })
    // A test event is not in the queue.
    await caller.rest('POST', '/org/webhook/test')
    const { events } = await vendor(caller).get('/org/webhook/events?type=entitlements.stale')
    const ids = events.map(({ id }: { id: string }) => id)
    await setEventState(caller, ids[0], 'failed')
    await setEventState(caller, ids[1], 'delivered')
    await prisma.webhookEvent.update({
      where: { organizationId_id: { organizationId, id: ids[2] } },
      data: { attempts: 1 },
    })

    expect(await data(caller, `{ webhookEventCounts { queued retrying failed } }`)).toEqual({
      webhookEventCounts: { queued: 3, retrying: 1, failed: 1 },
    })
    expect((await caller.rest('GET', '/org/webhook/event-counts')).body).toEqual({ queued: 3, retrying: 1, failed: 1 })
  })

  it('are filtered by their state in REST', async () => {
    const caller = await organizationWithWebhook()
    const { body: event } = await caller.rest('POST', '/org/webhook/test')

    const path = '/org/webhook/events'
    expect((await caller.rest('GET', `${path}?state=queued`)).body).toMatchObject({ events: [event], has_more: false })
    expect((await caller.rest('GET', `${path}?state=failed`)).body).toEqual({ events: [], has_more: false })
    expectInvalid(await caller.rest('GET', `${path}?state=gone`), ['state', /queued, delivered, failed/])
  })

  it('of another organization can be neither listed nor sent again', async () => {
    const caller = await organizationWithWebhook()
    const { body } = await caller.rest('POST', '/org/webhook/test')
    const other = await organizationWithWebhook()

    expect(await data(other, `{ webhookEvents { nodes { id } } }`)).toEqual({ webhookEvents: { nodes: [] } })
    expectRefusal(await other.rest('POST', `/org/webhook/events/${body.id}/resend`), 'NOT_FOUND', {
      resource: 'event',
      id: body.id,
    })
  })
})

describe('a test event', () => {
  it('is queued, with no attempts so far, and is recorded', async () => {
    const caller = await organizationWithWebhook()

    const answer = await caller.rest('POST', '/org/webhook/test')

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: ulid,
      type: 'webhook.test',
      state: 'queued',
      attempts: 0,
      occurred_at: timestamp,
      due_at: timestamp,
      finished_at: null,
    })
    const { organizationId } = caller
    const row = await prisma.webhookEvent.findFirstOrThrow({ where: { organizationId } })
    expect(row).toMatchObject({ id: answer.body.id, once: true, state: 'queued' })
    expect((await entries(caller)).at(-1)).toEqual({
      route: 'POST /org/webhook/test',
      status: 201,
      details: { event_id: answer.body.id },
    })
  })
})

describe('resendEvent', () => {
  it.each(['failed', 'delivered'] as const)('queues a %s event again with the same id', async (state) => {
    const caller = await organizationWithWebhook()
    const { id } = (await caller.rest('POST', '/org/webhook/test')).body
    await setEventState(caller, id, state)
    const before = await prisma.webhookEvent.findFirstOrThrow({ where: { organizationId: caller.organizationId } })

    const { resendEvent } = await data(
      caller,
      `mutation { resendEvent(input: { eventId: "${id}" }) { id body state dueAt finishedAt attempts { number } } }`,
    )

    expect(resendEvent).toEqual({
      id,
      body: before.body,
      state: 'QUEUED',
      dueAt: timestamp,
      finishedAt: null,
      attempts: [{ number: 1 }, { number: 2 }],
    })
    const row = await prisma.webhookEvent.findFirstOrThrow({ where: { organizationId: caller.organizationId } })
    expect(row).toMatchObject({ once: true, attempts: 2 })
    expect((await entries(caller)).at(-1)).toEqual({
      route: 'POST /org/webhook/events/{event_id}/resend',
      status: 200,
      details: { state: { from: state, to: 'queued' } },
    })
  })

  it('is 409 for a queued event, 404 for an unknown event, and 404 for the webhook when there is no endpoint', async () => {
    const caller = await organizationWithWebhook()
    const { id } = (await caller.rest('POST', '/org/webhook/test')).body
    const resend = (event: string) => caller.rest('POST', `/org/webhook/events/${event}/resend`)

    expectRefusal(await resend(id), 'CONFLICT', { field: 'state', value: 'queued' })
    for (const unknown of [newId(), 'nothing', id.toLowerCase()]) {
      expectRefusal(await resend(unknown), 'NOT_FOUND', { resource: 'event', id: unknown })
    }
    await setEventState(caller, id, 'failed')
    await caller.rest('DELETE', '/org/webhook')
    expectRefusal(await resend(id), 'NOT_FOUND', { resource: 'webhook', id: null })
  })
})
