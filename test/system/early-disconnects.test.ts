import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { newAddress } from '../support/person.ts'
import { rawRequest } from '../support/raw-http.ts'
import { type Caller, type LogEntry, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

/*
 * A request releases all that it holds when its client leaves, however early. After the disconnects, as many requests as the
 * limits allow must be answered at once: a slot that was never released would be missing forever.
 */

const log: LogEntry[] = []
const service = await startService(
  {
    MAX_FOLLOWERS: '3',
    MAX_PARSED_BYTES: '4194304',
    BODY_LIMIT_BYTES: '1048576',
    TRUST_PROXY: '127.0.0.1',
    SIGN_UP: 'open',
    LOG_LEVEL: 'info',
  },
  log,
)

const delaysMs = [0, 1, 2, 5, 10, 20, 50]
/**
 * How many clients disconnect after each delay. The limits are small, so that even one unreleased slot is noticed.
 */
const disconnectsPerDelay = inject('randomRuns') / 5

/** Sends a request, and disconnects after this long. */
async function disconnectAfter(request: string, afterMs: number): Promise<void> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(request)
  socket.resume()
  await wait(afterMs)
  socket.destroy()
}

async function disconnectAll(request: string | (() => string)): Promise<void> {
  for (const delayMs of delaysMs) {
    for (let left = disconnectsPerDelay; left > 0; left -= 20) {
      const next = () => (typeof request === 'string' ? request : request())
      await Promise.all(Array.from({ length: 20 }, () => disconnectAfter(next(), delayMs)))
    }
  }
}

async function createCustomer(): Promise<{ caller: Caller; token: string; headers: Record<string, string> }> {
  const caller = await service.organization()
  await vendor(caller).features()
  await vendor(caller).subscriber('acme')
  const { token } = (await caller.rest('POST', '/org/subscribers/acme/tokens', {})).body
  return { caller, token, headers: { 'x-api-key': caller.key } }
}

/** Sends a request that stays open, and resolves to its status. */
async function statusOf(path: string, init: RequestInit, stay: AbortSignal): Promise<number> {
  const { status, body } = await fetch(service.url + path, { ...init, signal: stay })
  void body?.pipeTo(new WritableStream()).catch(() => {})
  return status
}

/** Resolves once this many such requests are open at the same time with status 200, or fails with their statuses. */
async function expectAll(count: number, path: string, init: RequestInit): Promise<void> {
  await expect
    .poll(
      async () => {
        const disconnectSignal = new AbortController()
        const requests = Array.from({ length: count }, () => statusOf(path, init, disconnectSignal.signal))
        const statuses = await Promise.all(requests)
        disconnectSignal.abort()
        return statuses
      },
      { interval: 200 },
    )
    .toEqual(Array(count).fill(200))
}

