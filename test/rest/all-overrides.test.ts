import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { importSuccessfully } from '../support/import.ts'
import { expectInvalid, expectSameRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const path = '/org/overrides'

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  for (const feature of ['sso', 'api']) await setup.feature(feature)
  for (const subscriber of ['ann', 'bob', 'cy']) await setup.subscriber(subscriber)
  const put = (subscriber: string, feature: string, expires_at: string | null) =>
    setup.override(subscriber, feature, { kind: 'flag', allowed: true, expires_at })
  await put('bob', 'sso', '2999-01-01T00:00:00.000Z')
  await put('ann', 'sso', null)
  await put('cy', 'api', '2998-01-01T00:00:00.000Z')
  await put('ann', 'api', '2020-01-01T00:00:00.000Z')
})

type ListedOverride = { id: string; feature: string; subscriber_id: string }
const names = ({ overrides }: { overrides: ListedOverride[] }) =>
  overrides.map(({ feature, subscriber_id }) => `${feature}/${subscriber_id}`)
const list = async (query: string) => names(await vendor(caller).get(`${path}?${query}`))

describe('the overrides of all subscribers', () => {
  it('are sorted by feature and subscriber, and each names the member who set it', async () => {
    const answer = await vendor(caller).get(path)

    expect(names(answer)).toEqual(['api/ann', 'api/cy', 'sso/ann', 'sso/bob'])
    expect(answer.has_more).toBe(false)
    for (const { set_by } of answer.overrides) expect(set_by.member_id).toBe(caller.memberId)
  })

  it('can be sorted by expiry: the soonest first, and overrides without an expiry last', async () => {
    expect(await list('order=expires')).toEqual(['api/ann', 'api/cy', 'sso/bob', 'sso/ann'])
  })

  it.each([
    ['feature=sso', ['sso/ann', 'sso/bob']],
    ['subscriber_id=ann', ['api/ann', 'sso/ann']],
    ['live=true', ['api/cy', 'sso/ann', 'sso/bob']],
    ['live=false', ['api/ann']],
    ['permanent=true', ['sso/ann']],
    ['permanent=false&live=true', ['api/cy', 'sso/bob']],
    ['permanent=true&expires_before=2999-01-01T00:00:00Z', []],
    ['expires_after=2998-01-01T00:00:00Z', ['api/cy', 'sso/bob']],
    ['expires_before=2999-01-01T00:00:00Z', ['api/ann', 'api/cy']],
    ['live=true&expires_before=2999-01-01T00:00:00Z&order=expires', ['api/cy']],
  ])('are filtered by %s', async (query, expected) => {
    expect(await list(query)).toEqual(expected)
  })

  it.each(['feature', 'expires'])('can be read page by page with order=%s', async (order) => {
    const all = await list(`order=${order}`)
    const pages: string[] = []
    for (let after = '', more = true; more; ) {
      const page = await vendor(caller).get(`${path}?limit=1&order=${order}${after}`)
      pages.push(...names(page))
      after = `&starting_after=${page.overrides.at(-1).id}`
      more = page.has_more
    }
    expect(pages).toEqual(all)
  })

  it.each(['feature', 'expires'])(
    'continue, with order=%s, after an override that was deleted between two pages',
    async (order) => {
      // The cursor is the override's id. After its deletion, its last expiry still says where the next page begins.
      const moved = { kind: 'flag', allowed: true, expires_at: '2997-01-01T00:00:00.000Z' }
      await vendor(caller).override('bob', 'sso', { ...moved, expires_at: null })
      await vendor(caller).override('bob', 'sso', moved)
      const all = await list(`order=${order}`)
      const pages: string[] = []
      for (let after = '', more = true; more; ) {
        const page = await vendor(caller).get(`${path}?limit=1&order=${order}${after}`)
        pages.push(...names(page))
        const { id, subscriber_id, feature } = page.overrides[0]
        const isLast = (await list(`subscriber_id=${subscriber_id}`)).length === 1
        const gone = isLast
          ? `/org/subscribers/${subscriber_id}`
          : `/org/subscribers/${subscriber_id}/overrides/${feature}`
        expect((await caller.rest('DELETE', gone)).status).toBe(204)
        after = `&starting_after=${id}`
        more = page.has_more
      }
      expect(pages).toEqual(all)
    },
  )

  it('continue in order of expiry when the cursor is a deleted override whose expiry an import had changed', async () => {
    const bySubscriber = (subscriber_id: string, sso: object | null) => ({ subscriber_id, overrides: { sso } })
    const until = (year: number) => ({ kind: 'flag', allowed: true, expires_at: `${year}-01-01T00:00:00.000Z` })
    for (const year of [2991, 2993]) await vendor(caller).subscriber(`until-${year}`)
    for (const year of [2991, 2993]) await vendor(caller).override(`until-${year}`, 'sso', until(year))
    await vendor(caller).override('bob', 'sso', until(2990))
    await importSuccessfully(caller, [bySubscriber('bob', until(2992))])
    const query = `${path}?order=expires&expires_after=2990-01-01T00:00:00Z&expires_before=2996-01-01T00:00:00Z&limit=2`
    const page = await vendor(caller).get(query)
    expect(names(page)).toEqual(['sso/until-2991', 'sso/bob'])

    await importSuccessfully(caller, [bySubscriber('bob', null), bySubscriber('bob', until(2994))])

    const rest = await vendor(caller).get(`${query}&starting_after=${page.overrides.at(-1).id}`)
    expect(names(rest)).toEqual(['sso/until-2993', 'sso/bob'])
  })

  it('refuse a cursor that is not the id of an override, and unknown parameters', async () => {
    const none = await caller.rest('GET', `${path}?starting_after=${newId()}`)

    expectInvalid(none, ['starting_after', /is not the id of a present or past override/])
    expectInvalid(await caller.rest('GET', `${path}?order=newest`), ['order', /one of feature, expires/])
    expectInvalid(await caller.rest('GET', `${path}?features=sso`), ['features', /did you mean "feature"|Did you mean/])
  })

  const inBase64url = (cursor: unknown[]) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
  const expiringAt = (time: string) => inBase64url(['expires', time, '01ARZ3NDEKTSV4RRFFQ69G5FAV'])

  it.each([
    ['text that no list wrote', 'x'],
    ['a time before the year 1', expiringAt('0000-01-01T00:00:00Z')],
    ['a time with an offset of 16 hours', expiringAt('2027-01-31T10:00:00+16:00')],
    ['a time in the year 0 of its offset', expiringAt('0000-12-31T23:59:59-01:00')],
    ['a time with 150 decimals', expiringAt(`2027-01-31T10:00:00.${'1'.repeat(150)}Z`)],
    ['a time without milliseconds', expiringAt('2027-01-31T10:00:00Z')],
    ['padding after a cursor', `${expiringAt('2027-01-31T10:00:00.000Z')}=`],
    ['a character after a cursor', `${expiringAt('2027-01-31T10:00:00.000Z')}!`],
    ['JSON with white space', Buffer.from('["feature", "sso","bob"]').toString('base64url')],
  ])('refuse a malformed cursor in both APIs: %s', async (_what, cursor) => {
    const query = 'query ($after: String) { overrides(order: EXPIRES, after: $after) { nodes { feature } } }'

    const rest = await caller.rest('GET', `${path}?order=expires&starting_after=${encodeURIComponent(cursor)}`)

    expectInvalid(rest, ['starting_after', /the id of an override/])
    expectSameRefusal(await caller.graphql(query, { after: cursor }), rest, { starting_after: 'after' })
  })

  it.each(['2027-01-31T10:00:00.000Z', 'infinity'])(
    'accept the cursor of an override that expires at %s',
    async (time) => {
      const { overrides } = await vendor(caller).get(`${path}?order=expires&starting_after=${expiringAt(time)}`)

      expect(names({ overrides }).at(-1)).toBe('sso/ann')
    },
  )

  it('continue in GraphQL after a cursor whose override was deleted', async () => {
    const query = `query ($after: String) {
      overrides(order: EXPIRES, first: 1, after: $after, filter: { live: true }) {
        nodes { feature subscriberId setBy { memberId } } pageInfo { endCursor hasNextPage }
      }
    }`
    const first = (await caller.graphql(query)).body.data.overrides
    await caller.rest('DELETE', '/org/subscribers/cy/overrides/api')
    const second = (await caller.graphql(query, { after: first.pageInfo.endCursor })).body.data.overrides

    expect(first.nodes).toEqual([{ feature: 'api', subscriberId: 'cy', setBy: { memberId: caller.memberId } }])
    expect(second.nodes[0]).toMatchObject({ feature: 'sso', subscriberId: 'bob' })
  })

  it('include their subscribers in GraphQL, and can be filtered to overrides without an expiry', async () => {
    await vendor(caller).plan('pro')
    await vendor(caller).subscribe('ann', 'pro')
    const query = `{ overrides(filter: { feature: "sso", permanent: true }) {
      nodes { subscriber { subscriberId name activeSubscription { planId } } }
    } }`

    const { data } = (await caller.graphql(query)).body

    expect(data.overrides.nodes).toEqual([
      { subscriber: { subscriberId: 'ann', name: null, activeSubscription: { planId: 'pro' } } },
    ])
  })
})
