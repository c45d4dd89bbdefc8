import { describe, expect, it } from 'vitest'
import { chainBatch } from '../../worker/jobs/chain-audit.ts'
import { cutChain } from '../../worker/jobs/cut-chain.ts'
import { auditKeys } from '../audit-chain/chain.ts'
import { readLog } from '../support/audit.ts'
import { createTestClock } from '../support/delivery.ts'
import { importLines, importPath, importSuccessfully, toLines } from '../support/import.ts'
import { sharedService } from '../support/service.ts'
import { findUnlistedEntries } from '../support/unlisted-entries.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

async function organization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  for (const plan of ['free', 'pro']) await setup.plan(plan)
  return { caller, setup }
}

type Event = { type: string; subscriber_id: string; cause: string; features?: string[] }

async function eventsOf(organizationId: string): Promise<Event[]> {
  const { rows } = await service.database.pool.query(
    'select body from webhook_event where organization_id = $1 order by sequence',
    [organizationId],
  )
  return rows.map(({ body }) => JSON.parse(body))
}

describe('an import in the audit log', () => {
  it('has an entry with the counts, and an entry for each line that changed something', async () => {
    const { caller, setup } = await organization()
    await setup.subscriber('same', { name: 'Same' })
    const seats = (limit: number) => ({
      seats: { kind: 'limit', limit, expires_at: '2040-01-01T00:00:00Z', note: 'deal' },
    })

    const answer = await importLines(caller, [
      { subscriber_id: 'new', name: 'New', plan_id: 'pro', overrides: seats(9) },
      { subscriber_id: 'same', name: 'Same' },
      { subscriber_id: 'bad', plan_id: 'nope' },
      { subscriber_id: 'new', plan_id: 'free', overrides: { seats: null } },
      { subscriber_id: 'bare' },
    ])

    const log = await readLog(caller, `?request_id=${answer.headers.get('x-request-id')}`)
    const [bare, second, first, request] = log
    const override = { kind: 'limit', limit: 9, expires_at: '2040-01-01T00:00:00.000Z', note: 'deal' }
    expect(log.map(({ route, method, status }) => [method, route, status])).toEqual(
      Array(4).fill(['POST', '/org/subscribers/import', 200]),
    )
    expect(request).toMatchObject({
      params: {},
      created_id: null,
      details: { lines: 5, created: 2, updated: 1, unchanged: 1, failed: 1 },
    })
    expect(first).toMatchObject({ params: { subscriber_id: 'new' }, created_id: 'new', outcome: 'responded' })
    expect(first?.details).toEqual({
      name: { from: null, to: 'New' },
      plan_id: { from: null, to: 'pro' },
      overrides: { seats: { from: null, to: override } },
    })
    expect(second).toMatchObject({ params: { subscriber_id: 'new' }, created_id: null })
    expect(second?.details).toEqual({
      plan_id: { from: 'pro', to: 'free' },
      overrides: { seats: { from: override, to: null } },
    })
    expect(bare).toMatchObject({ params: { subscriber_id: 'bare' }, created_id: 'bare', details: null })
    const history = await readLog(caller, '?object_type=override&object_id=new/seats&changed=true')
    expect(history.map(({ id }) => id)).toEqual([second?.id, first?.id])
    expect(await findUnlistedEntries(service.database.pool, caller.organizationId)).toEqual([])
  })

  it('remains readable when the entry of its request is already deleted, but the entries of its lines are not', async () => {
    const caller = await service.organization()
    await importSuccessfully(caller, [{ subscriber_id: 'a' }, { subscriber_id: 'b' }])
    const [, line, request] = (await readLog(caller, '?limit=3')).map(({ id }) => id) as [string, string, string]
    const options = { pool: service.database.pool, clock: createTestClock(), keys: auditKeys, logger: console }
    // Chains one entry at a time, as if the chain were behind: the request's entry comes before those of its lines.
    for (let position = 0; position < 3; ) {
      const [part] = await chainBatch(options, [caller.organizationId], { rows: 1, bytes: 1 })
      position = part?.head?.position ?? position
    }

    expect((await cutChain(options, caller.organizationId, line, 1000)).entries).toEqual([{ id: request }])

    const lines = Array(2).fill({ ip: 'unknown' })
    expect(await readLog(caller)).toMatchObject(lines)
    const { body } = await caller.graphql('{ auditEvents { nodes { ip } } }')
    expect(body.data.auditEvents.nodes).toEqual(lines)
  })

  it('can show, in the entry of its request, a change that all changed lines have in common', async () => {
    const { caller, setup } = await organization()
    for (const id of ['one', 'two', 'three']) await setup.subscriber(id, { name: id })
    const put = (limit: number) => ({ overrides: { seats: { kind: 'limit', limit, note: 'deal' } } })
    const ids = ['one', 'two']
    const detailsOf = async (lines: object[], query = '?with_each=true') => {
      await importSuccessfully(caller, lines, query)
      return (await readLog(caller, '?lines=false&limit=1'))[0]?.details
    }
    const counts = { lines: 2, created: 0, updated: 2, unchanged: 0, failed: 0 }

    const same = await detailsOf(ids.map((id) => ({ subscriber_id: id, ...put(5) })))
    const withOthers = await detailsOf([
      { subscriber_id: 'one', ...put(5) },
      { subscriber_id: 'two', plan_id: 'nope' },
      { subscriber_id: 'three', ...put(5) },
    ])
    const moved = await detailsOf(ids.map((id) => ({ subscriber_id: id, plan_id: 'pro' })))
    const ended = await detailsOf(ids.map((id) => ({ subscriber_id: id, overrides: { seats: null } })))
    const different = await detailsOf(ids.map((id, index) => ({ subscriber_id: id, ...put(index) })))
    const nothing = await detailsOf(ids.map((id, index) => ({ subscriber_id: id, ...put(index) })))
    const withoutEach = await detailsOf(
      ids.map((id) => ({ subscriber_id: id, ...put(7) })),
      '',
    )

    const override = { kind: 'limit', limit: 5, expires_at: null, note: 'deal' }
    expect(same).toEqual({ ...counts, each: { overrides: { seats: override } } })
    expect(withOthers).toEqual({
      ...{ lines: 3, created: 0, updated: 1, unchanged: 1, failed: 1 },
      each: { overrides: { seats: override } },
    })
    expect(moved).toEqual({ ...counts, each: { plan_id: 'pro' } })
    expect(ended).toEqual({ ...counts, each: { overrides: { seats: null } } })
    expect(different).toEqual(counts)
    expect(nothing).toEqual({ ...counts, updated: 0, unchanged: 2 })
    expect(withoutEach).toEqual(counts)
    const rows = await readLog(caller, '?lines=true')
    expect(rows.map(({ route, params }) => [route, (params as { subscriber_id?: string }).subscriber_id])).toEqual(
      ['two', 'one', 'two', 'one', 'two', 'one', 'two', 'one', 'three', 'two', 'one'].map((id) => [importPath, id]),
    )
  })
})

