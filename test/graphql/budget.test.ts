import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { type Answer, type Caller, sharedService, startService } from '../support/service.ts'

const service = await sharedService()
const smallService = await startService({ MAX_ANSWER_BYTES: '100000', MAX_ANSWER_ROWS: '300' })

const times = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n)).join(' ')
const now = new Date()

/** Creates subscribers, each with overrides of a config feature whose value has this many characters. */
async function seedOverrides(
  { organizationId }: Caller,
  { subscribers, each, characters }: { subscribers: number; each: number; characters: number },
): Promise<void> {
  const { prisma } = service.database
  const base = { organizationId, createdAt: now, updatedAt: now }
  const keys = Array.from({ length: each }, (_, n) => `f${n}`)
  await prisma.feature.createMany({
    data: keys.map((key) => ({ ...base, key, name: key, kind: 'config', valueType: 'json', description: '' })),
  })
  const ids = Array.from({ length: subscribers }, (_, n) => `s${n}`)
  await prisma.subscriber.createMany({ data: ids.map((id) => ({ ...base, id })) })
  await prisma.override.createMany({
    data: ids.flatMap((subscriberId) =>
      keys.map((featureKey) => ({
        ...base,
        id: newId(),
        subscriberId,
        featureKey,
        kind: 'config' as const,
        value: JSON.stringify({ text: 'x'.repeat(characters) }),
      })),
    ),
  })
}

/** Expects one error with details null, and no data. */
function expectBeyondBudget(answer: Answer, message: RegExp): void {
  expect(answer.body).toEqual({
    errors: [
      {
        message: expect.stringMatching(message),
        extensions: {
          type: 'invalid_request_error',
          code: 'VALIDATION_ERROR',
          requestId: answer.headers.get('x-request-id'),
          details: null,
          status: 422,
        },
      },
    ],
  })
}

describe('a request beyond its budget', () => {
  it('ends if its aliases repeat a large value for each of a hundred subscribers', async () => {
    const caller = await service.organization()
    await seedOverrides(caller, { subscribers: 100, each: 1, characters: 60_000 })
    const query = `{ subscribers(first: 100) { nodes { override(feature: "f0") { ${times(40, (n) => `a${n}: value`)} } } } }`

    expectBeyondBudget(await caller.graphql(query), /asks for more than 16777216 bytes\. Ask for smaller pages/)

    const { body } = await caller.graphql('{ subscribers(first: 100) { nodes { override(feature: "f0") { value } } } }')
    expect(body.data.subscribers.nodes[99].override.value.text).toHaveLength(60_000)
  })

  it('ends before the database sends the rows of a nested list', async () => {
    const caller = await service.organization()
    await seedOverrides(caller, { subscribers: 100, each: 8, characters: 60_000 })

    expectBeyondBudget(
      await caller.graphql('{ subscribers(first: 100) { nodes { overrides { feature } } } }'),
      /reads more than 33554432 bytes/,
    )
  })

  it('ends if it reads more rows than the limit', async () => {
    const caller = await smallService.organization()
    await seedOverrides(caller, { subscribers: 50, each: 8, characters: 1 })

    expectBeyondBudget(
      await caller.graphql('{ subscribers { nodes { overrides { feature } } } }'),
      /reads more than 300 rows/,
    )
    expect((await caller.graphql('{ subscribers(first: 30) { nodes { overrides { feature } } } }')).body).toEqual({
      data: { subscribers: { nodes: Array.from({ length: 30 }, () => ({ overrides: expect.any(Array) })) } },
    })
  })

  it('ends if its root fields together read more rows than the limit', async () => {
    const caller = await smallService.organization()
    await seedOverrides(caller, { subscribers: 1, each: 100, characters: 1 })

    expectBeyondBudget(await caller.graphql(`{ ${times(4, (n) => `a${n}: features { key }`)} }`), /300 rows/)
    expect((await caller.graphql(`{ ${times(2, (n) => `a${n}: features { key }`)} }`)).body.errors).toBeUndefined()
  })

  it.each([
    [
      'long aliases',
      `{ features { ${'a'.repeat(255)}: __typename ${times(5, (n) => `${'b'.repeat(250)}${n}: key`)} } }`,
    ],
    ['names of types', `{ features { ${times(80, (n) => `a${n}: __typename`)} } }`],
  ])('ends if %s in each row make the answer too large', async (_what, query) => {
    const caller = await smallService.organization()
    await seedOverrides(caller, { subscribers: 1, each: 100, characters: 1 })

    expectBeyondBudget(await caller.graphql(query), /asks for more than 100000 bytes/)
  })

  it('ends if too many of its fields fail', async () => {
    const caller = await service.organization()
    await seedOverrides(caller, { subscribers: 100, each: 1, characters: 1 })
    const query = (count: number) =>
      `{ subscribers(first: 100) { nodes { ${times(count, (n) => `a${n}: override(feature: "no") { id }`)} } } }`

    expectBeyondBudget(await caller.graphql(query(11)), /more than 1000 fields that failed/)
    expect((await caller.graphql(query(2))).body.errors).toHaveLength(200)
  })

  it('keeps the mutations that already ran, reports this, and runs no more', async () => {
    const caller = await smallService.organization()
    await seedOverrides(caller, { subscribers: 2, each: 1, characters: 60_000 })
    const update = (n: number) =>
      `a${n}: updateSubscriber(input: { subscriberId: "s${n % 2}", name: "new ${n}" }) { override(feature: "f0") { value } }`

    const answer = await caller.graphql(`mutation { ${times(4, update)} }`)

    expectBeyondBudget(answer, /100000 bytes.* Mutations that already ran stay in effect, and are recorded\.$/)
    const { organizationId } = caller
    const { prisma } = service.database
    const names = await prisma.subscriber.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
    expect(names.map(({ name }) => name)).toEqual(['new 0', 'new 1'])
    expect(await prisma.auditEvent.count({ where: { organizationId, outcome: 'responded' } })).toBe(2)
  })

  it('runs no more imports once the details of refused lines fill the answer', async () => {
    const caller = await smallService.organization()
    const fields = times(9, (n) => `a${n}: importSubscribers(input: { lines: $lines }) { errors { details } }`)
    const lines = Array.from({ length: 2 }, (_, n) => ({
      subscriberId: `s${n}`,
      overrides: [{ feature: 'x'.repeat(20_000) }],
    }))

    const answer = await caller.graphql(`mutation ($lines: [ImportLineInput!]) { ${fields} }`, { lines })

    expectBeyondBudget(answer, /Mutations that already ran stay in effect/)
    const { organizationId } = caller
    expect(await service.database.prisma.auditEvent.count({ where: { organizationId } })).toBe(3)
  })

  it('gets error messages that truncate an id that is longer than any valid id', async () => {
    const caller = await service.organization()
    const query = `query ($key: ID!) { ${times(25, (n) => `a${n}: feature(key: $key) { name }`)} }`

    const { body } = await caller.graphql(query, { key: 'x'.repeat(1_000_000) })

    expect(body.errors).toHaveLength(25)
    expect(JSON.stringify(body).length).toBeLessThan(2_000_000)
  })
})

