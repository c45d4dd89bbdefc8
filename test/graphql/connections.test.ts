import { describe, expect, it } from 'vitest'
import { expectRefusedDocument, expectRefusedField, expectSameRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'

const service = await sharedService()

/** Creates an organization with these subscribers. */
async function withSubscribers(ids: readonly string[]): Promise<Caller> {
  const caller = await service.organization()
  const times = { createdAt: new Date(), updatedAt: new Date() }
  await service.database.prisma.subscriber.createMany({
    data: ids.map((id) => ({ organizationId: caller.organizationId, id, ...times })),
  })
  return caller
}

/** Creates Ann with this many subscriptions, the last one active; returns their ids in order. */
async function withSubscriptions(count: number): Promise<{ caller: Caller; ids: string[] }> {
  const caller = await withSubscribers(['ann'])
  const { organizationId } = caller
  await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro' })
  const ids = Array.from({ length: count }, (_, n) => `01J0000000000000000000${String(n).padStart(4, '0')}`)
  await service.database.prisma.subscription.createMany({
    data: ids.map((id, n) => ({
      organizationId,
      id,
      subscriberId: 'ann',
      planKey: 'pro',
      createdAt: new Date(),
      ...(n < count - 1 && { status: 'canceled' as const, canceledAt: new Date() }),
    })),
  })
  return { caller, ids }
}

const many = Array.from({ length: 120 }, (_, n) => `s${String(n).padStart(3, '0')}`)
const pageInfo = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'

const nodes = (answer: { body: { data: { subscribers: { nodes: { subscriberId: string }[] } } } }) =>
  answer.body.data.subscribers.nodes.map(({ subscriberId }) => subscriberId)

describe('a page of subscribers', () => {
  it('has 50 subscribers by default, and uses their ids as cursors', async () => {
    const caller = await withSubscribers(many)

    const { body } = await caller.graphql(`{ subscribers { edges { cursor node { subscriberId } } ${pageInfo} } }`)

    expect(body.data.subscribers.edges).toEqual(
      many.slice(0, 50).map((id) => ({ cursor: id, node: { subscriberId: id } })),
    )
    expect(body.data.subscribers.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: 's000',
      endCursor: 's049',
    })
  })

  it.each([
    ['first: 3', 3],
    ['first: 100', 100],
    ['first: 101', 100],
    ['first: 2147483647', 100],
    ['first: null', 50],
    ['first: null, after: null', 50],
  ])('has the requested number of subscribers, up to 100: %s', async (args, size) => {
    const caller = await withSubscribers(many)

    expect(nodes(await caller.graphql(`{ subscribers(${args}) { nodes { subscriberId } } }`))).toEqual(
      many.slice(0, size),
    )
  })

  it('leads to the next page until the last one', async () => {
    const caller = await withSubscribers(many)

    const walked: string[] = []
    let after: string | null = null
    for (let page = 0; page < 3; page++) {
      const answer = await caller.graphql(
        `query ($after: String) { subscribers(first: 50, after: $after) { nodes { subscriberId } ${pageInfo} } }`,
        { after },
      )
      walked.push(...nodes(answer))
      after = answer.body.data.subscribers.pageInfo.endCursor
      expect(answer.body.data.subscribers.pageInfo).toMatchObject({ hasNextPage: page < 2, hasPreviousPage: page > 0 })
    }

    expect(walked).toEqual(many)
  })

  it('is ordered by code point', async () => {
    const caller = await withSubscribers(['b', 'a', 'Z', 'é', '\u{1F600}', '\uFFFD', '10', '9'])

    expect(nodes(await caller.graphql('{ subscribers { nodes { subscriberId } } }'))).toEqual([
      '10',
      '9',
      'Z',
      'a',
      'b',
      'é',
      '\uFFFD',
      '\u{1F600}',
    ])
  })

  it('continues after a cursor whose subscriber was deleted or never existed', async () => {
    const caller = await withSubscribers(['a', 'b', 'c'])
    await caller.rest('DELETE', '/org/subscribers/b')

    expect(nodes(await caller.graphql('{ subscribers(after: "b") { nodes { subscriberId } } }'))).toEqual(['c'])
    expect(nodes(await caller.graphql('{ subscribers(after: "aa") { nodes { subscriberId } } }'))).toEqual(['c'])
  })

  it('is empty and has no cursors after the last subscriber', async () => {
    const caller = await withSubscribers(['a'])

    const { body } = await caller.graphql(`{ subscribers(after: "a") { edges { cursor } nodes { name } ${pageInfo} } }`)

    expect(body.data.subscribers).toEqual({
      edges: [],
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    })
  })

  it.each(['0', '-1', '-2147483648'])('is refused for `first` of %s', async (first) => {
    const caller = await service.organization()

    const answer = await caller.graphql(`{ subscribers(first: ${first}) { nodes { name } } }`)

    expectSameRefusal(answer, await caller.rest('GET', `/org/subscribers?limit=${first}`), {
      limit: 'first',
    })
    expect(answer.body.errors[0].extensions.details.fields).toEqual([
      { path: 'first', message: 'first must be an integer from 1 to 100.' },
    ])
  })

  it.each(['1.5', '"10"', 'true'])('is refused for %s as `first`, which is not an integer', async (first) => {
    const caller = await service.organization()

    const answer = await caller.graphql(`{ subscribers(first: ${first}) { nodes { name } } }`)
    expectRefusedDocument(answer, 'first must be an integer from 1 to 100.', 'first')
  })

  it.each(['a b', 'a/b', '', '\u0000', 'x'.repeat(256)])('is refused for `after` of %j', async (after) => {
    const caller = await service.organization()

    const answer = await caller.graphql('query ($after: String) { subscribers(after: $after) { nodes { name } } }', {
      after,
    })

    expectRefusedField(answer, 'subscribers', 'VALIDATION_ERROR', {
      fields: [{ path: 'after', message: expect.stringMatching(/^after must be a subscriber id/) }],
    })
  })
})