describe('the events of an import', () => {
  it('are one for each line and cause, and name the features whose overrides changed', async () => {
    const { caller, setup } = await organization()
    await setup.subscriber('a')
    await setup.override('a', 'sso', { kind: 'flag', allowed: true })
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })

    await importSuccessfully(caller, [
      {
        subscriber_id: 'a',
        plan_id: 'pro',
        overrides: { sso: { kind: 'flag', allowed: true }, seats: { kind: 'limit', limit: 1 }, color: config('red') },
      },
      { subscriber_id: 'a', overrides: { sso: null, color: config('red') } },
      { subscriber_id: 'b', name: 'B' },
      { subscriber_id: 'a', plan_id: 'pro' },
      { subscriber_id: 'a', plan_id: null },
    ])

    const events = await eventsOf(caller.organizationId)
    expect(events.map(({ type, subscriber_id, cause, features }) => [type, subscriber_id, cause, features])).toEqual([
      ['entitlements.stale', 'a', 'subscription', undefined],
      ['entitlements.stale', 'a', 'override', ['seats', 'color']],
      ['entitlements.stale', 'a', 'override', ['sso']],
      ['entitlements.stale', 'a', 'subscription', undefined],
    ])
  })

  it('are not queued for a dry run, nor again for a second import that changes nothing', async () => {
    const { caller } = await organization()
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
    const lines = [{ subscriber_id: 'a', plan_id: 'pro' }]

    await importSuccessfully(caller, lines, '?dry_run=true')
    expect(await eventsOf(caller.organizationId)).toEqual([])
    await importSuccessfully(caller, lines)
    await importSuccessfully(caller, lines)

    expect(await eventsOf(caller.organizationId)).toHaveLength(1)
  })

  it('for expiries of overrides are prepared by one job for each expiry time', async () => {
    const { caller } = await organization()
    await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
    const seatsUntil = (expires_at: string) => ({ seats: { kind: 'limit', limit: 1, expires_at } })

    await importSuccessfully(caller, [
      { subscriber_id: 'a', overrides: seatsUntil('2040-01-01T00:00:00Z') },
      { subscriber_id: 'b', overrides: seatsUntil('2040-01-01T00:00:00Z') },
      { subscriber_id: 'c', overrides: seatsUntil('2041-01-01T00:00:00Z') },
    ])

    const { rows } = await service.database.pool.query(
      `select name, extract(year from start_after)::int as year from pgboss.job
        where data ->> 'organizationId' = $1 and (name = 'override.expire') order by start_after`,
      [caller.organizationId],
    )
    expect(rows.map(({ year }) => year)).toEqual([2040, 2041])
  })
})

