import { describe, expect, it } from 'vitest'
import { timestamp } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService()

describe('POST /org/features', () => {
  it('creates a flag with an empty description when none was set, and no value_type or options', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/features', { key: 'sso', name: 'Single sign-on', kind: 'flag' })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      key: 'sso',
      name: 'Single sign-on',
      description: '',
      kind: 'flag',
      created_at: timestamp,
      updated_at: timestamp,
    })
    expect(answer.body.updated_at).toBe(answer.body.created_at)
    expect(await vendor(caller).get('/org/features/sso')).toEqual(answer.body)
  })

  it.each(['string', 'number', 'boolean', 'json'])('creates a config feature of value_type %s', async (valueType) => {
    const caller = await service.organization()

    const body = { key: 'theme', name: 'Theme', description: 'Look', kind: 'config', value_type: valueType }
    const answer = await caller.rest('POST', '/org/features', body)

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ ...body, created_at: timestamp, updated_at: timestamp })
  })

  it('creates an enum and keeps its options in display order', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/features', { key: 'color', name: 'Color', ...colors })

    expect(answer.status).toBe(201)
    const body = { key: 'color', name: 'Color', description: '', ...colors }
    expect(answer.body).toEqual({ ...body, created_at: timestamp, updated_at: timestamp })
  })

  it('refuses a duplicate key with 409 and keeps the first feature', async () => {
    const caller = await service.organization()
    const first = await vendor(caller).feature('sso')

    const answer = await caller.rest('POST', '/org/features', { key: 'sso', name: 'Other', kind: 'limit' })

    expectRefusal(answer, 'CONFLICT', { field: 'key', value: 'sso' })
    expect(await vendor(caller).get('/org/features')).toEqual({ features: [first] })
  })

  it.each<[string, object, [string, RegExp][]]>([
    [
      'no body',
      {},
      [
        ['key', /^key is required/],
        ['name', /^name is required/],
        ['kind', /^kind is required/],
      ],
    ],
    ['a key of 65 characters', { key: 'k'.repeat(65) }, [['key', /^key must be 1 to 64/]]],
    ['an empty key', { key: '' }, [['key', /^key must be/]]],
    ['upper case in a key', { key: 'Sso' }, [['key', /^key must be/]]],
    ['a key with a line break at its end', { key: 'sso\n' }, [['key', /^key must be/]]],
    ['a key that is not a string', { key: 5 }, [['key', /^key must be/]]],
    ['an empty name', { name: '' }, [['name', /^name must be a string of 1 to 255/]]],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, [['name', /^name must be/]]],
    ['a name that is null', { name: null }, [['name', /^name must be/]]],
    ['a description of 2001 characters', { description: 'd'.repeat(2001) }, [['description', /at most 2000/]]],
    ['a description that is null', { description: null }, [['description', /at most 2000/]]],
    ['an unknown kind', { kind: 'toggle' }, [['kind', /one of flag, limit, config/]]],
    ['a value_type for a flag', { value_type: 'string' }, [['value_type', /not allowed for kind flag/]]],
    ['options for a limit', { kind: 'limit', options: ['a'] }, [['options', /only allowed for .*enum/]]],
    ['an unknown value_type, for a flag', { value_type: 'date' }, [['value_type', /not allowed for kind flag/]]],
    ['the value_type enum for a flag', { value_type: 'enum' }, [['value_type', /not allowed for kind flag/]]],
    ['options of the wrong form, for a flag', { options: 'red' }, [['options', /only allowed/]]],
    [
      'a long name and no value_type',
      { kind: 'config', name: 'x'.repeat(256) },
      [
        ['name', /255/],
        ['value_type', /required/],
      ],
    ],
    ['no value_type for a config', { kind: 'config' }, [['value_type', /required for kind config/]]],
    ['a value_type that is null', { kind: 'config', value_type: null }, [['value_type', /one of string, number/]]],
    ['an unknown value_type', { kind: 'config', value_type: 'date' }, [['value_type', /one of string, number/]]],
    ['no options for an enum', { kind: 'config', value_type: 'enum' }, [['options', /required for value_type enum/]]],
    ['options for a string', { ...colors, value_type: 'string' }, [['options', /only allowed/]]],
    ['an empty list of options', { ...colors, options: [] }, [['options', /1 to 100 unique strings/]]],
    ['101 options', { ...colors, options: Array.from({ length: 101 }, (_, i) => `${i}`) }, [['options', /1 to 100/]]],
    ['duplicate options', { ...colors, options: ['a', 'b', 'a'] }, [['options', /1 to 100 unique/]]],
    [
      'wrong elements of options, as one detail',
      { ...colors, options: ['', 5, 'x'.repeat(256)] },
      [['options', /1 to 100/]],
    ],
    ['options that are not a list', { ...colors, options: 'red' }, [['options', /1 to 100/]]],
    ['an unknown field', { color: 'red' }, [['color', /Unknown field "color"/]]],
    ['a misspelled optional field', { descripton: '' }, [['descripton', /Did you mean "description"\?/]]],
    ['a field that the service sets', { created_at: '2026-01-01T00:00:00Z' }, [['created_at', /created_at/]]],
  ])('refuses %s with 422, and creates nothing', async (_case, wrong, fields) => {
    const caller = await service.organization()
    const body = Object.keys(wrong).length === 0 ? {} : { key: 'sso', name: 'SSO', kind: 'flag', ...wrong }

    const answer = await caller.rest('POST', '/org/features', body)

    expectInvalid(answer, ...fields)
    expect(await vendor(caller).get('/org/features')).toEqual({ features: [] })
  })

  it('reports a misspelled required field with one detail, under the name that was sent', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/features', { Key: 'sso', name: 'SSO', kind: 'flag' })

    expectInvalid(answer, ['Key', /Did you mean "key"\?/])
  })

  it('counts lengths in Unicode code points', async () => {
    const caller = await service.organization()
    const [name, description, option] = ['🚀'.repeat(255), '🚀'.repeat(2000), '🚀'.repeat(255)]

    const fields = { ...colors, name, description, options: [option] }
    expect(await vendor(caller).feature('k'.repeat(64), fields)).toMatchObject(fields)
    expectInvalid(
      await caller.rest('POST', '/org/features', { ...fields, key: 'b', name: `${name}🚀`, options: [`${option}🚀`] }),
      ['name', /1 to 255/],
      ['options', /each of 1 to 255/],
    )
  })
})

