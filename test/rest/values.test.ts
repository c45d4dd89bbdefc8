import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { stateOf } from '../support/state.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService()

let caller: Caller

beforeAll(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('sso')
  await setup.feature('seats', { kind: 'limit' })
  await setup.feature('color', colors)
  for (const type of ['string', 'number', 'boolean', 'json'])
    await setup.feature(type, { kind: 'config', value_type: type })
  await setup.plan('pro')
  await setup.subscriber('acme')
})

/**
 * Expects 422 with exactly these details, and no change. The body is JSON text, to include values that JSON.stringify cannot
 * write.
 */
async function expectUnchanged(method: string, path: string, body: string, ...fields: [string, RegExp][]) {
  const before = await stateOf(service.database, caller.organizationId)
  expectInvalid(await caller.rest(method, path, body), ...fields)
  expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
}

const override = '/org/subscribers/acme/overrides'

/** A request for each string field, with `~` for the invalid text in its body, and the field's path in the refusal. */
const strings: [method: string, path: string, body: string, field: string][] = [
  ['POST', '/org/features', '{"key":"a~","name":"A","kind":"flag"}', 'key'],
  ['POST', '/org/features', '{"key":"a","name":"~","kind":"flag"}', 'name'],
  ['POST', '/org/features', '{"key":"a","name":"A","kind":"flag~"}', 'kind'],
  ['POST', '/org/features', '{"key":"a","name":"A","kind":"flag","description":"~"}', 'description'],
  ['POST', '/org/features', '{"key":"a","name":"A","kind":"config","value_type":"~"}', 'value_type'],
  ['POST', '/org/features', '{"key":"a","name":"A","kind":"config","value_type":"enum","options":["x~"]}', 'options'],
  ['PATCH', '/org/features/color', '{"name":"x~"}', 'name'],
  ['PATCH', '/org/features/color', '{"description":"~x"}', 'description'],
  ['PATCH', '/org/features/color', '{"options":["red","green","blue","~"]}', 'options'],
  ['POST', '/org/plans', '{"key":"~","name":"A"}', 'key'],
  ['POST', '/org/plans', '{"key":"a","name":"A~"}', 'name'],
  ['POST', '/org/plans', '{"key":"a","name":"A","kind":"~"}', 'kind'],
  ['POST', '/org/plans', '{"key":"a","name":"A","grants":{"sso":{"kind":"~"}}}', 'grants.sso.kind'],
  [
    'POST',
    '/org/plans',
    '{"key":"a","name":"A","grants":{"string":{"kind":"config","value":"~"}}}',
    'grants.string.value',
  ],
  ['PATCH', '/org/plans/pro', '{"name":"~"}', 'name'],
  ['PATCH', '/org/plans/pro', '{"grants":{"json":{"kind":"config","value":[{"a":"~"}]}}}', 'grants.json.value'],
  ['PATCH', '/org/plans/pro', '{"grants":{"json":{"kind":"config","value":{"a":{"~":1}}}}}', 'grants.json.value'],
  ['PATCH', '/org/plans/pro', '{"expected_updated_at":"2026-01-01T00:00:00Z~"}', 'expected_updated_at'],
  ['POST', '/org/subscribers', '{"subscriber_id":"a~b"}', 'subscriber_id'],
  ['POST', '/org/subscribers', '{"subscriber_id":"new","name":"~"}', 'name'],
  ['PATCH', '/org/subscribers/acme', '{"name":"~"}', 'name'],
  ['POST', '/org/subscribers/acme/subscriptions', '{"plan_id":"pro~"}', 'plan_id'],
  ['POST', '/org/subscribers/acme/subscriptions/change', '{"plan_id":"~"}', 'plan_id'],
  ['PUT', `${override}/sso`, '{"kind":"flag~","allowed":true}', 'kind'],
  ['PUT', `${override}/sso`, '{"kind":"flag","allowed":true,"expires_at":"2030-01-01T00:00:00Z~"}', 'expires_at'],
  ['PUT', `${override}/string`, '{"kind":"config","value":"~"}', 'value'],
  ['PUT', `${override}/color`, '{"kind":"config","value":"~"}', 'value'],
  ['PUT', `${override}/json`, '{"kind":"config","value":[["~"]]}', 'value'],
  ['PUT', `${override}/json`, '{"kind":"config","value":{"~":null}}', 'value'],
  ['POST', '/org/subscribers/acme/entitlements/check', '{"feature":"sso~"}', 'feature'],
]

