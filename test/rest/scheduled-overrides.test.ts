import { describe, expect, it } from 'vitest'
import { timestamp, ulid } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

// The service's workers are not started: overrides that have started stay as they were stored.
const service = await sharedService()
const { prisma, pool } = service.database

const subscriber = '/org/subscribers/acme'
const path = `${subscriber}/overrides/seats`
const [hour, day] = [3_600_000, 86_400_000]
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** A vendor with a webhook, the limit `seats`, of which the plan `pro` grants 5 to `acme`, and the enum `color`. */
async function organization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  await deleteEventsOf(caller)
  const put = (body: object) => setup.override('acme', 'seats', { kind: 'limit', limit: 9, ...body })
  const seats = async () => {
    const { entitlements, valid_until } = await setup.get(`${subscriber}/entitlements`)
    return [entitlements.find(({ feature }: { feature: string }) => feature === 'seats').limit, valid_until]
  }
  return { caller, setup, put, seats }
}

type Vendor = Awaited<ReturnType<typeof organization>>

async function eventsOf({ organizationId }: Caller) {
  const events = await prisma.webhookEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
  return events.map(({ body }) => JSON.parse(body))
}

async function deleteEventsOf({ organizationId }: Caller) {
  await prisma.webhookEvent.deleteMany({ where: { organizationId } })
}

/** Puts an override that starts soon, and resolves once it has started. */
async function putStartedOverride({ caller, put, seats }: Vendor, body: object = {}): Promise<string> {
  for (let delayMs = 150; ; delayMs *= 2) {
    const starts_at = inMs(delayMs)
    const stored = await put({ ...body, starts_at })
    if (stored.starts_at !== undefined) {
      await until(async () => (await seats())[0] === 9)
      return starts_at
    }
    // The request took longer than the delay: the override was live at once.
    expect((await caller.rest('DELETE', path)).status).toBe(204)
    await deleteEventsOf(caller)
  }
}

