import { afterEach, describe, expect, it } from 'vitest'
import { type Label, labelsByRole } from '../../src/access/roles.ts'
import { expectRefusedField } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { listFewestStatements } from './count-statements.ts'

type OfType = { kind: string; ofType?: OfType | null }
type Field = { name: string; type: OfType; args: { type: OfType }[] }
type Selected = { name: string; text: string }

const service = await sharedService()

/** Creates `count` plans of two grants each, and as many subscribers, each on one of the plans and with an override. */
async function seed(caller: Caller, count: number): Promise<void> {
  const { organizationId } = caller
  const { prisma } = service.database
  const times = { createdAt: new Date(), updatedAt: new Date() }
  const numbers = Array.from({ length: count }, (_, index) => index)
  await prisma.feature.createMany({
    data: ['a', 'b'].map((key) => ({ organizationId, key, name: key, kind: 'flag' as const, ...times })),
  })
  await prisma.plan.createMany({
    data: numbers.map((n) => ({ organizationId, key: `p${n}`, name: `P${n}`, ...times })),
  })
  await prisma.planGrant.createMany({
    data: numbers.flatMap((n) =>
      ['b', 'a'].map((featureKey) => ({ organizationId, planKey: `p${n}`, featureKey, kind: 'flag' as const })),
    ),
  })
  await prisma.subscriber.createMany({ data: numbers.map((n) => ({ organizationId, id: `s${n}`, ...times })) })
  await prisma.subscription.createMany({
    data: numbers.map((n) => ({
      organizationId,
      id: `01J0000000000000000000${String(n).padStart(4, '0')}`,
      subscriberId: `s${n}`,
      planKey: `p${n}`,
      createdAt: times.createdAt,
    })),
  })
  await prisma.override.createMany({
    data: numbers.map((n) => ({
      organizationId,
      id: `01K0000000000000000000${String(n).padStart(4, '0')}`,
      subscriberId: `s${n}`,
      featureKey: 'a',
      kind: 'flag' as const,
      allowed: true,
      ...times,
    })),
  })
}

/** Returns the number of statements that a document takes with 2 and with 20 parents. */
async function countTwice(document: string): Promise<[number, number]> {
  const counts: number[] = []
  for (const parents of [2, 20]) {
    const caller = await service.organization()
    await seed(caller, parents)
    const statements = await listFewestStatements(async () => {
      const { body } = await caller.graphql(document)
      expect(body.errors).toBeUndefined()
    })
    counts.push(statements.length)
  }
  return counts as [number, number]
}