describe('a request whose client leaves', () => {
  it.each([
    ['a stream', '/org/changes', { accept: 'text/event-stream' }],
    ['a waiting poll', '/org/changes?wait=30', {}],
  ])('releases the slot of a follower: %s', async (_name, path, more) => {
    const { headers } = await createCustomer()

    await disconnectAll(rawRequest('GET', path, { ...headers, ...more }))

    await expectAll(3, '/org/changes', { headers: { ...headers, accept: 'text/event-stream' } })
  })

  it('releases the slot of an OpenFeature stream of a subscriber', async () => {
    const { token } = await createCustomer()
    const listed = await fetch(`${service.url}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey: 'acme' } }),
    })
    const { eventStreams } = (await listed.json()) as { eventStreams: { url: string }[] }
    const address = new URL(eventStreams[0]?.url as string)
    const path = address.pathname + address.search

    await disconnectAll(rawRequest('GET', path, {}))

    await expectAll(3, path, {})
  })

  it('releases the slots of followers whose requests were pipelined', async () => {
    const { headers } = await createCustomer()
    const { connection: _, ...lines } = { connection: '', ...headers, accept: 'text/event-stream' }
    const request = rawRequest('GET', '/org/changes', { ...lines, connection: 'keep-alive' })

    for (const delayMs of delaysMs) {
      await Promise.all(Array.from({ length: 10 }, () => disconnectAfter(request.repeat(3), delayMs)))
    }

    await expectAll(3, '/org/changes', { headers: { ...headers, accept: 'text/event-stream' } })
  })

  it.each(['text/csv', 'application/x-ndjson'])('releases the slot of an export as %s', async (accept) => {
    const { headers } = await createCustomer()

    await disconnectAll(rawRequest('GET', '/org/subscribers', { ...headers, accept }))

    await expectAll(2, '/org/subscribers', { headers: { ...headers, accept } })
  })

  it('releases the slot of an import', async () => {
    const { headers } = await createCustomer()
    const type = { 'content-type': 'application/x-ndjson' }
    const line = '{"subscriber_id":"a","name":"A"}\n'

    await disconnectAll(
      rawRequest('POST', '/org/subscribers/import', { ...headers, ...type, 'content-length': '1000' }, line),
    )

    await expectAll(2, '/org/subscribers/import', { method: 'POST', headers: { ...headers, ...type }, body: line })
  })

  it.each(['application/jwt', 'application/json'])(
    'releases the slot and memory of a large snapshot as %s',
    async (accept) => {
      const { caller, headers } = await createCustomer()
      const setup = vendor(caller)
      for (let n = 0; n < 24; n++) {
        await setup.feature(`text-${n}`, { kind: 'config', value_type: 'json' })
        await setup.override('acme', `text-${n}`, { kind: 'config', value: 'x'.repeat(12_000) })
      }

      await disconnectAll(rawRequest('GET', '/org/subscribers/acme/entitlements', { ...headers, accept }))

      await expectAll(5, '/org/subscribers/acme/entitlements', { headers: { ...headers, accept } })
    },
  )

  it('releases the memory of a large body', async () => {
    const { headers } = await createCustomer()
    const body = JSON.stringify({ feature: 'seats', context: 'x'.repeat(400_000) })
    const type = { 'content-type': 'application/json' }
    const path = '/org/subscribers/acme/entitlements/check'
    const whole = rawRequest('POST', path, { ...headers, ...type, 'content-length': `${body.length}` }, body)

    for (const request of [whole, whole.slice(0, 300_000)]) await disconnectAll(request)

    await expectAll(2, path, { method: 'POST', headers: { ...headers, ...type }, body })
  })

  it.each(['sign-in', 'sign-up'])('releases the slot of a password check at %s', async (route) => {
    const body = () =>
      JSON.stringify({ email: `${crypto.randomUUID()}@example.org`, password: 'correct horse', display_name: 'Ada' })
    const type = { 'content-type': 'application/json' }
    const path = `/user/${route}`

    await disconnectAll(() => {
      const text = body()
      return rawRequest('POST', path, { ...type, ...newAddress(), 'content-length': `${text.length}` }, text)
    })

    await until(async () => {
      const headers = { ...type, ...newAddress() }
      const { status } = await fetch(service.url + path, { method: 'POST', headers, body: body() })
      return status === (route === 'sign-in' ? 401 : 201)
    })
  })

  it('releases the slot of a search, and of a document', async () => {
    const { caller, headers } = await createCustomer()
    const query = JSON.stringify({ query: '{ features { key } subscribers(first: 100) { nodes { id } } }' })
    const type = { 'content-type': 'application/json' }

    await disconnectAll(rawRequest('GET', '/org/search?text=acme', headers))
    await disconnectAll(
      rawRequest('POST', '/graphql', { ...headers, ...type, 'content-length': `${query.length}` }, query),
    )

    await until(async () => (await caller.rest('GET', '/org/search?text=acme')).status === 200)
    await until(async () => (await caller.graphql('{ features { key } }')).status === 200)
  })

  it('logs no error', () => {
    expect(log.filter(({ level }) => level >= 50)).toEqual([])
  })
})

it('an outdated process ends its exports, so that an incomplete copy fails', async () => {
  const outdated = new AbortController()
  const old = await startService({}, undefined, undefined, { outdated: outdated.signal })
  const caller = await old.organization()
  await vendor(caller).features()
  // More than the sockets hold while nobody reads.
  await old.database.pool.query(
    `insert into audit_event
     select (jsonb_populate_record(e, jsonb_build_object(
              'audit_event_id', left(e.audit_event_id, 20) || lpad(i::text, 6, '0'), 'details', repeat('x', 100000)))).*
       from audit_event e, generate_series(1, 200) i
      where e.audit_event_id = (select min(audit_event_id) from audit_event where organization_id = $1)`,
    [caller.organizationId],
  )
  const headers = { 'x-api-key': caller.key, accept: 'text/csv' }
  const exported = (await fetch(`${old.url}/org/audit-events`, { headers })).body?.getReader()
  await exported?.read()

  outdated.abort()

  await expect(
    (async () => {
      while (!(await exported?.read())?.done);
    })(),
  ).rejects.toThrow()
  expect((await fetch(`${old.url}/org/audit-events`, { headers })).status).toBe(503)
})

it('an outdated process ends its streams and waiting polls, and begins no new ones', async () => {
  const outdated = new AbortController()
  const old = await startService({}, undefined, undefined, { outdated: outdated.signal })
  const { key } = await old.organization()
  const ask = (path: string, accept: string) => fetch(old.url + path, { headers: { 'x-api-key': key, accept } })
  const stream = await ask('/org/changes', 'text/event-stream')
  const first = stream.body?.getReader()
  await first?.read()
  const poll = ask('/org/changes?wait=30', 'application/json')
  await until(async () => (await ask('/org/changes', 'application/json')).status === 200)

  outdated.abort()

  await until(async () => (await first?.read())?.done)
  expect([200, 503]).toContain((await poll).status)
  expect((await ask('/org/changes', 'text/event-stream')).status).toBe(503)
})