describe('an override with a start', () => {
  it('is ignored by evals until it starts, and limits valid_until', async () => {
    const { caller, setup, put, seats } = await organization()
    const [starts_at, expires_at] = [inMs(hour), inMs(day)]

    const answer = await put({ starts_at, expires_at })

    expect(answer).toEqual({
      id: ulid,
      subscriber_id: 'acme',
      feature: 'seats',
      kind: 'limit',
      limit: 9,
      starts_at,
      expires_at,
      created_at: timestamp,
      updated_at: timestamp,
    })
    expect(await setup.get(path)).toEqual(answer)
    expect(await seats()).toEqual([5, starts_at])
    const check = await caller.rest('POST', `${subscriber}/entitlements/check`, { feature: 'seats' })
    expect(check.body).toMatchObject({ limit: 5, source: 'plan', expires_at: null })
    const many = await caller.rest('POST', '/org/entitlements', { subscriber_ids: ['acme'] })
    expect(many.body.snapshots[0]).toMatchObject({ valid_until: starts_at })
  })

  it('limits valid_until even if its value is large', async () => {
    const { caller, setup } = await organization()
    await setup.feature('theme', { kind: 'config', value_type: 'json' })
    const starts_at = inMs(hour)
    await setup.override('acme', 'theme', { kind: 'config', value: 'x'.repeat(4000), starts_at })

    const { body } = await caller.rest('GET', `${subscriber}/entitlements`)

    expect(body).toMatchObject({ valid_until: starts_at })
    expect(body.entitlements[0]).toMatchObject({ feature: 'theme', source: 'none' })
  })

  it('is in force once it has started, before any worker notices', async () => {
    const organized = await organization()
    const { caller, setup, seats } = organized
    const expires_at = inMs(day)

    const startedAt = await putStartedOverride(organized, { expires_at })

    expect(await seats()).toEqual([9, expires_at])
    const override = await setup.get(path)
    expect(override).toMatchObject({ limit: 9, expires_at, updated_at: startedAt })
    expect(override).not.toHaveProperty('starts_at')
    expect((await setup.get(`${subscriber}/overrides`)).overrides).toEqual([override])
    expect((await setup.get('/org/overrides?live=true')).overrides).toMatchObject([override])
    expect((await setup.get('/org/overrides?live=false')).overrides).toEqual([])
    expect((await setup.get('/org/counts')).live_overrides.value).toBe(1)
    expect((await setup.get('/org/subscribers?with_override_of=seats')).subscribers).toHaveLength(1)
    expect((await setup.get('/org/subscribers?without_override_of=seats')).subscribers).toHaveLength(0)
    const query = '{ feature(key: "seats") { overrideCount { value } } }'
    expect((await caller.graphql(query)).body.data).toEqual({ feature: { overrideCount: { value: 1 } } })
    const preview = await caller.rest('POST', '/org/plans/pro/preview', { grants: {} })
    expect(preview.body.changes[0].hidden_by_override.value).toBe(1)
  })

  it('is listed for the subscriber only on request until it starts, and is not live for filters and counts', async () => {
    const { caller, setup, put } = await organization()
    const override = await put({ starts_at: inMs(hour) })

    expect((await setup.get(`${subscriber}/overrides`)).overrides).toEqual([])
    expect((await setup.get(`${subscriber}/overrides?include_expired=true`)).overrides).toEqual([override])
    expect((await setup.get('/org/overrides')).overrides).toMatchObject([override])
    expect((await setup.get('/org/overrides?live=true')).overrides).toEqual([])
    for (const order of ['feature', 'expires']) {
      expect((await setup.get(`/org/overrides?live=false&order=${order}`)).overrides).toMatchObject([override])
    }
    expect((await setup.get('/org/overrides?permanent=true')).overrides).toMatchObject([override])
    expect((await setup.get('/org/counts')).live_overrides.value).toBe(0)
    expect((await setup.get('/org/subscribers?with_override_of=seats')).subscribers).toEqual([])
    expect((await setup.get('/org/subscribers?without_override_of=seats')).subscribers).toHaveLength(1)
    const preview = await caller.rest('POST', '/org/plans/pro/preview', { grants: {} })
    expect(preview.body.changes[0].hidden_by_override.value).toBe(0)
  })

  it('is sorted and filtered by its own expiry in the list of all overrides', async () => {
    const { setup, put } = await organization()
    await setup.override('acme', 'sso', { kind: 'flag', allowed: true, expires_at: inMs(2 * hour) })
    await setup.override('acme', 'color', { kind: 'config', value: 'red', expires_at: inMs(9 * hour) })
    await put({ starts_at: inMs(hour), expires_at: inMs(5 * hour) })

    const first = await setup.get('/org/overrides?order=expires&limit=2')
    const features = (page: { overrides: { feature: string }[] }) => page.overrides.map(({ feature }) => feature)
    expect(features(first)).toEqual(['sso', 'seats'])
    const last = first.overrides.at(-1).id
    expect(features(await setup.get(`/org/overrides?order=expires&starting_after=${last}`))).toEqual(['color'])
    expect(features(await setup.get(`/org/overrides?expires_before=${inMs(6 * hour)}`))).toEqual(['seats', 'sso'])
  })

  it.each([
    ['null', null],
    ['a moment that has passed', '2020-01-01T00:00:00Z'],
  ])('is live at once if its start is %s', async (_, starts_at) => {
    const { put, seats } = await organization()

    expect(await put({ starts_at })).not.toHaveProperty('starts_at')
    expect(await seats()).toEqual([9, null])
  })

  it('is refused if it would start at its expiry or later', async () => {
    const { caller } = await organization()
    const expires_at = inMs(hour)

    for (const starts_at of [expires_at, inMs(2 * hour)]) {
      const answer = await caller.rest('PUT', path, { kind: 'limit', limit: 9, starts_at, expires_at })
      expectInvalid(answer, ['starts_at', /before expires_at/])
    }
    const answer = await caller.rest('PUT', path, { kind: 'limit', limit: 9, starts_at: 'Monday' })
    expectInvalid(answer, ['starts_at', /RFC 3339/])
  })

  it('is refused while another override of the feature is live, with the time when the live override ends', async () => {
    const { caller, put } = await organization()
    const later = { kind: 'limit', limit: 1, starts_at: inMs(hour) }

    await put({})
    expectRefusal(await caller.rest('PUT', path, later), 'CONFLICT', { field: 'starts_at', value: null })
    const { expires_at } = await put({ expires_at: inMs(day) })
    expectRefusal(await caller.rest('PUT', path, later), 'CONFLICT', { field: 'starts_at', value: expires_at })
  })

  it('replaces an expired override, and keeps its id', async () => {
    const { put } = await organization()
    const expired = await put({ expires_at: '2020-01-01T00:00:00Z' })

    expect(await put({ starts_at: inMs(hour) })).toMatchObject({ id: expired.id, created_at: expired.created_at })
  })

  it('prevents the removal of its option', async () => {
    const { caller, setup } = await organization()
    await setup.override('acme', 'color', { kind: 'config', value: 'red', starts_at: inMs(hour) })

    const answer = await caller.rest('PATCH', '/org/features/color', { options: ['green', 'blue'] })

    expectRefusal(answer, 'OPTION_IN_USE', {
      resource: 'feature',
      id: 'color',
      field: 'options',
      usage: [{ option: 'red', plans: [], overrides: ['acme'] }],
    })
  })
})

