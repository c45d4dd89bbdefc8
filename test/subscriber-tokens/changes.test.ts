import { setTimeout as wait } from 'node:timers/promises'
import { decodeJwt, SignJWT } from 'jose'
import { pino } from 'pino'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createSubscriberTokens } from '../../src/access/subscriber-token.ts'
import { sealedCursors } from '../../src/changes/cursors.ts'
import { ChangeFeed } from '../../src/changes/feed.ts'
import { type Cursor, readCursor, writeCursor } from '../../src/changes/position.ts'
import { watchRights } from '../../src/changes/watch-rights.ts'
import { createVault } from '../../src/core/vault.ts'
import { openStream } from '../changes/event-stream.ts'
import { testMasterKey } from '../support/master-key.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { createToken, createTokenSubject, tokenSubjectClient } from './token-subject.ts'

const service = await startService({ MAX_FOLLOWERS: '1' })
const vault = createVault(Buffer.from(testMasterKey, 'base64'))

type Body = Record<string, unknown>

const follow = (tokenSubject: { headers: Record<string, string> }, query = '', headers: Record<string, string> = {}) =>
  openStream(`${service.url}/org/changes${query}`, { ...tokenSubject.headers, ...headers })

const subscribeTo = async (caller: Caller, plan: string, subscriberId = 'acme') =>
  expect(
    (await caller.rest('POST', `/org/subscribers/${subscriberId}/subscriptions/change`, { plan_id: plan })).status,
  ).toBe(200)

const grant = async (caller: Caller, plan: string, grants: Body) =>
  expect((await caller.rest('PATCH', `/org/plans/${plan}`, { grants })).status).toBe(200)

/** A body without the values that differ between runs. */
const shapeOf = ({ id: _, occurred_at: __, organization_id: ___, ...rest }: Body) => rest
const stale = { type: 'entitlements.stale', subscriber_id: 'acme', cause: 'subscription' }