describe('one query for each level, however many parents there are,', () => {
  it('reads subscribers with all their nested fields', async () => {
    const [few, many] = await countTwice(`{ subscribers(first: 50) { nodes {
      subscriptions { nodes { plan { grants { feature } } } }
      activeSubscription { plan { name } }
      overrides { feature }
      override(feature: "a") { id }
    } } }`)

    expect(many).toBe(few)
    // There is one statement each for the key; subscribers; their subscriptions, plans and grants; their active subscriptions
    // and the plans of these; and each of the two fields of overrides.
    expect(few).toBe(9)
  })

  it('reads plans with their grants', async () => {
    expect(await countTwice('{ plans { key grants { feature } } }')).toEqual([3, 3])
  })

  it('reads no grants that were not requested', async () => {
    expect(await countTwice('{ plans { key name } }')).toEqual([2, 2])
  })

  it('reads the same field under several aliases with different arguments', async () => {
    const [few, many] = await countTwice(`{ subscribers { nodes {
      live: overrides { feature }
      all: overrides(includeExpired: true) { feature }
      one: subscriptions(first: 1) { edges { node { plan { key } } } }
      two: subscriptions(first: 2) { nodes { id } again: nodes { plan { grants { kind } } } }
    } } }`)

    expect(many).toBe(few)
    expect(few).toBe(9)
  })

  it('reads through fragments, and through both nodes and edges', async () => {
    const [few, many] = await countTwice(`
      query Page { subscribers { nodes { ...Active } edges { node { ...Active } } } }
      fragment Active on Subscriber { activeSubscription { ... on Subscription { plan { ...Grants } } } }
      fragment Grants on Plan { grants { feature } }`)

    expect(many).toBe(few)
    expect(few).toBe(8)
  })

  it('reads events, and the attempts of all of them at once', async () => {
    const caller = await service.organization()
    const { organizationId } = caller
    const eventId = (n: number) => `01J000000000000000000000${n}0`
    const at = new Date()
    const event = { organizationId, type: 'override.put', body: '{}', state: 'failed' as const }
    await service.database.prisma.webhookEvent.createMany({
      data: [1, 2, 3].map((n) => ({ ...event, id: eventId(n), occurredAt: at, dueAt: null, finishedAt: at })),
    })
    await service.database.prisma.webhookAttempt.createMany({
      data: [1, 2, 3].map((n) => ({ organizationId, eventId: eventId(n), number: n, startedAt: at, durationMs: 1 })),
    })
    const read = async (document: string) => {
      let attempts: unknown
      const statements = await listFewestStatements(async () => {
        const { body } = await caller.graphql(document)
        expect(body.errors).toBeUndefined()
        attempts = body.data
      })
      return { attempts, statements: statements.length }
    }

    // The statements read the key, the ids of the events, the events, and their attempts.
    expect(
      await read(
        '{ webhookEvents(first: 2) { edges { node { a: attempts { number } } } nodes { attempts { number } } } }',
      ),
    ).toEqual({
      statements: 4,
      attempts: {
        webhookEvents: {
          edges: [3, 2].map((number) => ({ node: { a: [{ number }] } })),
          nodes: [3, 2].map((number) => ({ attempts: [{ number }] })),
        },
      },
    })
    expect(await read('{ webhookEvents { nodes { id } } }')).toMatchObject({ statements: 3 })
    expect(await read(`{ webhookEvent(eventId: "${eventId(1)}") { attempts { number } } }`)).toEqual({
      statements: 3,
      attempts: { webhookEvent: { attempts: [{ number: 1 }] } },
    })
    expect(await read(`{ webhookEvent(eventId: "${eventId(1)}") { id } }`)).toMatchObject({ statements: 2 })
  })

  it('reads only the columns that the document needs', async () => {
    const caller = await service.organization()
    await seed(caller, 1)
    const document =
      '{ subscribers { nodes { activeSubscription { ...Plan } } } } fragment Plan on Subscription { plan { name } }'

    const statements = await listFewestStatements(() => caller.graphql(document))

    const read = statements.slice(-2).map((text) => text.replaceAll(/"public"\.|"/g, '').replace(/ FROM .*/s, ''))
    expect(read).toEqual([
      'SELECT subscription.organization_id, subscription.subscription_id, subscription.plan_key, subscription.subscriber_id',
      'SELECT plan.organization_id, plan.plan_key, plan.name',
    ])
  })

  it.each([
    ['Subscription', ['subscriber', 'activeSubscription']],
    ['Plan', ['subscriber', 'activeSubscription', 'plan']],
    ['Subscriber', ['subscriber', 'override', 'subscriber']],
  ])('reads the same values of a %s, whichever of its fields a document selects', async (type, path) => {
    const caller = await service.organization()
    await vendor(caller).feature('sso')
    await vendor(caller).plan('pro', { sso: { kind: 'flag' } })
    await vendor(caller).subscriber('acme', { name: 'Acme' })
    await vendor(caller).subscribe('acme', 'pro')
    await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: false })
    const [first, ...others] = path.map((field) => field + (field === 'override' ? '(feature: "sso")' : ''))
    const read = async (fields: string) => {
      const document = [`${first}(subscriberId: "acme")`, ...others, fields].reduceRight(
        (inner, field) => `${field} { ${inner} }`,
      )
      const { errors, data } = (await caller.graphql(`{ ${document} }`)).body
      expect(errors).toBeUndefined()
      return path.reduce((value, field) => value[field], data)
    }
    const { body } = await caller.graphql(
      `{ __type(name: "${type}") { fields { name args { type { kind } } type { kind ofType { kind ofType { kind ofType { kind } } } } } } }`,
    )
    const isObject = (each: OfType | null): boolean =>
      each?.kind === 'OBJECT' || (each?.ofType ? isObject(each.ofType) : false)
    const fields = body.data.__type.fields
      .filter(({ args }: Field) => args.every(({ type }) => type.kind !== 'NON_NULL'))
      .map(({ name, type }: Field) => ({ name, text: isObject(type) ? `${name} { __typename }` : name }))
    const whole = await read(fields.map(({ text }: Selected) => text).join(' '))

    for (const { name, text } of fields) expect(await read(text), text).toEqual({ [name]: whole[name] })
  })

  it('gives each parent its own rows', async () => {
    const caller = await service.organization()
    await seed(caller, 3)

    const { body } = await caller.graphql(`{ subscribers { nodes {
      subscriberId
      subscriptions { nodes { planId plan { key grants { feature } } } }
      activeSubscription { planId }
      overrides { subscriberId }
      override(feature: "a") { subscriberId }
    } } }`)

    expect(body.data.subscribers.nodes).toEqual(
      [0, 1, 2].map((n) => ({
        subscriberId: `s${n}`,
        subscriptions: {
          nodes: [{ planId: `p${n}`, plan: { key: `p${n}`, grants: [{ feature: 'a' }, { feature: 'b' }] } }],
        },
        activeSubscription: { planId: `p${n}` },
        overrides: [{ subscriberId: `s${n}` }],
        override: { subscriberId: `s${n}` },
      })),
    )
  })

  it('reads the state after each write, even if an earlier write of the request selected the same field', async () => {
    const caller = await service.organization()
    await seed(caller, 1)

    const { body } = await caller.graphql(`mutation {
      first: putOverride(input: { subscriberId: "s0", featureKey: "b", kind: FLAG, allowed: true }) { id }
      a: updateSubscriber(input: { subscriberId: "s0", name: "A" }) { overrides { feature } }
      gone: deleteOverride(input: { subscriberId: "s0", featureKey: "a" })
      b: updateSubscriber(input: { subscriberId: "s0", name: "B" }) { overrides { feature } }
    }`)

    expect(body.data.a.overrides).toEqual([{ feature: 'b' }, { feature: 'a' }])
    expect(body.data.b.overrides).toEqual([{ feature: 'b' }])
  })
})

