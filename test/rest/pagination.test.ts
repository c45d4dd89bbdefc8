import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { expectInvalid } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

/** Sorted by code point, whatever the database's collation: upper case, lower case, beyond ASCII, astral last. */
const ids = ['A-1', 'Z', '_', 'a', 'a-2', 'b', 'é', '～', '🚀', ...Array.from({ length: 96 }, (_, i) => `s${100 + i}`)]
const sorted = ids.toSorted((a, b) => (Buffer.from(a).compare(Buffer.from(b)) < 0 ? -1 : 1))

let caller: Caller
let subscriptionIds: string[]

/** The two collections under test, one with 105 items and one with 3. */
const subscribers = '/org/subscribers'
const subscriptions = '/org/subscribers/a/subscriptions'

beforeAll(async () => {
  caller = await service.organization()
  for (const id of ids) await vendor(caller).subscriber(id)
  await vendor(caller).plan('pro')
  await vendor(caller).subscribe('a', 'pro')
  for (let i = 0; i < 2; i++) await caller.rest('POST', `${subscriptions}/change`, { plan_id: 'pro' })
  const { subscriptions: all } = await vendor(caller).get(subscriptions)
  subscriptionIds = all.map(({ id }: { id: string }) => id)
})

async function page(query: string): Promise<{ ids: string[]; hasMore: boolean; keys: string[] }> {
  const body = await vendor(caller).get(`${subscribers}${query}`)
  return {
    ids: body.subscribers.map((each: { subscriber_id: string }) => each.subscriber_id),
    hasMore: body.has_more,
    keys: Object.keys(body),
  }
}

const past = (id: string) => `starting_after=${encodeURIComponent(id)}`

describe('a page', () => {
  it('has 50 items by default, and no fields other than the items and has_more', async () => {
    expect(await page('')).toEqual({ ids: sorted.slice(0, 50), hasMore: true, keys: ['subscribers', 'has_more'] })
  })

  it.each<[string, number]>([
    ['1', 1],
    ['007', 7],
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
  ])('has, with limit=%s, %i items', async (limit, count) => {
    expect(await page(`?limit=${limit}`)).toMatchObject({ ids: sorted.slice(0, count), hasMore: true })
  })

  it('ends with has_more false if it is the last page, even if it is full or empty', async () => {
    expect(await page(`?limit=5&${past(sorted[99] as string)}`)).toMatchObject({
      ids: sorted.slice(100),
      hasMore: false,
    })
    expect(await page(`?limit=10&${past(sorted[99] as string)}`)).toMatchObject({ hasMore: false })
    expect(await page(`?${past(sorted.at(-1) as string)}`)).toEqual({
      ids: [],
      hasMore: false,
      keys: expect.anything(),
    })
  })

  it('continues the previous page, so that all pages have each item once, in the order of code points', async () => {
    const seen: string[] = []
    for (let query = '?limit=7', hasMore = true; hasMore; query = `?limit=7&${past(seen.at(-1) as string)}`) {
      const next = await page(query)
      seen.push(...next.ids)
      hasMore = next.hasMore
    }

    expect(seen).toEqual(sorted)
  })

  it('continues after an id that is not in the collection', async () => {
    expect((await page(`?limit=2&${past('a-1')}`)).ids).toEqual(['a-2', 'b'])
    expect((await page(`?limit=1&${past('0')}`)).ids).toEqual(['A-1'])
  })

  it('ignores unknown parameters', async () => {
    expect((await page('?limit=1&page=2&Limit=x&__proto__=1')).ids).toEqual(['A-1'])
  })
})

describe('a page of subscriptions', () => {
  it('is ordered by id, oldest first, and can continue after any ULID', async () => {
    const get = async (query: string) => {
      const body = await vendor(caller).get(`${subscriptions}${query}`)
      return [body.subscriptions.map(({ id }: { id: string }) => id), body.has_more]
    }

    expect(subscriptionIds).toEqual(subscriptionIds.toSorted())
    expect(await get('?limit=2')).toEqual([subscriptionIds.slice(0, 2), true])
    expect(await get(`?limit=2&starting_after=${subscriptionIds[1]}`)).toEqual([subscriptionIds.slice(2), false])
    expect(await get('?starting_after=00000000000000000000000000')).toEqual([subscriptionIds, false])
    expect(await get(`?starting_after=${newId()}`)).toEqual([[], false])
  })
})

describe('a page request', () => {
  const wrongLimits = [
    '0',
    '-1',
    '1.5',
    '1.0',
    '1e2',
    'ten',
    '',
    '+5',
    '%205',
    '5%20',
    '0x10',
    '١',
    'NaN',
    'null',
    '%ff',
    '%00',
  ]

  it('is refused with one detail for each parameter, even if one is wrong and the other is repeated', async () => {
    const answer = await caller.rest('GET', `${subscribers}?limit=0&starting_after=a&starting_after=b`)

    expectInvalid(answer, ['limit', /^limit must be an integer/], ['starting_after', /must be given once/])
  })

  it.each(wrongLimits)('is 422 with one detail for limit=%s', async (limit) => {
    for (const path of [subscribers, subscriptions]) {
      const answer = await caller.rest('GET', `${path}?limit=${limit}`)
      expectInvalid(answer, ['limit', /^limit must be an integer from 1 to 100\.$/])
    }
  })

  it.each(['a%20b', 'a+b', 'a/b', 'a%2Fb', '', '%00', '%0A', '%ff', '%', '%ED%A0%80', 'x'.repeat(256)])(
    'is 422 with one detail for the subscriber cursor %s',
    async (cursor) => {
      const answer = await caller.rest('GET', `${subscribers}?starting_after=${cursor}`)

      expectInvalid(answer, ['starting_after', /^starting_after must be a subscriber id/])
    },
  )

  it.each([
    'a',
    '',
    '01arz3ndektsv4rrffq69g5fav',
    '01ARZ3NDEKTSV4RRFFQ69G5FAU',
    '81ARZ3NDEKTSV4RRFFQ69G5FAV',
    '01ARZ3NDEKTSV4RRFFQ69G5FA',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV%0A',
  ])('is 422 with one detail for the subscription cursor %s', async (cursor) => {
    const answer = await caller.rest('GET', `${subscriptions}?starting_after=${cursor}`)

    expectInvalid(answer, ['starting_after', /^starting_after must be a subscription id: a ULID/])
  })

  it('is refused with one detail for each repeated or wrong parameter', async () => {
    expectInvalid(await caller.rest('GET', `${subscribers}?limit=1&limit=2`), ['limit', /once/])
    expectInvalid(await caller.rest('GET', `${subscribers}?starting_after=a&starting_after=a`), [
      'starting_after',
      /once/,
    ])
    expectInvalid(
      await caller.rest('GET', `${subscribers}?starting_after=%20&limit=0`),
      ['limit', /1 to 100/],
      ['starting_after', /subscriber id/],
    )
  })
})