describe('the changes that a token shows', () => {
  it("are the subscriber's own changes in detail, and changes of its plan and the catalog without details", async () => {
    const { admin, product, tokenSubject } = await createTokenSubject(service)
    const { feature, plan, subscriber, subscribe, override } = vendor(admin)
    const { cursor } = (await tokenSubject.changes()).body
    const ofKey = (await product.rest('GET', '/org/changes')).body.cursor

    await feature('seats', { kind: 'limit' })
    await plan('other', { sso: { kind: 'flag' } })
    await subscriber('globex')
    await subscribe('globex', 'other')
    await override('globex', 'sso', { kind: 'flag', allowed: false })
    await override('acme', 'seats', { kind: 'limit', limit: 3 })
    await override('acme', 'seats', { kind: 'limit', limit: 3, expires_at: '2036-01-01T00:00:00Z' })
    await grant(admin, 'other', {})
    await grant(admin, 'pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 1 } })
    await admin.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:1/' })
    await admin.rest('POST', '/org/webhook/test')

    const { body: all } = await product.rest('GET', `/org/changes?after=${ofKey}`)
    const { body: own } = await tokenSubject.changes(`?after=${cursor}`)

    const expected = [
      stale,
      { ...stale, cause: 'override', features: ['seats'] },
      { type: 'entitlements.end_moved', subscriber_id: 'acme' },
      stale,
    ]
    const inOrder = (changes: Body[]) => changes.map((change) => JSON.stringify(change)).toSorted()
    expect(inOrder(own.changes.map(shapeOf))).toEqual(inOrder(expected))
    const about = all.changes.filter(({ subscriber_id }: Body) => subscriber_id === 'acme')
    expect(own.changes.filter(({ cause, type }: Body) => cause === 'override' || type !== stale.type)).toEqual(about)
    const changesById = new Map(all.changes.map((change: Body) => [change.id, change]))
    for (const { id, occurred_at, organization_id } of own.changes) {
      expect(changesById.get(id)).toMatchObject({ occurred_at, organization_id })
    }
    expect((await tokenSubject.changes(`?after=${own.cursor}`)).body.changes).toEqual([])
  })

  it('follow the subscriber to another plan while its stream is open', async () => {
    const { admin, product, tokenSubject } = await createTokenSubject(service)
    await vendor(admin).plan('basic')
    const stream = await follow(tokenSubject)
    await stream.take('ready')
    // Changes in the same page as a change of plan are reported for both plans.
    const all = await follow({ headers: { 'x-api-key': product.key } })
    await all.take('ready')
    const sso = { sso: { kind: 'flag' } }

    await grant(admin, 'basic', sso)
    await all.take('plan.grants.updated')
    await subscribeTo(admin, 'basic')
    await stream.take('entitlements.stale')
    await grant(admin, 'pro', {})
    await all.take('plan.grants.updated')
    await grant(admin, 'basic', {})
    const moved = await stream.take('entitlements.stale')
    expect(shapeOf(JSON.parse(moved.data))).toEqual(stale)
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: true })
    const last = await stream.take('entitlements.stale')

    // No other change came in between: neither the change of `pro` before acme got it, nor the change of `basic` after acme
    // left it.
    expect(JSON.parse(last.data)).toMatchObject({ cause: 'override', features: ['sso'] })
    await admin.rest('DELETE', '/org/subscribers/acme')
    expect(JSON.parse((await stream.take('entitlements.stale')).data)).toMatchObject({ cause: 'subscriber' })
  })

  it('are those of the former plan again after a failover that lost a change of plan', async () => {
    const own = await startService({ DATABASE_URL: await createOwnDatabase() })
    const { admin, tokenSubject } = await createTokenSubject(own)
    await vendor(admin).plan('basic')
    const stream = await openStream(`${own.url}/org/changes`, tokenSubject.headers)
    await stream.take('ready')

    // As after a failover to a standby that lacks the last changes.
    const { pool } = own.ownDatabase
    await pool.query(`update subscription set plan_key = 'basic' where organization_id = $1`, [admin.organizationId])
    await pool.query('delete from change_epoch')
    await stream.take('reset')
    await grant(admin, 'basic', { sso: { kind: 'flag' } })

    expect(shapeOf(JSON.parse((await stream.take('entitlements.stale')).data))).toEqual(stale)
  })

  it('reveal nothing of other subscribers, not even that they changed', async () => {
    const { admin, tokenSubject } = await createTokenSubject(service)
    await vendor(admin).subscriber('globex')
    const stream = await follow(tokenSubject)
    await stream.take('ready')

    for (let limit = 0; limit < 20; limit++) {
      await vendor(admin).override('globex', 'sso', { kind: 'flag', allowed: limit % 2 === 0 })
    }
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    await until(() => stream.changes().length > 0)

    const types = stream.events.map(({ event }) => event)
    expect(types.filter((type) => type !== 'alive')).toEqual(['entitlements.stale'])
    // The stream sends an event every few seconds, not one for each change of another subscriber.
    expect(types.length).toBeLessThan(15)
  })

  it('wake a waiting poll only when they concern the subscriber', async () => {
    const { admin, tokenSubject } = await createTokenSubject(service)
    await vendor(admin).subscriber('globex')
    const { cursor } = (await tokenSubject.changes()).body
    let isAnswered = false
    const waiting = tokenSubject.changes(`?after=${cursor}&wait=30`).finally(() => {
      isAnswered = true
    })

    await vendor(admin).override('globex', 'sso', { kind: 'flag', allowed: true })
    expect(isAnswered).toBe(false)
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })

    const { body } = await waiting
    expect(body.changes.map(shapeOf)).toEqual([{ ...stale, cause: 'override', features: ['sso'] }])
  })

  it('continue after the cursor in Last-Event-ID, but are refused if the cursor is malformed', async () => {
    const { admin, tokenSubject } = await createTokenSubject(service)
    const stream = await follow(tokenSubject)
    const { id } = await stream.take('ready')
    await stream.leave()
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })

    const again = await follow(tokenSubject, '', { 'last-event-id': id })

    expect(JSON.parse((await again.take('entitlements.stale')).data)).toMatchObject({ cause: 'override' })
    expectInvalid(await tokenSubject.changes('?after=abc'), ['after', /^after must be /])
  })
})

