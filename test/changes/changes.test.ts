import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { countRequestsInOneSecond } from '../support/one-second.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
})

type Page = { changes: Record<string, unknown>[]; cursor: string; has_more: boolean; reset: boolean }

const requestChanges = (query = '') => caller.rest('GET', `/org/changes${query}`)
const readPage = (query = ''): Promise<Page> => vendor(caller).get(`/org/changes${query}`)
const currentCursor = async () => (await readPage()).cursor
const changesAfter = async (cursor: string) => (await readPage(`?after=${cursor}`)).changes
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('GET /org/changes', () => {
  it('answers with the current cursor and no changes if the request has no cursor', async () => {
    await vendor(caller).feature('sso')

    const answer = await requestChanges()

    expect(answer).toMatchObject({
      status: 200,
      body: { changes: [], cursor: expect.any(String), has_more: false, reset: false },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await changesAfter(answer.body.cursor)).toEqual([])
  })

  it('reports each type of change, with its cause and the fields that all events have', async () => {
    const setup = vendor(caller)
    const { organizationId: organization_id } = caller
    await setup.feature('sso')
    await setup.plan('basic')
    await setup.subscriber('ann')
    const head = { id: ulid, occurred_at: timestamp, organization_id }
    const stale = { ...head, type: 'entitlements.stale', subscriber_id: 'ann' }
    const put = (body: object) => setup.override('ann', 'sso', { kind: 'flag', allowed: true, ...body })
    const steps: [() => Promise<unknown>, object][] = [
      [() => setup.subscribe('ann', 'basic'), { ...stale, cause: 'subscription' }],
      [() => put({}), { ...stale, cause: 'override', features: ['sso'] }],
      [() => put({ expires_at: inAnHour() }), { ...head, type: 'entitlements.end_moved', subscriber_id: 'ann' }],
      [
        () => caller.rest('DELETE', '/org/subscribers/ann/overrides/sso'),
        { ...stale, cause: 'override', features: ['sso'] },
      ],
      [
        () => caller.rest('PATCH', '/org/plans/basic', { grants: { sso: { kind: 'flag' } } }),
        { ...head, type: 'plan.grants.updated', key: 'basic' },
      ],
      [() => setup.feature('seats', { kind: 'limit' }), { ...head, type: 'catalog.updated' }],
      [() => caller.rest('PATCH', '/org/features/seats', { name: 'Seats' }), { ...head, type: 'catalog.updated' }],
      [() => caller.rest('DELETE', '/org/features/seats'), { ...head, type: 'catalog.updated' }],
      [() => caller.rest('DELETE', '/org/subscribers/ann'), { ...stale, cause: 'subscriber' }],
    ]

    for (const [change, expected] of steps) {
      const cursor = await currentCursor()
      await change()
      expect(await changesAfter(cursor)).toEqual([expected])
    }
  })

  it('reports no change for writes that affect no eval', async () => {
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.subscriber('ann')
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
    const cursor = await currentCursor()

    await caller.rest('PATCH', '/org/subscribers/ann', { name: 'Ann' })
    await setup.override('ann', 'sso', { kind: 'flag', allowed: true, expires_at: '2020-01-01T00:00:00.000Z' })
    await caller.rest('PATCH', '/org/features/sso', { name: 'sso' })
    await setup.plan('basic')
    await caller.rest('POST', '/org/webhook/test')

    expect(await changesAfter(cursor)).toEqual([])
  })

  it('reports changes in the format of webhook events, and also types that a webhook never sends', async () => {
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.subscriber('ann')
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
    const cursor = await currentCursor()

    await setup.override('ann', 'sso', { kind: 'flag', allowed: true })
    await setup.override('ann', 'sso', { kind: 'flag', allowed: true, expires_at: inAnHour() })
    await setup.feature('seats', { kind: 'limit' })

    const answer = await fetch(`${service.url}/org/changes?after=${cursor}`, { headers: { 'x-api-key': caller.key } })
    const text = await answer.text()
    const { events } = await setup.get('/org/webhook/events')
    expect(events).toHaveLength(1)
    const { body } = await setup.get(`/org/webhook/events/${events[0].id}`)
    expect(text).toContain(`{"changes":[${body},{`)
    expect((JSON.parse(text) as Page).changes.map(({ type }) => type)).toEqual([
      'entitlements.stale',
      'entitlements.end_moved',
      'catalog.updated',
    ])
  })

  it('reports one change for each cause in each imported line', async () => {
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.feature('seats', { kind: 'limit' })
    await setup.plan('basic')
    const line = (subscriber_id: string, overrides: object) =>
      JSON.stringify({ subscriber_id, plan_id: 'basic', overrides })
    const flag = { kind: 'flag', allowed: true }
    const send = (body: string) =>
      caller.rest('POST', '/org/subscribers/import', body, { 'content-type': 'application/x-ndjson' })
    const cursor = await currentCursor()

    await send(`${line('ann', { sso: flag, seats: { kind: 'limit', limit: 1 } })}\n${line('ben', {})}`)
    const first = await readPage(`?after=${cursor}`)
    await send(line('ann', { sso: { ...flag, expires_at: inAnHour() } }))

    const kindOf = ({ type, subscriber_id, cause, features }: Record<string, unknown>) =>
      [type, subscriber_id, cause, features].filter(Boolean).flat().join(' ')
    expect(first.changes.map(kindOf).toSorted()).toEqual([
      'entitlements.stale ann override sso seats',
      'entitlements.stale ann subscription',
      'entitlements.stale ben subscription',
    ])
    expect((await changesAfter(first.cursor)).map(kindOf)).toEqual(['entitlements.end_moved ann'])
  })

  it('returns many changes in pages, each change exactly once', async () => {
    const setup = vendor(caller)
    await setup.feature('sso')
    const cursor = await currentCursor()
    const ids = Array.from({ length: 25 }, (_, index) => `s${index}`)
    await Promise.all(
      ids.map(async (id) => {
        await setup.subscriber(id)
        await setup.override(id, 'sso', { kind: 'flag', allowed: true })
      }),
    )

    const found: unknown[] = []
    let next = cursor
    let hasMore = true
    while (hasMore) {
      const { changes, cursor: read, has_more } = await readPage(`?after=${next}&limit=10`)
      expect(changes.length).toBeLessThanOrEqual(10)
      found.push(...changes.map(({ subscriber_id }) => subscriber_id))
      next = read
      hasMore = has_more
    }

    expect(found.toSorted()).toEqual(ids.toSorted())
    expect(await changesAfter(next)).toEqual([])
    expect((await readPage(`?after=${cursor}&limit=5000`)).changes).toHaveLength(25)
  })

  it('never shows the changes of another organization', async () => {
    const cursor = await currentCursor()
    await vendor(await service.organization()).feature('sso')

    expect(await changesAfter(cursor)).toEqual([])
  })

  it('waits for a change, but not longer than the requested time', async () => {
    const cursor = await currentCursor()
    const waiting = readPage(`?after=${cursor}&wait=30`)
    await vendor(caller).feature('sso')

    expect((await waiting).changes).toMatchObject([{ type: 'catalog.updated' }])
    const none = await readPage(`?after=${(await waiting).cursor}&wait=1`)
    expect(none).toMatchObject({ changes: [], has_more: false, reset: false })
    expect(await changesAfter(none.cursor)).toEqual([])
  })

  it.each([
    ['after=', 'after'],
    ['after=abc', 'after'],
    [`after=${Buffer.from('0'.repeat(60)).toString('base64url')}`, 'after'],
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
    ['wait=1.5', 'wait'],
    ['limit=0', 'limit'],
  ])('is 422 for %s', async (query, path) => {
    expectInvalid(await requestChanges(`?${query}`), [path, new RegExp(`^${path} must be `)])
  })

  it('allows 20 reads without `wait` per second, and refuses further ones', async () => {
    countRequestsInOneSecond()
    for (let count = 0; count < 20; count++) expect((await requestChanges()).status).toBe(200)

    expectRefusal(await requestChanges(), 'RATE_LIMITED', { retry_after_seconds: 1 })
  })
})

describe('a cursor', () => {
  /** Runs `write` in a transaction, which stays open until the returned function is called. */
  async function holdTransaction(
    write: (query: (text: string, values: unknown[]) => Promise<unknown>) => Promise<void>,
  ) {
    const client = await service.database.pool.connect()
    await client.query('begin')
    await write((text, values) => client.query(text, values))
    return async (end: 'commit' | 'rollback' = 'commit') => {
      await client.query(end)
      client.release()
    }
  }
  const insert = `insert into change (organization_id, change_id, type, body) values ($1, $2, 'catalog.updated', $3)`

  it('still finds a change that commits after changes of later transactions were read', async () => {
    const { organizationId } = caller
    const late = {
      id: newId(),
      type: 'catalog.updated',
      occurred_at: '2026-11-23T12:00:00.000Z',
      organization_id: organizationId,
    }
    const cursor = await currentCursor()
    const end = await holdTransaction(async (query) => {
      await query(insert, [organizationId, late.id, JSON.stringify(late)])
    })
    await vendor(caller).feature('sso')

    const early = await readPage(`?after=${cursor}`)
    expect(early.changes).toMatchObject([{ type: 'catalog.updated' }])
    await end()

    expect(await changesAfter(early.cursor)).toEqual([late])
    expect(await changesAfter(cursor)).toHaveLength(2)
  })

  it('advances even if another transaction stays open', async () => {
    const end = await holdTransaction(async (query) => {
      await query('select pg_current_xact_id()', [])
    })
    const cursor = await currentCursor()
    await vendor(caller).feature('sso')

    const { changes, cursor: next } = await readPage(`?after=${cursor}`)
    expect(changes).toHaveLength(1)
    expect(await changesAfter(next)).toEqual([])
    await end('rollback')
    expect(await changesAfter(next)).toEqual([])
  })

  it('of another epoch is answered with a reset', async () => {
    const cursor = await currentCursor()
    const { epoch, rest } = readOpaque(cursor)
    const other = writeOpaque(epoch.startsWith('0') ? `1${epoch.slice(1)}` : `0${epoch.slice(1)}`, rest)
    await vendor(caller).feature('sso')

    const answer = await readPage(`?after=${other}`)

    expect(answer).toMatchObject({ changes: [], has_more: false, reset: true })
    expect(await changesAfter(answer.cursor)).toEqual([])
  })

  it('that is older than the retention period is answered with a reset', async () => {
    const { epoch, rest } = readOpaque(await currentCursor())
    const [at = '', ...others] = rest.split('.')
    const older = (Number.parseInt(at, 36) - 24 * 3_600_000 - 1_000).toString(36)

    expect(await readPage(`?after=${writeOpaque(epoch, [older, ...others].join('.'))}`)).toMatchObject({ reset: true })
  })
})

function readOpaque(cursor: string) {
  const [epoch = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split('.')
  return { epoch, rest: rest.join('.') }
}

function writeOpaque(epoch: string, rest: string): string {
  return Buffer.from(`${epoch}.${rest}`).toString('base64url')
}

describe('changes in GraphQL', () => {
  it('are the same as in REST', async () => {
    const query =
      'query ($after: String, $first: Int) { changes(after: $after, first: $first) { changes cursor hasMore reset } }'
    const { body } = await caller.graphql(query)
    expect(body.data.changes).toMatchObject({ changes: [], hasMore: false, reset: false })
    const { cursor } = body.data.changes
    await vendor(caller).feature('sso')
    await vendor(caller).feature('seats', { kind: 'limit' })

    const found = await caller.graphql(query, { after: cursor, first: 1 })

    expect(found.body.data.changes).toMatchObject({ changes: [{ type: 'catalog.updated' }], hasMore: true })
    const rest = await readPage(`?after=${found.body.data.changes.cursor}`)
    expect([...found.body.data.changes.changes, ...rest.changes]).toEqual(await changesAfter(cursor))
  })
})