describe('GET /org/features', () => {
  it('lists the whole catalog, newest first', async () => {
    const caller = await service.organization()
    for (const key of ['b', 'a', 'c']) await vendor(caller).feature(key)

    const { features } = await vendor(caller).get('/org/features')

    expect(features.map(({ key }: { key: string }) => key)).toEqual(['c', 'a', 'b'])
    expect(features[1]).toEqual(await vendor(caller).get('/org/features/a'))
  })

  it('is empty for a new organization, even if other organizations have features', async () => {
    await vendor(await service.organization()).feature('sso')

    expect(await vendor(await service.organization()).get('/org/features')).toEqual({ features: [] })
  })

  it('refuses all query parameters, with one detail for each', async () => {
    const caller = await service.organization('viewer')

    expectInvalid(
      await caller.rest('GET', '/org/features?limit=5&kind=&limit=6&__proto__=1'),
      ['limit', /^Unknown query parameter "limit"/],
      ['kind', /^Unknown query parameter "kind"/],
      ['__proto__', /^Unknown query parameter "__proto__"/],
    )
  })
})

describe('GET /org/features/{key}', () => {
  it.each(['nope', 'NOPE', 'a%20b', 'k'.repeat(65), '__proto__', 'constructor'])('is 404 for %s', async (key) => {
    const caller = await service.organization()

    const answer = await caller.rest('GET', `/org/features/${key}`)

    expectRefusal(answer, 'NOT_FOUND', { resource: 'feature', id: decodeURIComponent(key) })
  })
})

describe('PATCH /org/features/{key}', () => {
  it('changes the fields that are sent, keeps the others, and changes updated_at', async () => {
    const caller = await service.organization()
    const before = await vendor(caller).feature('color', { ...colors, description: 'Old' })

    const answer = await caller.rest('PATCH', '/org/features/color', { name: 'Colour', description: '' })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, name: 'Colour', description: '', updated_at: timestamp })
    expect(answer.body.updated_at > before.updated_at).toBe(true)
    expect(await vendor(caller).get('/org/features/color')).toEqual(answer.body)
  })

  it.each([{}, undefined, { name: 'color', options: colors.options }])(
    'keeps updated_at when %j changes nothing',
    async (body) => {
      const caller = await service.organization()
      const before = await vendor(caller).feature('color', colors)

      const answer = await caller.rest('PATCH', '/org/features/color', body)

      expect(answer).toMatchObject({ status: 200, body: before })
    },
  )

  it('always accepts added or reordered options, and the removal of unused ones', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('color', colors)
    await vendor(caller).plan('pro', { color: { kind: 'config', value: 'blue' } })

    const options = ['black', 'blue', 'red']
    const answer = await caller.rest('PATCH', '/org/features/color', { options })

    expect(answer).toMatchObject({ status: 200, body: { options } })
  })

  it.each<[string, object, [string, RegExp]]>([
    ['key', { key: 'other' }, ['key', /cannot be changed/]],
    ['kind', { kind: 'limit' }, ['kind', /cannot be changed/]],
    ['value_type', { value_type: 'string' }, ['value_type', /cannot be changed/]],
    ['an unknown field', { colour: 1 }, ['colour', /Unknown field "colour"/]],
    ['a misspelled field', { nmae: 'x' }, ['nmae', /Did you mean "name"\?/]],
    ['a name that is null', { name: null }, ['name', /name must be/]],
    ['options that are null', { options: null }, ['options', /1 to 100 unique/]],
    ['no option at all', { options: [] }, ['options', /1 to 100 unique/]],
    ['duplicate options', { options: ['red', 'red'] }, ['options', /1 to 100 unique/]],
  ])('refuses %s with 422 and changes nothing', async (_case, body, field) => {
    const caller = await service.organization()
    const before = await vendor(caller).feature('color', colors)

    expectInvalid(await caller.rest('PATCH', '/org/features/color', { description: 'New', ...body }), field)
    expect(await vendor(caller).get('/org/features/color')).toEqual(before)
  })

  it.each([{ kind: 'flag' }, { kind: 'config', value_type: 'string' }])(
    'refuses options for a feature with %j',
    async (fields) => {
      const caller = await service.organization()
      await vendor(caller).feature('plain', fields)

      const answer = await caller.rest('PATCH', '/org/features/plain', { name: 'New', options: ['a'] })

      expectInvalid(answer, ['options', /only allowed for kind config with value_type enum/])
      expect(await vendor(caller).get('/org/features/plain')).toMatchObject({ name: 'plain' })
    },
  )

  it('is 404 for an unknown key, but first 422 for a malformed body', async () => {
    const caller = await service.organization()

    expectInvalid(await caller.rest('PATCH', '/org/features/nope', { name: '' }), ['name', /1 to 255/])
    const answer = await caller.rest('PATCH', '/org/features/nope', { name: 'x', options: ['a'] })
    expectRefusal(answer, 'NOT_FOUND', { resource: 'feature', id: 'nope' })
  })
})