describe('the cursors of a token', () => {
  const others = async (admin: Caller, changes: number) => {
    for (let index = 0; index < changes; index++)
      await vendor(admin).override('globex', 'sso', { kind: 'flag', allowed: index % 2 === 0 })
  }

  it('all have the same length, reveal nothing and never repeat', async () => {
    const { admin, product, tokenSubject } = await createTokenSubject(service)
    await vendor(admin).subscriber('globex')
    const cursors = [(await tokenSubject.changes()).body.cursor]
    await others(admin, 2)
    cursors.push((await tokenSubject.changes(`?after=${cursors[0]}&limit=1`)).body.cursor)
    const stream = await follow(tokenSubject, `?after=${cursors[0]}`)
    cursors.push((await stream.take('ready')).id)
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    cursors.push((await stream.take('entitlements.stale')).id)

    const { epoch } = readCursor((await product.rest('GET', '/org/changes')).body.cursor) as Cursor
    expect(new Set(cursors.map((cursor) => cursor.length)).size).toBe(1)
    expect(new Set(cursors.slice(0, 2)).size).toBe(2)
    for (const cursor of cursors) {
      expect(readCursor(cursor)).toBe(null)
      expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(epoch)
    }
  })

  it('skip changes of other subscribers: these fill no page and do not count against the limit', async () => {
    const { admin, tokenSubject } = await createTokenSubject(service)
    const { plan, subscriber, override } = vendor(admin)
    await plan('other', {})
    await subscriber('globex')
    const { cursor } = (await tokenSubject.changes()).body
    for (const allowed of [true, false, true]) {
      await others(admin, 3)
      await grant(admin, 'other', allowed ? { sso: { kind: 'flag' } } : {})
      await override('acme', 'sso', { kind: 'flag', allowed })
    }
    await others(admin, 3)

    const pages = []
    for (let after = cursor, hasMore = true; hasMore; ) {
      const { body } = await tokenSubject.changes(`?after=${after}&limit=1`)
      pages.push(body.changes.length)
      after = body.cursor
      hasMore = body.has_more
    }
    expect(pages).toEqual([1, 1, 1])
    const { body: all } = await tokenSubject.changes(`?after=${cursor}&limit=3`)
    expect([all.changes.length, all.has_more]).toEqual([3, false])
  })

  it('are answered with a reset if they are altered, or belong to a key, another subscriber or another master key', async () => {
    const { admin, product, tokenSubject } = await createTokenSubject(service)
    await vendor(admin).subscriber('globex')
    const other = tokenSubjectClient(service, await createToken(product, 'globex'), 'globex')
    const { cursor: own } = (await tokenSubject.changes()).body
    const { cursor: ofKey } = (await product.rest('GET', '/org/changes')).body
    const since = { organizationId: admin.organizationId, subscriberId: 'acme', subscriberSince: new Date() }
    const position = { next: 0, running: [], after: '' }
    const start = { ...(readCursor(ofKey) as Cursor), position }
    const foreign = createVault(Buffer.alloc(32))
    const forged = sealedCursors(foreign, { ...since, keyId: '', expiresAt: new Date() }).write(start)
    await others(admin, 2)

    const lost = { changes: [], has_more: false, reset: true }
    const middle = own.length / 2
    const changed = own.slice(0, middle) + (own[middle] === 'A' ? 'B' : 'A') + own.slice(middle + 1)
    // The last character has unused bits, so the next character in the alphabet stands for the same bytes.
    const end = own.length - 1
    const changedAtEnd = own.slice(0, end) + String.fromCharCode(own.charCodeAt(end) + 1)
    const next: string[] = []
    for (const after of [
      ofKey,
      writeCursor(start),
      forged,
      changed,
      changedAtEnd,
      (await other.changes()).body.cursor,
    ]) {
      // The poll does not wait: only polls without a wait are limited to a few in a second.
      const { body } = await tokenSubject.changes(`?after=${after}&wait=20`)
      expect(body).toMatchObject(lost)
      next.push(body.cursor)
    }
    // Three polls of a subscriber may wait at once.
    for (const three of [next.slice(0, 3), next.slice(3)]) {
      const answers = await Promise.all(three.map((after) => tokenSubject.changes(`?after=${after}&wait=1`)))
      for (const { body } of answers) expect(body).toMatchObject({ changes: [], reset: false })
    }
    expect((await product.rest('GET', `/org/changes?after=${own}`)).body).toMatchObject(lost)
    for (const id of [ofKey, changed]) {
      const stream = await follow(tokenSubject, '', { 'last-event-id': id })
      await stream.take('reset')
      await stream.leave()
    }
  })

  const somebody = {
    organizationId: 'o',
    subscriberId: 's',
    subscriberSince: new Date(),
    keyId: 'k',
    expiresAt: new Date(),
  }

  it('continue when the master key is replaced', async () => {
    const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const position = { next: 9_000, running: [7, 8_000], after: '' }
    const cursor = { epoch: '0123456789abcdef', atMs: 1, position }
    const text = sealedCursors(createVault(before), somebody).write(cursor)

    expect(sealedCursors(createVault(after, before), somebody).read(text)).toEqual(cursor)
    expect(sealedCursors(createVault(after), somebody).read(text).epoch).toBe('')
    const later = { ...somebody, subscriberSince: new Date(0) }
    expect(sealedCursors(createVault(before), later).read(text).epoch).toBe('')
  })

  it('stay the same length while many transactions are running, and skip none of them', async () => {
    const cursors = sealedCursors(vault, somebody)
    const running = Array.from({ length: 500 }, (_, index) => 1_000_000 + index * 1_000)
    const cursor = (position: Cursor['position']) => ({ epoch: '0123456789abcdef', atMs: 1, position })
    const none = cursors.write(cursor({ next: 5, running: [], after: '' }))

    const text = cursors.write(cursor({ next: 1_600_000, running, after: '' }))

    expect(text.length).toBe(none.length)
    const { position } = cursors.read(text)
    expect(position.running.length).toBeGreaterThan(30)
    expect(position.running).toEqual(running.slice(0, position.running.length))
    expect(position.next).toBe(running[position.running.length])
  })
})