describe('a write before the start', () => {
  it('queues no event, and tells followers that valid_until has changed', async () => {
    const { caller, setup, put, seats } = await organization()
    const { cursor } = await setup.get('/org/changes')
    const [sooner, later] = [inMs(hour), inMs(2 * hour)]

    await put({ starts_at: later })
    await put({ starts_at: later })
    await put({ starts_at: sooner, limit: 7 })
    expect(await seats()).toEqual([5, sooner])
    await caller.rest('DELETE', path)

    expect(await seats()).toEqual([5, null])
    expect(await eventsOf(caller)).toEqual([])
    const { changes } = await setup.get(`/org/changes?after=${cursor}`)
    expect(changes.map(({ type }: { type: string }) => type)).toEqual(Array(3).fill('entitlements.end_moved'))
  })

  it('can start the override at once, which queues an event', async () => {
    const { caller, put, seats } = await organization()
    const scheduled = await put({ starts_at: inMs(hour) })

    const live = await put({})

    expect(live).toEqual({ ...scheduled, starts_at: undefined, updated_at: timestamp })
    expect(await seats()).toEqual([9, null])
    expect(await eventsOf(caller)).toMatchObject([{ cause: 'override', features: ['seats'] }])
  })

  it('is recorded with the old and the new start', async () => {
    const { setup, put } = await organization()
    const [sooner, later] = [inMs(hour), inMs(2 * hour)]

    const { id } = await put({ starts_at: later })
    await put({ starts_at: sooner })
    await put({})

    const { audit_events } = await setup.get(
      '/org/audit-events?route=/org/subscribers/{subscriber_id}/overrides/{feature_key}',
    )
    expect(audit_events.map(({ details }: { details: unknown }) => details)).toEqual([
      { starts_at: { from: sooner, to: null } },
      { starts_at: { from: later, to: sooner } },
      { override_id: id, kind: 'limit', limit: 9, starts_at: later, expires_at: null },
    ])
  })
})

describe('a write after a start that no worker has processed yet', () => {
  it.each([
    ['deletes the override', (caller: Caller) => caller.rest('DELETE', path)],
    ['changes the override', (caller: Caller) => caller.rest('PUT', path, { kind: 'limit', limit: 3 })],
    ['changes its note', (caller: Caller) => caller.rest('PUT', path, { kind: 'limit', limit: 9, note: 'T-1' })],
    ['imports its deletion', (caller: Caller) => importLine(caller, { seats: null })],
    ['imports another value', (caller: Caller) => importLine(caller, { seats: { kind: 'limit', limit: 3 } })],
  ])('that %s queues one event, and the history has the start', async (_, write) => {
    const organized = await organization()
    const { caller, setup } = organized
    const startedAt = await putStartedOverride(organized)

    expect((await write(caller)).status).toBeLessThan(300)

    expect(await eventsOf(caller)).toMatchObject([{ cause: 'override', features: ['seats'] }])
    const { history } = await setup.get(`${subscriber}/history?feature=seats`)
    const start = history.find(({ at }: { at: string }) => at === startedAt)
    expect(start).toMatchObject({ cause: 'override', from: { limit: 5 }, to: { limit: 9 } })
    const { items } = await setup.get(`${subscriber}/explanation?at=${startedAt}`)
    expect(items.find(({ feature }: { feature: string }) => feature === 'seats').entitlement.limit).toBe(9)
  })
})

