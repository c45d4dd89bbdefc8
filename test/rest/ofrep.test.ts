import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newApiKey } from '../../src/access/api-key.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { timestamp } from '../support/matchers.ts'
import { flagsOf } from '../support/ofrep.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, send, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService({ BODY_LIMIT_BYTES: '20000' })

const path = '/ofrep/v1/evaluate/flags'
const expiry = '2999-01-01T00:00:00.000Z'

/** Creates nine features; `acme` is on the plan `pro` and has overrides, and `bare` has neither a plan nor overrides. */
async function fillCatalog(caller: Caller): Promise<void> {
  const setup = vendor(caller)
  await setup.features()
  for (const key of ['export', 'on-trial']) await setup.feature(key)
  for (const key of ['storage', 'projects']) await setup.feature(key, { kind: 'limit' })
  await setup.feature('theme', { kind: 'config', value_type: 'json' })
  await setup.feature('ratio', { kind: 'config', value_type: 'number' })
  await setup.plan('pro', {
    sso: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    storage: { kind: 'limit', limit: null },
    color: { kind: 'config', value: 'red' },
    theme: { kind: 'config', value: { dark: true, sizes: [1, 2] } },
  })
  for (const id of ['acme', 'bare']) await setup.subscriber(id)
  await setup.subscribe('acme', 'pro')
  await setup.override('acme', 'on-trial', { kind: 'flag', allowed: true, expires_at: expiry })
  await setup.override('acme', 'export', { kind: 'flag', allowed: false })
  await setup.override('acme', 'projects', { kind: 'limit', limit: 0 })
  await setup.override('acme', 'ratio', { kind: 'config', value: 0.5 })
}

let caller: Caller
let flags: ReturnType<typeof flagsOf>
beforeAll(async () => {
  caller = await service.organization()
  await fillCatalog(caller)
  flags = flagsOf(service.url, caller)
})

/** The flag that is answered for an entitlement of this source; `more` is added to its metadata, or replaces fields. */
function flag(key: string, kind: string, source: 'override' | 'plan' | 'none', value: unknown, more: object = {}) {
  const allowed = value !== undefined && value !== false && value !== 0
  return {
    key,
    ...(value !== undefined && { value }),
    reason: { override: 'TARGETING_MATCH', plan: 'STATIC', none: 'DISABLED' }[source],
    variant: source,
    metadata: { kind, allowed, source, unlimited: false, ...more },
  }
}

/** The flags of `acme`, newest feature first. */
const flagsOfAcme = [
  flag('ratio', 'config', 'override', 0.5),
  flag('theme', 'config', 'plan', { dark: true, sizes: [1, 2] }),
  flag('projects', 'limit', 'override', 0),
  flag('storage', 'limit', 'plan', 9007199254740991, { unlimited: true }),
  flag('on-trial', 'flag', 'override', true, { expires_at: expiry }),
  flag('export', 'flag', 'override', false),
  flag('color', 'config', 'plan', 'red'),
  flag('seats', 'limit', 'plan', 5),
  flag('sso', 'flag', 'plan', true),
]

/** The flags of a subscriber without plan and overrides; a config has no value, so that the product's default is used. */
const flagsOfBare = flagsOfAcme.map(({ key, metadata: { kind } }) =>
  flag(key, kind, 'none', { flag: false, limit: 0 }[kind]),
)

const used = async (who: Caller) => (await vendor(who).get('/org/eval-usage')).used

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('POST /ofrep/v1/evaluate/flags/{key}', () => {
  it.each(flagsOfAcme.map((expected) => [expected.key, expected] as const))(
    'answers for %s with its value, reason, variant and metadata',
    async (key, expected) => {
      const answer = await flags.one(key, 'acme')

      expect(answer).toMatchObject({ status: 200, body: expected })
      expect(answer.body).toEqual(expected)
    },
  )

  it.each(flagsOfBare.map((expected) => [expected.key, expected] as const))(
    'answers for %s with DISABLED if the subscriber has neither a grant nor an override',
    async (key, expected) => {
      expect((await flags.one(key, 'bare')).body).toEqual(expected)
    },
  )

  it('is never cached, and ignores everything in the context but the targeting key', async () => {
    const context = { targetingKey: 'acme', plan: 'free', nested: { targetingKey: 'bare' }, list: [1] }

    const answer = await flags.send('seats', { context, other: 1 }, { 'if-none-match': '*' })

    expect(answer.body.value).toBe(5)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('etag')).toBeNull()
  })

  it('has the new value right after each write', async () => {
    const own = await service.organization()
    await fillCatalog(own)
    const mine = flagsOf(service.url, own)

    for (const limit of [1, 0, null, 7]) {
      await vendor(own).override('acme', 'seats', { kind: 'limit', limit })
      const { body } = await mine.one('seats', 'acme')
      expect([body.value, body.metadata.unlimited]).toEqual([limit ?? Number.MAX_SAFE_INTEGER, limit === null])
    }
    await own.rest('DELETE', '/org/subscribers/acme/overrides/seats')
    expect((await mine.one('seats', 'acme')).body).toEqual(flag('seats', 'limit', 'plan', 5))
  })
})