describe('a page of the subscriptions of a subscriber', () => {
  const subscriptionIds = (answer: {
    body: { data: { subscriber: { subscriptions: { nodes: { id: string }[] } } } }
  }) => answer.body.data.subscriber.subscriptions.nodes.map(({ id }) => id)

  it('has 50 subscriptions by default, ordered by id, and is continued by the next page', async () => {
    const { caller, ids } = await withSubscriptions(60)
    const page = (args: string) =>
      caller.graphql(`{ subscriber(subscriberId: "ann") { subscriptions${args} { nodes { id } ${pageInfo} } } }`)

    const first = await page('')

    expect(subscriptionIds(first)).toEqual(ids.slice(0, 50))
    expect(first.body.data.subscriber.subscriptions.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: ids[0],
      endCursor: ids[49],
    })
    const second = await page(`(after: "${ids[49]}")`)
    expect(subscriptionIds(second)).toEqual(ids.slice(50))
    expect(second.body.data.subscriber.subscriptions.pageInfo.hasNextPage).toBe(false)
  })

  it('continues after the cursor of a subscription that does not exist', async () => {
    const { caller, ids } = await withSubscriptions(2)

    const answer = await caller.graphql(
      `{ subscriber(subscriberId: "ann") { subscriptions(after: "00000000000000000000000000") { nodes { id } } } }`,
    )

    expect(subscriptionIds(answer)).toEqual(ids)
  })

  it.each([
    ['first: 0', 'first', 'first must be an integer from 1 to 100.'],
    ['after: "x"', 'after', expect.stringMatching(/^after must be a subscription id: a ULID/)],
    ['after: "01j00000000000000000000000"', 'after', expect.stringMatching(/ULID/)],
  ])('is refused for %s, as in REST', async (args, path, message) => {
    const { caller } = await withSubscriptions(1)

    const answer = await caller.graphql(
      `{ subscriber(subscriberId: "ann") { name subscriptions(${args}) { nodes { id } } } }`,
    )

    expectRefusedField(answer, 'subscriber.subscriptions', 'VALIDATION_ERROR', { fields: [{ path, message }] })
    expect(answer.body.data).toEqual({ subscriber: { name: null, subscriptions: null } })
  })
})
