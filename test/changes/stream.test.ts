import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { changeUntilAlive, openStream } from './event-stream.ts'

const service = await startService({ MAX_FOLLOWERS: '3' })

const follow = ({ key }: Caller, headers: Record<string, string> = {}, query = '') =>
  openStream(`${service.url}/org/changes${query}`, { 'x-api-key': key, ...headers })
const typeOf = (body: string) => JSON.parse(body).type

describe('a stream of changes', () => {
  it('begins with a ready event, then sends each change as an event of its type, with the cursor as its id', async () => {
    const caller = await service.organization()
    const stream = await follow(caller)
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    const ready = await stream.take('ready')
    expect(JSON.parse(ready.data)).toEqual({ cursor: ready.id })

    await vendor(caller).feature('sso')
    const change = await stream.take('catalog.updated')

    const { changes, cursor } = await vendor(caller).get(`/org/changes?after=${ready.id}`)
    expect(JSON.parse(change.data)).toEqual(changes[0])
    expect(cursor).not.toBe(ready.id)
    expect(await vendor(caller).get(`/org/changes?after=${change.id}`)).toMatchObject({ changes: [] })
  })

  it('has the same status and content type for HEAD, which is answered without waiting', async () => {
    const { key } = await service.organization()
    const head = (headers: Record<string, string> = {}) =>
      fetch(`${service.url}/org/changes?wait=30`, {
        method: 'HEAD',
        headers: { 'x-api-key': key, accept: 'text/event-stream', ...headers },
      })

    const answer = await head()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.headers.get('content-length')).toBeNull()
    expect((await head({ 'last-event-id': 'abc' })).status).toBe(422)
  })

  it('sends an alive event at least every five seconds, with the current cursor', async () => {
    const caller = await service.organization()
    const stream = await follow(caller)
    const ready = await stream.take('ready')

    const alive = await stream.take('alive')

    expect(JSON.parse(alive.data)).toEqual({ cursor: alive.id })
    expect(alive.id).not.toBe(ready.id)
  })

  it('sends alive events even if changes follow each other without a pause', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('sso')
    const stream = await follow(caller)
    await stream.take('ready')
    await changeUntilAlive(stream, (name) => caller.rest('PATCH', '/org/features/sso', { name }))

    const alive = stream.events.find(({ event }) => event === 'alive')
    expect(JSON.parse(alive?.data ?? '')).toEqual({ cursor: alive?.id })
    const later = await vendor(caller).get(`/org/changes?after=${alive?.id}`)
    expect(later.changes.length, 'only the change that was made meanwhile may be missing').toBeLessThan(2)
  })

  it('continues after the cursor in Last-Event-ID or the query, and Last-Event-ID takes precedence', async () => {
    const caller = await service.organization()
    const first = await follow(caller)
    const ready = await first.take('ready')
    await vendor(caller).feature('one')
    const one = await first.take('catalog.updated')
    await first.leave()
    await vendor(caller).feature('two')

    const all = await follow(caller, {}, `?after=${ready.id}`)
    const rest = await follow(caller, { 'last-event-id': one.id }, `?after=${ready.id}`)

    expect((await all.take('ready')).id).toBe(ready.id)
    expect((await rest.take('ready')).id).toBe(one.id)
    await until(() => all.changes().length === 2 && rest.changes().length === 1)
    expect(all.changes().at(-1)).toBe(rest.changes()[0])
  })

  it.each([
    [{ 'last-event-id': 'abc' }, '', 'Last-Event-ID'],
    [{}, '?after=abc', 'after'],
  ])('is refused with 422 for %j%s', async (headers, query, path) => {
    const caller = await service.organization()
    const answer = await caller.rest('GET', `/org/changes${query}`, undefined, {
      accept: 'text/event-stream',
      ...headers,
    })

    expectInvalid(answer, [path, new RegExp(`^${path} must be `)])
  })

  it('begins with a reset event when the cursor is of another epoch, then sends changes', async () => {
    const caller = await service.organization()
    const { cursor } = await vendor(caller).get('/org/changes')
    const other = Buffer.from(
      Buffer.from(cursor, 'base64url')
        .toString()
        .replace(/^./, (first) => (first === '0' ? '1' : '0')),
    )
    const stream = await follow(caller, {}, `?after=${other.toString('base64url')}`)

    const reset = await stream.take('reset')
    expect(JSON.parse(reset.data)).toEqual({ cursor: reset.id })
    await vendor(caller).feature('sso')
    expect(typeOf((await stream.take('catalog.updated')).data)).toBe('catalog.updated')
  })

  it.each([
    ['its key is revoked', 'delete from api_key where organization_id = $1 and member_id = $2'],
    ['its key expires', 'update api_key set expires_at = now() where organization_id = $1 and member_id = $2'],
    [
      'its service account is disabled',
      `update member set status = 'disabled' where organization_id = $1 and member_id = $2`,
    ],
  ])('ends when %s', async (_, end) => {
    const admin = await service.organization()
    const follower = await service.member(admin.organizationId, 'evaluator')
    const stream = await follow(follower)
    await stream.take('ready')

    await service.database.pool.query(end, [follower.organizationId, follower.memberId])

    await until(stream.hasEnded)
    expect((await follow(follower)).status).toBe(401)
  })

  it('ends when its key is revoked, even while nobody reads it', async () => {
    const admin = await service.organization()
    const { organizationId } = admin
    const follower = await service.member(organizationId, 'evaluator')
    await openStream(`${service.url}/org/changes`, { 'x-api-key': follower.key }, { readsAtOnce: false })
    const { pool } = service.database
    const body = JSON.stringify({ type: 'catalog.updated', padding: 'x'.repeat(20_000) })
    await pool.query(
      `insert into change (organization_id, change_id, type, body)
       select $1, change_id, 'catalog.updated', $3 from unnest($2::text[]) as change_id`,
      [organizationId, Array.from({ length: 1_000 }, () => newId()), body],
    )
    const streams = await Promise.all([follow(admin), follow(admin)])
    for (const stream of streams) await stream.take('ready')
    const poll = () => admin.rest('GET', '/org/changes?wait=1')
    expect((await poll()).status).toBe(429)

    await pool.query('delete from api_key where organization_id = $1 and member_id = $2', [
      organizationId,
      follower.memberId,
    ])

    await until(async () => (await poll()).status === 200)
  })

  it('takes a slot like a waiting poll, and is 429 when the organization has no slot left', async () => {
    const caller = await service.organization()
    const streams = await Promise.all([follow(caller), follow(caller), follow(caller)])
    for (const stream of streams) await stream.take('ready')
    const poll = () => caller.rest('GET', '/org/changes?wait=1')

    for (const refused of [await poll(), await poll()]) {
      expectRefusal(refused, 'RATE_LIMITED', { retry_after_seconds: 5 })
    }
    expect((await caller.rest('GET', '/org/changes')).status).toBe(200)
    expect((await follow(await service.organization())).status).toBe(200)
    await streams[0]?.leave()
    await until(async () => (await poll()).status === 200)
    const answers = await Promise.all([poll(), poll()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429])
  })

  it('sends only changes of its organization, although all followers of a process share reads', async () => {
    const callers = await Promise.all([service.organization(), service.organization()])
    const streams = await Promise.all(callers.map((caller) => follow(caller)))
    for (const stream of streams) await stream.take('ready')

    await Promise.all(
      callers.flatMap((caller) => Array.from({ length: 10 }, (_, index) => vendor(caller).feature(`f${index}`))),
    )

    await until(() => streams.every((stream) => stream.changes().length === 10))
    for (const [index, stream] of streams.entries()) {
      const organizations = stream.changes().map((body) => JSON.parse(body).organization_id)
      expect(new Set(organizations)).toEqual(new Set([callers[index]?.organizationId]))
    }
  })
})

it('a stream ends at once when the process stops, and a waiting poll is answered', async () => {
  const stopping = await startService()
  const caller = await stopping.organization()
  const stream = await openStream(`${stopping.url}/org/changes`, { 'x-api-key': caller.key })
  await stream.take('ready')
  const waiting = caller.rest('GET', '/org/changes?wait=30')
  await until(async () => (await caller.rest('GET', '/org/features')).status === 200)

  await stopping.app.close()

  await until(stream.hasEnded)
  expect(await waiting).toMatchObject({ status: 200, body: { changes: [], reset: false } })
})