describe('POST /ofrep/v1/evaluate/flags', () => {
  it.each([
    ['acme', flagsOfAcme],
    ['bare', flagsOfBare],
  ])('answers with all flags of %s, newest feature first', async (subscriber, expected) => {
    const answer = await flags.all(subscriber)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ flags: expected })
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{22}"$/)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('answers with an empty list of flags if the catalog has no features', async () => {
    const own = await service.organization()
    await vendor(own).subscriber('acme')

    expect((await flagsOf(service.url, own).all('acme')).body).toEqual({ flags: [] })
  })

  it('is 304 without a body while its answer stays the same, and still counts as an eval', async () => {
    const own = await service.organization()
    await fillCatalog(own)
    const mine = flagsOf(service.url, own)
    const tag = (await mine.all('acme')).headers.get('etag') as string

    for (const known of [tag, `W/${tag}`, `"a", ${tag}`, '*']) {
      const answer = await mine.all('acme', { 'if-none-match': known })
      expect(answer).toMatchObject({ status: 304, body: undefined })
      expect(answer.headers.get('etag')).toBe(tag)
    }
    expect(await used(own)).toBe(5)
  })

  it('has a different ETag for each answer and subscriber, and never the ETag of a snapshot', async () => {
    const own = await service.organization()
    await fillCatalog(own)
    const setup = vendor(own)
    const mine = flagsOf(service.url, own)
    await setup.subscriber('twin')
    const tagOf = async (id: string) => (await mine.all(id)).headers.get('etag')
    const grants = { seats: { kind: 'limit', limit: 9 } }
    const changes: [what: string, isSeen: boolean, change: () => Promise<unknown>][] = [
      ['a name', false, () => own.rest('PATCH', '/org/plans/pro', { name: 'Professional' })],
      [
        'an override of another subscriber',
        false,
        () => setup.override('bare', 'sso', { kind: 'flag', allowed: true }),
      ],
      ['an override', true, () => setup.override('acme', 'sso', { kind: 'flag', allowed: false })],
      ['its expiry', true, () => setup.override('acme', 'sso', { kind: 'flag', allowed: false, expires_at: expiry })],
      ['its end', true, () => own.rest('DELETE', '/org/subscribers/acme/overrides/sso')],
      ['a grant', true, () => own.rest('PATCH', '/org/plans/pro', { grants })],
      ['a feature', true, () => setup.feature('new')],
    ]

    let last = await tagOf('acme')
    for (const [what, isSeen, change] of changes) {
      await change()
      const next = await tagOf('acme')
      expect([what, next !== last]).toEqual([what, isSeen])
      last = next
    }
    await own.rest('DELETE', '/org/subscribers/bare/overrides/sso')
    expect(await tagOf('twin')).not.toBe(await tagOf('bare'))
    const { headers } = await own.rest('GET', '/org/subscribers/acme/entitlements')
    expect(headers.get('etag')).not.toBe(last)
  })

  it('streams an answer with large values, which has an ETag like any other answer', async () => {
    const own = await service.organization()
    const setup = vendor(own)
    await setup.subscriber('acme')
    const value = 'x'.repeat(12_000)
    for (let n = 0; n < 24; n++) {
      await setup.feature(`text-${n}`, { kind: 'config', value_type: 'json' })
      await setup.override('acme', `text-${n}`, { kind: 'config', value })
    }
    const mine = flagsOf(service.url, own)

    const first = await mine.all('acme')
    const again = await mine.all('acme', { 'if-none-match': first.headers.get('etag') as string })

    expect(first.headers.get('transfer-encoding')).toBe('chunked')
    expect(first.body.flags).toHaveLength(24)
    expect(first.body.flags[0]).toEqual(flag('text-23', 'config', 'override', value))
    expect(again.status).toBe(304)
  })
})