function importLine(caller: Caller, overrides: object) {
  return caller.graphql('mutation ($text: String!) { importSubscribers(input: { text: $text }) { failed } }', {
    text: JSON.stringify({ subscriber_id: 'acme', overrides }),
  })
}

describe('the explanation of an override with a start', () => {
  it('includes the override for a time after its start, but not for the present', async () => {
    const { setup, put } = await organization()
    const [starts_at, expires_at] = [inMs(hour), inMs(day)]
    const override = await put({ starts_at, expires_at })
    const explain = async (query = '') => {
      const { items, valid_until } = await setup.get(`${subscriber}/explanation${query}`)
      return [items.find(({ feature }: { feature: string }) => feature === 'seats'), valid_until]
    }

    expect(await explain()).toMatchObject([{ entitlement: { limit: 5 }, override: null }, starts_at])
    expect(await explain(`?at=${starts_at}`)).toMatchObject([{ entitlement: { limit: 9 }, override }, expires_at])
    expect(await explain(`?at=${inMs(2 * day)}`)).toMatchObject([{ entitlement: { limit: 5 }, override: null }, null])
    expect(
      (await setup.get(`${subscriber}/history`)).history.map(({ cause }: { cause: string }) => cause),
    ).not.toContain('override')
  })

  it('has the start as valid_until for a past time before the start', async () => {
    const organized = await organization()
    const { setup } = organized
    const startedAt = await putStartedOverride(organized)
    const before = new Date(Date.parse(startedAt) - 1).toISOString()
    const explain = async () => (await setup.get(`${subscriber}/explanation?at=${before}`)).valid_until

    expect(await explain()).toBe(startedAt)
    await setup.override('acme', 'seats', { kind: 'limit', limit: 1 })
    expect(await explain()).toBe(startedAt)
  })
})

describe('a start', () => {
  it('can be written and read in GraphQL', async () => {
    const { caller, setup } = await organization()
    const startsAt = inMs(hour)
    const input = { subscriberId: 'acme', featureKey: 'seats', kind: 'LIMIT', limit: 9, startsAt }

    const put = await caller.graphql(
      'mutation ($input: PutOverrideInput!) { putOverride(input: $input) { feature startsAt expiresAt } }',
      { input },
    )
    const query =
      '{ subscriber(subscriberId: "acme") { overrides(includeExpired: true) { startsAt } live: overrides { id } } }'

    expect(put.body.data).toEqual({ putOverride: { feature: 'seats', startsAt, expiresAt: null } })
    expect((await caller.graphql(query)).body.data).toEqual({ subscriber: { overrides: [{ startsAt }], live: [] } })
    expect(await setup.get(path)).toMatchObject({ starts_at: startsAt })
  })

  it('can be imported, even repeatedly, and is refused while a live override exists, as in a put', async () => {
    const { caller, setup, seats } = await organization()
    const starts_at = inMs(hour)
    const line = { seats: { kind: 'limit', limit: 9, starts_at } }

    expect((await importLine(caller, line)).body.data.importSubscribers.failed).toBe(0)
    expect(await setup.get(path)).toMatchObject({ starts_at, limit: 9 })
    const { updated_at } = await setup.get(path)
    expect((await importLine(caller, line)).body.data.importSubscribers.failed).toBe(0)
    expect((await setup.get(path)).updated_at).toBe(updated_at)
    expect(await seats()).toEqual([5, starts_at])
    await setup.override('acme', 'seats', { kind: 'limit', limit: 1 })
    expect((await importLine(caller, line)).body.data.importSubscribers.failed).toBe(1)
    expect(await eventsOf(caller)).toMatchObject([{ cause: 'override' }])
  })

  it('makes an override look expired to a process of the previous version, which can replace it', async () => {
    const { caller, setup, put, seats } = await organization()
    await put({ starts_at: inMs(hour), expires_at: inMs(day) })
    const own = [caller.organizationId]

    const { rows } = await pool.query(
      'select expires_at < now() as "isExpired", expiry_marked as "isMarked" from override where organization_id = $1',
      own,
    )
    expect(rows).toEqual([{ isExpired: true, isMarked: true }])

    await pool.query(`update override set expires_at = null, expiry_marked = false where organization_id = $1`, own)
    expect(await seats()).toEqual([9, null])
    expect(await setup.get(path)).not.toHaveProperty('starts_at')
  })
})