describe('U+0000 or an unpaired surrogate', () => {
  it.each(strings)('in %s %s %s is 422 at its field', async (method, path, body, field) => {
    for (const wrong of ['\\u0000', '\\ud83d', '\\udc00']) {
      await expectUnchanged(method, path, body.replace('~', wrong), [field, /\S/])
    }
  })

  it('in the name of an unknown field is refused or ignored as any unknown field is', async () => {
    for (const name of ['\\u0000', '\\ud800']) {
      const refused = `{"key":"a","name":"A","kind":"flag","${name}":1}`
      await expectUnchanged('POST', '/org/features', refused, [JSON.parse(`"${name}"`), /Unknown field/])
      const ignored = await caller.rest('PATCH', '/org/subscribers/acme', `{"${name}":"${name}"}`)
      expect(ignored.status).toBe(200)
    }
  })

  it('in the feature key of a grant is 422 at this grant', async () => {
    const body = '{"grants":{"\\u0000":{"kind":"flag"}}}'
    await expectUnchanged('PATCH', '/org/plans/pro', body, ['grants.\u0000', /no feature/])
  })

  it.each(['%00', 'a%00', '%ED%A0%80', '%ff', '%', '%zz', '%C0%80'])('in a path (%s) is 404', async (wrong) => {
    for (const [method, path, resource] of [
      ['GET', `/org/features/${wrong}`, 'feature'],
      ['DELETE', `/org/features/${wrong}`, 'feature'],
      ['DELETE', `/org/plans/${wrong}`, 'plan'],
      ['POST', `/org/plans/${wrong}/archive`, 'plan'],
      ['GET', `/org/subscribers/${wrong}/entitlements`, 'subscriber'],
      ['DELETE', `/org/subscribers/${wrong}`, 'subscriber'],
      ['GET', `${override}/${wrong}`, 'override'],
      ['DELETE', `${override}/${wrong}`, 'override'],
    ] as const) {
      const id = wrong.replace('%00', '\ufffd')
      expectRefusal(await caller.rest(method, path), 'NOT_FOUND', { resource, id })
    }
  })
})

describe('a number', () => {
  it.each(['9007199254740992', '1e16', '1e400', '-1', '0.1', '-0.5', '"1"'])(
    'that is not a valid limit is 422: %s',
    async (number) => {
      const message = /integer from 0 to 9007199254740991, or null/
      await expectUnchanged('PUT', `${override}/seats`, `{"kind":"limit","limit":${number}}`, ['limit', message])
      const grants = `{"grants":{"seats":{"kind":"limit","limit":${number}}}}`
      await expectUnchanged('PATCH', '/org/plans/pro', grants, ['grants.seats.limit', message])
    },
  )

  it.each(['9007199254740992', '-9007199254740992', '1e16', '1e400', '-1e400', '123456789012345678901234567890'])(
    'that cannot be stored exactly is 422 anywhere in a value: %s',
    async (number) => {
      const values = [
        ['number', number],
        ['json', number],
        ['json', `[[${number}]]`],
        ['json', `{"a":{"b":${number}}}`],
      ] as const
      for (const [feature, value] of values) {
        const message = /finite numbers, and integers within/
        await expectUnchanged('PUT', `${override}/${feature}`, `{"kind":"config","value":${value}}`, ['value', message])
        const grants = `{"grants":{"${feature}":{"kind":"config","value":${value}}}}`
        await expectUnchanged('PATCH', '/org/plans/pro', grants, [`grants.${feature}.value`, message])
      }
    },
  )

  it.each([
    ['-0', '0'],
    ['1e2', '100'],
    ['1.50', '1.5'],
    ['1e-400', '0'],
    ['5e-324', '5e-324'],
    ['9007199254740991.0', '9007199254740991'],
  ])('that is %s is read back as %s', async (sent, read) => {
    const config = (feature: string, value: string) =>
      caller.rest('PUT', `${override}/${feature}`, `{"kind":"config","value":${value}}`)

    expect(await config('number', sent)).toMatchObject({ status: 200, body: { value: JSON.parse(read) } })
    expect(await config('json', `[${sent}]`)).toMatchObject({ status: 200, body: { value: [JSON.parse(read)] } })
    const { rows } = await service.database.pool.query(
      'select value from override where organization_id = $1 and feature_key = any($2) order by feature_key',
      [caller.organizationId, ['number', 'json']],
    )
    expect(rows).toEqual([{ value: `[${read}]` }, { value: read }])
  })

  it.each(['-0', '-0.0', '0e5'])('that is %s counts as 0 in a limit', async (number) => {
    const answer = await caller.rest('PUT', `${override}/seats`, `{"kind":"limit","limit":${number}}`)

    expect(answer).toMatchObject({ status: 200, body: { limit: 0 } })
  })
})