describe("a refusal in OFREP's format (of one flag, or of all flags if the key is null)", () => {
  const both = [['seats'], [null]] as const

  /** The refusal's status and body, without its message. */
  async function refusal(key: string | null, body: unknown, headers = {}) {
    const answer = await flags.send(key, body, headers)
    expect(answer.body.errorDetails).toMatch(/\S/)
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { errorDetails: _, ...rest } = answer.body
    return [answer.status, rest]
  }
  const refusalOf = (key: string | null, errorCode: string) => (key === null ? { errorCode } : { key, errorCode })

  it.each(both)('of %s without a targeting key is 400 TARGETING_KEY_MISSING', async (key) => {
    const bodies = [undefined, {}, { context: null }, { context: {} }, { targetingKey: 'acme' }]
    const empty = [{ context: { targetingKey: null } }, { context: { targetingKey: '' } }]

    for (const body of [...bodies, ...empty])
      expect(await refusal(key, body)).toEqual([400, refusalOf(key, 'TARGETING_KEY_MISSING')])
  })

  it.each(both)('of %s with a body of another shape or content type is 400 PARSE_ERROR', async (key) => {
    const bodies = ['{', '[]', 'null', '"acme"', { context: 'acme' }, { context: ['acme'] }]
    const keys = [7, true, ['acme'], { id: 'acme' }].map((targetingKey) => ({ context: { targetingKey } }))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }

    for (const body of [...bodies, ...keys])
      expect(await refusal(key, body)).toEqual([400, refusalOf(key, 'PARSE_ERROR')])
    expect(await refusal(key, 'targetingKey=acme', form)).toEqual([400, refusalOf(key, 'PARSE_ERROR')])
  })

  it.each(both)('of %s for an unknown subscriber is 400 INVALID_CONTEXT', async (key) => {
    for (const targetingKey of ['nobody', 'a b', 'a/b', 'x'.repeat(300), 'a\u0000'])
      expect(await refusal(key, { context: { targetingKey } })).toEqual([400, refusalOf(key, 'INVALID_CONTEXT')])
  })

  it('of an unknown feature is 404 FLAG_NOT_FOUND', async () => {
    const body = { context: { targetingKey: 'acme' } }

    for (const key of ['nope', 'No%20pe', '%00', '__proto__', 'x'.repeat(3000)]) {
      const answer = await flags.send(key, body)
      expect([answer.status, answer.body.errorCode]).toEqual([404, 'FLAG_NOT_FOUND'])
    }
    expect(await refusal('nope', body)).toEqual([404, refusalOf('nope', 'FLAG_NOT_FOUND')])
    expect((await flags.send('No%20pe', body)).body.key).toBe('No pe')
  })

  it.each(both)('of %s with too large a context is 413', async (key) => {
    const context = { targetingKey: 'acme', rest: 'x'.repeat(20_000) }

    expect(await refusal(key, { context })).toEqual([413, refusalOf(key, 'GENERAL')])
  })

  it.each(both)('of %s by a process without memory for the context is 503 GENERAL, with Retry-After', async (key) => {
    const { url } = await startService({ MAX_PARSED_BYTES: '65536' })
    const context = { targetingKey: 'acme', rest: Array(3000).fill([]) }

    const answer = await flagsOf(url, caller).send(key, { context })

    expect([answer.status, answer.body]).toEqual([
      503,
      { ...refusalOf(key, 'GENERAL'), errorDetails: expect.any(String) },
    ])
    expect(answer.headers.get('retry-after')).toBe('1')
  })

  it.each(both)('of %s because the allotment is used up is 400 GENERAL, not 429, and counts nothing', async (key) => {
    const own = await service.organization()
    await fillCatalog(own)
    await service.database.prisma.evalCounter.update({
      where: { organizationId: own.organizationId },
      data: { allotment: 0n },
    })

    const answer = await flagsOf(service.url, own).send(key, { context: { targetingKey: 'acme' } })

    const errorDetails = expect.stringContaining('allotment of 0 evals is used up')
    expect([answer.status, answer.body]).toEqual([400, { ...refusalOf(key, 'GENERAL'), errorDetails }])
    expect(await used(own)).toBe(0)
  })
})