function config(value: string) {
  return { kind: 'config', value }
}

describe('importSubscribers in GraphQL', () => {
  const document = `mutation ($input: ImportSubscribersInput!) { importSubscribers(input: $input) {
    lines created updated unchanged failed errors { line subscriberId code message details } } }`

  it('imports as REST does, with overrides as a list', async () => {
    const { caller, setup } = await organization()
    await setup.subscriber('a')
    await setup.override('a', 'sso', { kind: 'flag', allowed: true })
    const input = {
      lines: [
        {
          subscriberId: 'a',
          planId: 'pro',
          overrides: [
            { feature: 'sso', delete: true },
            { feature: 'seats', kind: 'LIMIT', limit: 7 },
          ],
        },
        { subscriberId: 'b', overrides: [{ feature: 'seats', kind: 'FLAG', allowed: true }] },
        { subscriberId: 'c', overrides: [{ feature: 'seats', kind: 'LIMIT', limit: 7, expiresAt: 'soon' }] },
        {
          subscriberId: 'd',
          overrides: [
            { feature: 'sso', delete: true },
            { feature: 'sso', delete: true },
          ],
        },
      ],
    }

    const dry = await caller.graphql(document, { input: { ...input, dryRun: true } })
    const { body } = await caller.graphql(document, { input })

    expect(body.data.importSubscribers).toEqual(dry.body.data.importSubscribers)
    expect(body.data.importSubscribers).toMatchObject({ lines: 4, created: 0, updated: 1, unchanged: 0, failed: 3 })
    const { errors } = body.data.importSubscribers
    expect(
      errors.map((error: { line: number; details: { fields: { path: string }[] } }) => [
        error.line,
        error.details.fields[0]?.path,
      ]),
    ).toEqual([
      [2, 'overrides.seats.kind'],
      [3, 'overrides.seats.expiresAt'],
      [4, 'overrides.sso'],
    ])
    const { overrides } = await setup.get('/org/subscribers/a/overrides')
    expect(overrides).toMatchObject([{ feature: 'seats', limit: 7 }])
  })

  it('accepts up to a thousand lines', async () => {
    const { caller } = await organization()
    const lines = (count: number) => Array.from({ length: count }, (_, index) => ({ subscriberId: `s${index}` }))

    const full = await caller.graphql(document, { input: { lines: lines(1_000) } })
    const over = await caller.graphql(document, { input: { lines: lines(1_001) } })

    expect(full.body.data.importSubscribers).toMatchObject({ lines: 1_000, created: 1_000 })
    expect(over.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: fieldsAt('lines') })
  })

  it('answers lines in a text as REST answers the same body', async () => {
    const { caller, setup } = await organization()
    const put = (fields: unknown) => ({ subscriber_id: 'a', overrides: { seats: fields } })
    const flag = { kind: 'flag', allowed: true }
    const text = toLines([
      { subscriber_id: 'a', name: 'A', plan_id: 'pro', overrides: { seats: { kind: 'limit', limit: 7 } } },
      '',
      'no JSON',
      {},
      { subscriber_id: 5 },
      { subscriber_id: 'a', name: 5, plan_id: 5 },
      { subscriber_id: 'a', plan_id: {} },
      { subscriber_id: 'a', overrides: [] },
      { subscriber_id: 'a', overrides: null },
      put(5),
      put({ kind: 'LIMIT', limit: 4 }),
      put({ kind: 'limit', limit: 'seven' }),
      put({ kind: 'limit', limit: 1.5, note: 5 }),
      put({ ...flag, expires_at: 5 }),
      put({ ...flag, colour: 'red' }),
      `{"subscriber_id":"${'a'.repeat(65_536)}"}`,
    ])

    const dry = await caller.rest('POST', `${importPath}?dry_run=true`, text)
    const { body } = await caller.graphql(document, { input: { text } })

    const errors = dry.body.errors.map(({ subscriber_id, ...error }: Record<string, unknown>) => ({
      ...error,
      subscriberId: subscriber_id,
    }))
    expect(body.data.importSubscribers).toEqual({ ...dry.body, errors })
    expect(body.data.importSubscribers).toMatchObject({ lines: 15, created: 1, failed: 14 })
    expect(await setup.get('/org/subscribers/a/overrides')).toMatchObject({ overrides: [{ limit: 7 }] })
  })

  it('accepts either lines or a text, but not both', async () => {
    const { caller } = await organization()
    const lines = [{ subscriberId: 'a' }]
    const text = '{"subscriber_id":"a"}'

    const both = await caller.graphql(document, { input: { lines, text } })
    const neither = await caller.graphql(document, { input: {} })

    expect(both.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: fieldsAt('text') })
    expect(neither.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: fieldsAt('lines') })
    expect((await caller.rest('GET', '/org/subscribers/a')).status).toBe(404)
  })

  it('accepts a text of up to a thousand lines', async () => {
    const { caller } = await organization()
    const text = (count: number) =>
      toLines(Array.from({ length: count }, (_, index) => ({ subscriber_id: `s${index}` })))

    const full = await caller.graphql(document, { input: { text: text(1_000) } })
    const over = await caller.graphql(document, { input: { text: text(1_001) } })
    const broken = await caller.graphql(document, { input: { text: '\ud800' } })

    expect(full.body.data.importSubscribers).toMatchObject({ lines: 1_000, created: 1_000 })
    expect(over.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: fieldsAt('text') })
    expect(broken.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: fieldsAt('text') })
  })
})

describe('the import in REST', () => {
  it('reads lines only from its body', async () => {
    const { caller } = await organization()
    const query = '?text=%7B%22subscriber_id%22%3A%22a%22%7D'

    const { body } = await importLines(caller, [{ subscriber_id: 'b' }], {}, query)

    expect(body).toMatchObject({ lines: 1, created: 1 })
    expect((await caller.rest('GET', '/org/subscribers/a')).status).toBe(404)
  })
})

function fieldsAt(path: string) {
  return { fields: [{ path, message: expect.any(String) }] }
}