describe('a nested field', () => {
  it('is null or an empty list for a subscriber without subscriptions and overrides', async () => {
    const caller = await service.organization()
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })

    const { body } = await caller.graphql(`{ subscriber(subscriberId: "ann") {
      activeSubscription { id } overrides { id } subscriptions { nodes { id } pageInfo { endCursor } }
    } }`)

    expect(body).toEqual({
      data: {
        subscriber: {
          activeSubscription: null,
          overrides: [],
          subscriptions: { nodes: [], pageInfo: { endCursor: null } },
        },
      },
    })
  })

  it('is NOT_FOUND if the subscriber has no such override, while the other fields are returned', async () => {
    const caller = await service.organization()
    await seed(caller, 2)
    await caller.rest('DELETE', '/org/subscribers/s1/overrides/a')

    const answer = await caller.graphql('{ subscribers { nodes { subscriberId override(feature: "a") { feature } } } }')

    expect(answer.body.data.subscribers.nodes).toEqual([
      { subscriberId: 's0', override: { feature: 'a' } },
      { subscriberId: 's1', override: null },
    ])
    expectRefusedField(
      answer,
      'subscribers.nodes.1.override',
      'NOT_FOUND',
      { resource: 'override', id: 'a' },
      'There is no override "a" here.',
    )
  })

  it('is NOT_FOUND for a malformed feature key', async () => {
    const caller = await service.organization()
    await seed(caller, 1)

    const answer = await caller.graphql('{ subscriber(subscriberId: "s0") { override(feature: "A b") { feature } } }')

    expectRefusedField(answer, 'subscriber.override', 'NOT_FOUND', { resource: 'override', id: 'A b' })
  })

  it('lists expired overrides only on request, but returns an expired override by its feature', async () => {
    const caller = await service.organization()
    await seed(caller, 1)
    await caller.rest('PUT', '/org/subscribers/s0/overrides/a', {
      kind: 'flag',
      allowed: false,
      expires_at: '2020-01-01T00:00:00Z',
    })

    const { body } = await caller.graphql(`{ subscriber(subscriberId: "s0") {
      overrides { feature } nothing: overrides(includeExpired: null) { feature }
      all: overrides(includeExpired: true) { allowed expiresAt } override(feature: "a") { allowed }
    } }`)

    expect(body.data.subscriber).toEqual({
      overrides: [],
      nothing: [],
      all: [{ allowed: false, expiresAt: '2020-01-01T00:00:00.000Z' }],
      override: { allowed: false },
    })
  })
})