describe('20,000 levels of JSON', () => {
  const arrays = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const objects = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`

  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])(
    'of %s are refused as a value and in any known field, and ignored in fields that are ignored',
    async (_what, deep) => {
      await expectUnchanged('PUT', `${override}/json`, `{"kind":"config","value":${deep}}`, [
        'value',
        /too deeply: at most 32 levels/,
      ])
      await expectUnchanged('PUT', `${override}/json`, `{"kind":"config","value":1,"other":${deep}}`, [
        'other',
        /Unknown/,
      ])
      await expectUnchanged('PATCH', '/org/plans/pro', `{"grants":{"json":{"kind":"config","value":${deep}}}}`, [
        'grants.json.value',
        /too deep/,
      ])
      await expectUnchanged('PATCH', '/org/plans/pro', `{"grants":{"sso":${deep}}}`, [
        deep === arrays ? 'grants.sso' : 'grants.sso.kind',
        /\S/,
      ])
      await expectUnchanged('PATCH', '/org/features/color', `{"options":${deep}}`, ['options', /1 to 100/])
      await expectUnchanged('POST', '/org/subscribers', `{"subscriber_id":${deep}}`, ['subscriber_id', /subscriber id/])
      const ignored = await caller.rest('PATCH', '/org/subscribers/acme', `{"other":${deep}}`)
      expect(ignored.status).toBe(200)
    },
  )
})

describe('__proto__, constructor and similar names', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'are refused or ignored as any unknown field is: %s',
    async (name) => {
      for (const value of ['1', '{"key":"a"}', '{"prototype":{"key":"a"}}', 'null']) {
        const extra = `"${name}":${value}`
        const refused: [string, RegExp] = [name, new RegExp(`Unknown field "${name}"`)]
        await expectUnchanged('POST', '/org/features', `{"key":"a","name":"A","kind":"flag",${extra}}`, refused)
        await expectUnchanged('PATCH', '/org/features/color', `{${extra}}`, refused)
        await expectUnchanged('PATCH', '/org/plans/pro', `{"name":"A",${extra}}`, refused)
        await expectUnchanged('PUT', `${override}/sso`, `{"kind":"flag","allowed":true,${extra}}`, refused)
        expect(await caller.rest('PATCH', '/org/subscribers/acme', `{${extra}}`)).toMatchObject({ status: 200 })
      }
      await expectUnchanged('POST', '/org/subscribers', `{"${name}":{"subscriber_id":"a"}}`, [
        'subscriber_id',
        /required/,
      ])
      expect(Object.hasOwn(Object.prototype, 'key')).toBe(false)
    },
  )

  it('are kept in JSON values, in their position', async () => {
    const value = '{"__proto__":{"a":1},"constructor":{"prototype":[]},"toString":"x"}'

    const put = await caller.rest('PUT', `${override}/json`, `{"kind":"config","value":${value}}`)

    expect(JSON.stringify(put.body.value)).toBe(value)
    const check = await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'json' })
    expect(JSON.stringify(check.body.value)).toBe(value)
    expect(JSON.stringify((await vendor(caller).get(`${override}/json`)).value)).toBe(value)
  })
})

describe('thousands of errors in one request', () => {
  it('are limited to a hundred in the answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`x${i}`, 1]))

    for (const answer of [
      await caller.rest('POST', '/org/features', { key: 'a', name: 'A', kind: 'flag', ...many }),
      await caller.rest('POST', '/org/plans', { key: 'a', name: 'A', grants: many }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.error.details.fields).toHaveLength(100)
    }
    expect(await caller.rest('PATCH', '/org/subscribers/acme', many)).toMatchObject({ status: 200 })
  })
})

describe('many errors that quote the same long name', () => {
  const wrong = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}`, 1]))

  it('are limited to 64 KB in the answer, which reports at least one of them', async () => {
    for (const length of [10_000, 900_000]) {
      const grants = { ['a'.repeat(length)]: { kind: 'flag', ...wrong } }
      const { status, body } = await caller.rest('POST', '/org/plans', { key: 'a', name: 'A', grants })

      expect(status).toBe(422)
      expect(body.error.details.fields.length).toBeGreaterThan(0)
      expect(JSON.stringify(body).length).toBeLessThan(120_000)
    }
  })

  it('do not make the answer to a preview of 200 changes many times as long as the request', async () => {
    const grants = { ['a'.repeat(4_000)]: { kind: 'flag', ...wrong } }
    const changes = Array.from({ length: 200 }, () => ({
      operation: 'create_plan',
      input: { key: 'a', name: 'A', grants },
    }))

    const { status, body } = await caller.rest('POST', '/org/catalog/preview', { changes })

    expect(status).toBe(200)
    expect(body.refusals).toHaveLength(200)
    expect(JSON.stringify(body).length).toBeLessThan(16 * 1024 * 1024)
  })
})

describe('a field that is sent twice', () => {
  it('has its last value, as JSON parsers define', async () => {
    const answer = await caller.rest('PATCH', '/org/subscribers/acme', '{"name":5,"name":"B"}')

    expect(answer).toMatchObject({ status: 200, body: { name: 'B' } })
  })
})