it("the times of a stream's alive events do not reveal when other subscribers change", async () => {
  const { admin, tokenSubject } = await createTokenSubject(service)
  await vendor(admin).subscriber('globex')
  const stream = await follow(tokenSubject)
  await stream.take('ready')
  let isOver = false
  const times: number[] = []
  const changing = (async () => {
    for (let index = 0; !isOver; index++) {
      await vendor(admin).override('globex', 'sso', { kind: 'flag', allowed: index % 2 === 0 })
      await wait(50)
    }
  })()
  for (let count = 0; count < 2; count++) {
    await stream.take('alive')
    times.push(performance.now())
  }
  isOver = true
  await changing

  expect(stream.changes()).toEqual([])
  // The service waits 3.5 s between them, but a slow machine may take the first one late.
  expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(1_000)
})

describe("a subscriber's tokens", () => {
  it('share three slots for streams and waiting polls, and do not count as followers of the organization', async () => {
    const { admin, product, tokenSubject } = await createTokenSubject(service)
    const second = tokenSubjectClient(service, await createToken(product))
    const streams = [await follow(tokenSubject), await follow(second), await follow(tokenSubject)]
    for (const stream of streams) await stream.take('ready')

    const refused = await follow(second)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expectRefusal(await second.changes('?wait=1'), 'RATE_LIMITED', { retry_after_seconds: 5 })
    expect((await second.changes()).status).toBe(200)

    expect((await admin.rest('GET', '/org/followers')).body.count).toBe(0)

    await vendor(admin).subscriber('globex')
    const other = await follow(tokenSubjectClient(service, await createToken(product, 'globex'), 'globex'))
    await other.take('ready')
    const byKey = await openStream(`${service.url}/org/changes`, { 'x-api-key': product.key })
    await byKey.take('ready')
    await streams[0]?.leave()
    await until(async () => (await second.changes('?wait=1')).status === 200)
  })

  it('are refused with 429 when they poll too often', async () => {
    const { tokenSubject } = await createTokenSubject(service)

    const answers = await Promise.all(Array.from({ length: 40 }, () => tokenSubject.changes()))

    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expectRefusal(answer, 'RATE_LIMITED', { retry_after_seconds: 1 })
  })
})

describe("a token's stream and waiting poll end", () => {
  const { pool } = service.database
  const ends: [string, string][] = [
    ['its key is revoked', 'delete from api_key where organization_id = $1 and member_id = $2'],
    ['its key expires', 'update api_key set expires_at = now() where organization_id = $1 and member_id = $2'],
    [
      "its key's member is disabled",
      `update member set status = 'disabled' where organization_id = $1 and member_id = $2`,
    ],
    [
      'its subscriber is deleted, even if a new subscriber has the same id',
      `with gone as (select $2::text) update subscriber set created_at = created_at + interval '1 second' where organization_id = $1`,
    ],
  ]

  it.each(ends)('when %s', async (_, end) => {
    const { product, tokenSubject } = await createTokenSubject(service)
    const stream = await follow(tokenSubject)
    await stream.take('ready')
    const poll = tokenSubject.changes('?wait=30')
    await until(async () => (await follow(tokenSubject)).status === 200)

    await pool.query(end, [product.organizationId, product.memberId])

    await until(stream.hasEnded)
    expectRefusal(await poll, 'UNAUTHORIZED', null)
    expect((await follow(tokenSubject)).status).toBe(401)
  })

  it('when the role of its key loses the label for evals', async () => {
    const { product, tokenSubject } = await createTokenSubject(service)
    const credential = await createSubscriberTokens(vault).verify(tokenSubject.token)
    const directUrl = inject('databaseUrl')
    const feed = new ChangeFeed({ pool, directUrl, logger: pino({ level: 'silent' }) })
    onTestFinished(() => feed.close())
    const { organizationId } = product
    const follower = await feed.join({ organizationId, credential, own: null })

    // Every role has the label for evals, so this test watches a label that the role lacks.
    onTestFinished(watchRights(feed, pool, ['features:read']))

    await until(() => follower.isEnded)
    expect(() => follower.assertAllowed()).toThrow(/has expired/)
  })

  it('when the token has expired', async () => {
    const { tokenSubject } = await createTokenSubject(service)
    const claims = decodeJwt(tokenSubject.token)
    const followFor = async (seconds: number) => {
      const soon = await new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + seconds })
        .setProtectedHeader({ alg: 'HS256', typ: 'entitlements-subscriber+jwt' })
        .sign(vault.deriveKey('subscriber-token'))
      return follow(tokenSubjectClient(service, soon))
    }
    // A busy machine may open the stream only after the first token has expired.
    let stream = await followFor(3)
    if (stream.status !== 200) stream = await followFor(10)
    expect(stream.status).toBe(200)

    await until(stream.hasEnded)
  })
})