describe("a refusal in the service's own format", () => {
  it.each(['/seats', ''])(
    'of POST /ofrep/v1/evaluate/flags%s without a valid key is 401, before the body is checked',
    async (at) => {
      for (const headers of [
        {},
        { 'x-api-key': newApiKey().key },
        { authorization: `Bearer ${newApiKey().key}` },
        { authorization: `Basic ${caller.key}` },
        { authorization: `Bearer ${caller.key}`, 'x-api-key': caller.key },
      ] as Record<string, string>[]) {
        for (const body of ['{', {}, { context: { targetingKey: 'acme' } }]) {
          const answer = await send(service.url + path + at, 'POST', body, headers)
          expectRefusal(answer, 'UNAUTHORIZED', null)
          expect(answer.headers.get('www-authenticate')).toBe('ApiKey, Bearer')
        }
      }
    },
  )

  it('above the rate limit is 429 with Retry-After, before the subscriber and the feature are looked up', async () => {
    const own = await service.organization()
    const data = { rateLimit: 0 }
    await service.database.prisma.evalCounter.update({ where: { organizationId: own.organizationId }, data })
    const mine = flagsOf(service.url, own)

    for (const answer of [await mine.one('nope', 'nobody'), await mine.all('nobody')]) {
      expectRefusal(answer, 'RATE_LIMITED', { retry_after_seconds: 1 })
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect((await mine.send('nope', {})).status).toBe(400)
  })

  it.each([
    ['GET', path],
    ['PUT', `${path}/seats`],
    ['HEAD', path],
    ['POST', '/ofrep/v1/evaluate'],
    ['GET', '/ofrep/v1/configuration'],
  ])('of %s %s, which is not a route, is 404', async (method, at) => {
    const answer = await send(service.url + at, method, undefined, { 'x-api-key': caller.key })

    expect(answer.status).toBe(404)
    if (method !== 'HEAD') expectRefusal(answer, 'NOT_FOUND', null)
  })
})

describe('the key', () => {
  it('may be sent as a Bearer token, with the scheme in upper or lower case', async () => {
    for (const scheme of ['Bearer', 'bearer']) {
      const headers = { authorization: `${scheme} ${caller.key}` }
      const body = { context: { targetingKey: 'acme' } }
      const answer = await send(`${service.url}${path}/seats`, 'POST', body, headers)
      expect([answer.status, answer.body.value]).toEqual([200, 5])
    }
    const elsewhere = { authorization: `Bearer ${caller.key}` }
    const answer = await send(`${service.url}/org/subscribers/acme/entitlements`, 'GET', undefined, elsewhere)
    expectRefusal(answer, 'UNAUTHORIZED', null)
  })

  it('gives access only to its own organization, and to nothing once its member is disabled', async () => {
    const other = await service.organization()
    await vendor(other).subscriber('theirs')
    const member = await service.member(caller.organizationId, 'evaluator')
    const mine = flagsOf(service.url, member)

    expect((await mine.one('seats', 'acme')).status).toBe(200)
    expect((await mine.all('theirs')).body.errorCode).toBe('INVALID_CONTEXT')
    await caller.rest('PATCH', `/org/members/${member.memberId}`, { status: 'disabled' })
    expectRefusal(await mine.one('seats', 'acme'), 'UNAUTHORIZED', null)
    expectRefusal(await mine.send(null, '{'), 'UNAUTHORIZED', null)
  })
})

describe('an evaluation', () => {
  it('counts as one eval, within the same allotment as checks and snapshots', async () => {
    const own = await service.organization()
    await fillCatalog(own)
    const mine = flagsOf(service.url, own)
    await service.database.prisma.evalCounter.update({
      where: { organizationId: own.organizationId },
      data: { allotment: 4n },
    })

    await mine.one('seats', 'acme')
    await mine.all('acme')
    await own.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' })
    await mine.one('nope', 'acme')
    await mine.one('seats', 'nobody')
    await mine.send('seats', {})
    expect(await used(own)).toBe(3)
    await own.rest('GET', '/org/subscribers/acme/entitlements')
    expect((await mine.one('seats', 'acme')).body.errorCode).toBe('GENERAL')
    expectRefusal(await own.rest('GET', '/org/subscribers/acme/entitlements'), 'CONFLICT', { field: 'evals', value: 4 })
  })

  it('is not recorded in the audit log', async () => {
    const own = await service.organization()
    await vendor(own).subscriber('acme')
    const entries = async () => (await own.rest('GET', '/org/audit-events')).body.audit_events
    const before = await entries()

    await flagsOf(service.url, own).one('nope', 'acme')
    await flagsOf(service.url, own).all('acme')

    expect(await entries()).toEqual(before)
    expect(before[0].occurred_at).toEqual(timestamp)
  })
})