describe('introspection', () => {
  it('counts each alias of a field against the budget', async () => {
    const caller = await service.organization()
    const description = times(80, (n) => `a${n}: description`)

    expectBeyondBudget(
      await caller.graphql(`{ ${times(10, (n) => `s${n}: __schema { ...S }`)} }
        fragment S on __Schema { types { fields { ${description} } } }`),
      /of the schema/,
    )
  })
})

describe('a stored JSON value', () => {
  it.each([
    ['an object', '{"b":[1,{"a":null}],"__proto__":{"x":1},"text":"\\"\\\\ \\u2028 é"}'],
    ['a number', '1.5'],
    ['a text that looks like a pattern', '"$& $1 \\"quoted\\""'],
    ['false', 'false'],
  ])('is returned as stored under each alias: %s', async (_what, text) => {
    const caller = await service.organization()
    await seedOverrides(caller, { subscribers: 1, each: 1, characters: 1 })
    const { organizationId } = caller
    await service.database.prisma.override.updateMany({ where: { organizationId }, data: { value: text } })

    const { body } = await caller.graphql(
      '{ subscriber(subscriberId: "s0") { override(feature: "f0") { a: value b: value } } }',
    )

    expect(JSON.stringify(body.data.subscriber.override)).toBe(
      `{"a":${JSON.stringify(JSON.parse(text))},"b":${JSON.stringify(JSON.parse(text))}}`,
    )
  })
})

it('a long list is returned completely and in order', async () => {
  const caller = await service.organization()
  const keys = Array.from({ length: 6_000 }, (_, n) => `f${String(n).padStart(5, '0')}`)
  await service.database.prisma.feature.createMany({
    data: keys.map((key) => ({
      organizationId: caller.organizationId,
      key,
      name: key,
      kind: 'flag' as const,
      description: '',
      createdAt: now,
      updatedAt: now,
    })),
  })

  const { body } = await caller.graphql('{ features { key name kind description createdAt } }')

  expect(body.data.features.map(({ key }: { key: string }) => key)).toEqual(keys)
})