describe('tenant isolation', () => {
  it('hides the objects of another organization that uses the same ids', async () => {
    const [mine, other] = [await service.organization(), await service.organization()]
    await seed(other, 3)
    await mine.rest('POST', '/org/subscribers', { subscriber_id: 's0' })
    await mine.rest('POST', '/org/features', { key: 'a', name: 'A', kind: 'flag' })
    await mine.rest('POST', '/org/plans', { key: 'p0', name: 'Mine' })
    await mine.rest('POST', '/org/subscribers/s0/subscriptions', { plan_id: 'p0' })

    const { body } = await mine.graphql(`{
      subscribers { nodes {
        subscriberId overrides { id } activeSubscription { plan { name grants { feature } } }
        subscriptions { nodes { plan { name } } }
      } }
      plans { name grants { feature } }
      features { key }
    }`)

    expect(body).toEqual({
      data: {
        subscribers: {
          nodes: [
            {
              subscriberId: 's0',
              overrides: [],
              activeSubscription: { plan: { name: 'Mine', grants: [] } },
              subscriptions: { nodes: [{ plan: { name: 'Mine' } }] },
            },
          ],
        },
        plans: [{ name: 'Mine', grants: [] }],
        features: [{ key: 'a' }],
      },
    })
  })
})

function restore(labels: Set<Label>, all: readonly Label[]): void {
  labels.clear()
  for (const label of all) labels.add(label)
}

describe('the labels of nested fields', () => {
  const ofViewers = labelsByRole.viewer as Set<Label>
  const all = [...ofViewers]
  // Restores the labels in their order, because other test files of this process read the same table.
  afterEach(() => restore(ofViewers, all))

  it.each([
    ['overrides:read', 'overrides', 'overrides { id }'],
    ['overrides:read', 'override', 'override(feature: "a") { id }'],
    ['plans:read', 'activeSubscription.plan', 'activeSubscription { plan { key } }'],
    ['plans:read', 'subscriptions.nodes.0.plan', 'subscriptions { nodes { plan { key } } }'],
  ] as const)('include %s, without which %s is refused and other fields are returned', async (label, path, field) => {
    const admin = await service.organization()
    await seed(admin, 1)
    const viewer = await service.member(admin.organizationId, 'viewer')
    ofViewers.delete(label)

    const answer = await viewer.graphql(`{ subscriber(subscriberId: "s0") { subscriberId ${field} } }`)

    expect(answer.body.data.subscriber.subscriberId).toBe('s0')
    expectRefusedField(
      answer,
      `subscriber.${path}`,
      'FORBIDDEN',
      { required_labels: [label] },
      'Your role does not allow this. Ask an admin of the organization.',
    )
  })

  it('include subscribers:read for the subscriptions in the answer of a write', async () => {
    const admin = await service.organization()
    await seed(admin, 1)
    const support = await service.member(admin.organizationId, 'support')
    const ofSupport = labelsByRole.support as Set<Label>
    const all = [...ofSupport]
    ofSupport.delete('subscribers:read')

    const answer = await support.graphql(`mutation { updateSubscriber(input: { subscriberId: "s0", name: "x" }) {
      name subscriptions { nodes { id } } activeSubscription { id }
    } }`)
    restore(ofSupport, all)

    expect(answer.body.data).toEqual({ updateSubscriber: { name: 'x', subscriptions: null, activeSubscription: null } })
    expect(answer.body.errors.map((each: { extensions: object }) => each.extensions)).toMatchObject([
      { code: 'FORBIDDEN', details: { required_labels: ['subscribers:read'] } },
      { code: 'FORBIDDEN', details: { required_labels: ['subscribers:read'] } },
    ])
  })
})
