import { beforeEach, describe, expect, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, send, sharedService, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

const path = '/org/subscribers/acme/entitlements'

/** The subscriber `acme` on the plan `pro`, which grants a flag and a limit; `other` is on it too. */
async function organizationWithPlan(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  for (const id of ['acme', 'other']) {
    await setup.subscriber(id)
    await setup.subscribe(id, 'pro')
  }
  return caller
}

const getSnapshot = ({ key }: Caller, ifNoneMatch?: string, method = 'GET') =>
  send(service.url + path, method, undefined, {
    'x-api-key': key,
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
  })

async function tagOf(caller: Caller): Promise<string> {
  return (await getSnapshot(caller)).headers.get('etag') as string
}

const used = async (caller: Caller) => (await vendor(caller).get('/org/eval-usage')).used

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('the tag of a snapshot', () => {
  it('is a strong tag, and caches must revalidate the answer', async () => {
    const caller = await organizationWithPlan()

    const { headers } = await getSnapshot(caller)

    expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(await tagOf(caller)).toBe(headers.get('etag'))
  })

  it('changes if and only if the answer changes', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    const seats = (limit: number, expires_at: string | null = null) =>
      setup.override('acme', 'seats', { kind: 'limit', limit, expires_at })
    const patch = (route: string, body: object) => caller.rest('PATCH', route, body)
    const grants = { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 6 } }
    const changes: [what: string, isSeen: boolean, change: () => Promise<unknown>][] = [
      ['a name', false, () => patch('/org/plans/pro', { name: 'Professional' })],
      ['a plan of others', false, () => setup.plan('free', { sso: { kind: 'flag' } })],
      ['a grant', true, () => patch('/org/plans/pro', { grants })],
      ['an override', true, () => seats(7)],
      ['the same again', false, () => seats(7)],
      [
        'an override of another subscriber',
        false,
        () => setup.override('other', 'sso', { kind: 'flag', allowed: false }),
      ],
      ['its value', true, () => seats(8)],
      ['its expiry', true, () => seats(8, '2999-01-01T00:00:00Z')],
      ['its end', true, () => caller.rest('DELETE', '/org/subscribers/acme/overrides/seats')],
      ['a feature', true, () => setup.feature('export')],
      ['the plan', true, () => caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'free' })],
    ]

    let last = await getSnapshot(caller)
    for (const [what, isSeen, change] of changes) {
      await change()
      const next = await getSnapshot(caller)
      expect([what, JSON.stringify(next.body) !== JSON.stringify(last.body)]).toEqual([what, isSeen])
      expect([what, next.headers.get('etag') !== last.headers.get('etag')]).toEqual([what, isSeen])
      last = next
    }
  })

  it('is the same from another server for the same answer', async () => {
    const other = await startService()
    const caller = await organizationWithPlan()
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7 })

    const { headers } = await send(other.url + path, 'GET', undefined, { 'x-api-key': caller.key })

    expect(headers.get('etag')).toBe(await tagOf(caller))
  })
})

describe('If-None-Match', () => {
  it.each<[what: string, ifNoneMatch: (tag: string) => string]>([
    ['the tag', (tag) => tag],
    ['the tag marked as weak', (tag) => `W/${tag}`],
    ['a list with the tag', (tag) => `"a", W/"b,c" ,${tag}, "d"`],
    ['any tag', () => ' * '],
  ])(
    'with %s is answered with 304 without a body, and the request still counts as an eval',
    async (_what, ifNoneMatch) => {
      const caller = await organizationWithPlan()
      const tag = await tagOf(caller)

      const answer = await getSnapshot(caller, ifNoneMatch(tag))

      expect(answer).toMatchObject({ status: 304, body: undefined })
      expect(answer.headers.get('etag')).toBe(tag)
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      for (const name of ['content-type', 'content-length']) expect(answer.headers.get(name)).toBeNull()
      expect(await used(caller)).toBe(2)
    },
  )

  it('is answered without a length to HEAD, too', async () => {
    const caller = await organizationWithPlan()

    const answer = await getSnapshot(caller, await tagOf(caller), 'HEAD')

    expect(answer.status).toBe(304)
    expect(answer.headers.get('content-length')).toBeNull()
  })

  it.each<[what: string, ifNoneMatch: (tag: string) => string]>([
    ['another tag', () => '"a"'],
    ['the tag without its quotes', (tag) => tag.slice(1, -1)],
    ['the beginning of the tag', (tag) => `${tag.slice(0, -2)}"`],
    ['an empty value', () => ''],
  ])('with %s is answered with 200', async (_what, ifNoneMatch) => {
    const caller = await organizationWithPlan()
    const tag = await tagOf(caller)

    expect(await getSnapshot(caller, ifNoneMatch(tag))).toMatchObject({ status: 200, body: { plan: 'pro' } })
  })

  it('does not turn a refusal into a 304', async () => {
    const caller = await organizationWithPlan()
    const tag = await tagOf(caller)
    const limit = (data: { rateLimit?: number; allotment?: bigint }) =>
      service.database.prisma.evalCounter.update({ where: { organizationId: caller.organizationId }, data })

    await limit({ allotment: 1n })
    expectRefusal(await getSnapshot(caller, tag), 'CONFLICT', { field: 'evals', value: 1 })
    await limit({ rateLimit: 0 })
    expectRefusal(await getSnapshot(caller, '*'), 'RATE_LIMITED', { retry_after_seconds: 1 })
    expect((await getSnapshot({ ...caller, key: 'nope' }, '*')).status).toBe(401)
  })

  it('is ignored by a check, which has no tag', async () => {
    const { key } = await organizationWithPlan()
    const headers = { 'x-api-key': key, 'if-none-match': '*' }

    const answer = await send(`${service.url}${path}/check`, 'POST', { feature: 'sso' }, headers)

    expect(answer).toMatchObject({ status: 200, body: { allowed: true } })
    expect(answer.headers.get('etag')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('works with HEAD, which has the headers of GET and counts one eval', async () => {
    const caller = await organizationWithPlan()
    const tag = await tagOf(caller)

    const head = await getSnapshot(caller, undefined, 'HEAD')
    const known = await getSnapshot(caller, tag, 'HEAD')

    expect([head.status, known.status]).toEqual([200, 304])
    for (const { headers, body } of [head, known]) {
      expect(headers.get('etag')).toBe(tag)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(body).toBeUndefined()
    }
    expect(await used(caller)).toBe(3)
  })

  it('also works for a large snapshot, whose overrides are hashed in slices', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    const value = 'x'.repeat(60_000)
    for (let n = 0; n < 6; n++) {
      await setup.feature(`text-${n}`, { kind: 'config', value_type: 'json' })
      await setup.override('acme', `text-${n}`, { kind: 'config', value })
    }

    const first = await getSnapshot(caller)
    const tag = first.headers.get('etag') as string
    const known = await getSnapshot(caller, tag)
    await setup.override('acme', 'text-5', { kind: 'config', value: `${value}!` })
    const changed = await getSnapshot(caller, tag)

    expect(first.headers.get('transfer-encoding')).toBe('chunked')
    expect([first.status, known.status, changed.status]).toEqual([200, 304, 200])
    expect(changed.headers.get('etag')).not.toBe(tag)
    expect(first.body.entitlements).toHaveLength(9)
  })
})
