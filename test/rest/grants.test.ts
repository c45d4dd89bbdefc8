import { describe, expect, it } from 'vitest'
import { expectInvalid } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { grantOfEach as grants, vendor } from '../support/vendor.ts'

const service = await sharedService()

/** A vendor with a feature of each kind: `sso`, `seats`, `color`. */
async function organizationWithFeatures(): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).features()
  return caller
}

describe('a grant', () => {
  it.each<[string, string, unknown, [string, RegExp]]>([
    ['that is not an object', 'sso', true, ['grants.sso', /must be a grant: an object such as {"kind":"flag"}/]],
    ['that is a list', 'sso', [], ['grants.sso', /must be a grant/]],
    ['without kind', 'sso', { allowed: true }, ['grants.sso.kind', /is required: a grant is {"kind":"flag"}, /]],
    ['of an unknown kind', 'sso', { kind: 'toggle' }, ['grants.sso.kind', /one of flag, limit, config/]],
    ['whose kind is null', 'sso', { kind: null }, ['grants.sso.kind', /one of flag, limit, config/]],
    [
      'of a flag with allowed',
      'sso',
      { kind: 'flag', allowed: true },
      ['grants.sso.allowed', /not allowed for kind flag: a grant of a flag is {"kind":"flag"}\.$/],
    ],
    ['of a limit without limit', 'seats', { kind: 'limit' }, ['grants.seats.limit', /required/]],
    ['of a negative limit', 'seats', { kind: 'limit', limit: -1 }, ['grants.seats.limit', /integer from 0/]],
    ['of a fractional limit', 'seats', { kind: 'limit', limit: 1.5 }, ['grants.seats.limit', /integer from 0/]],
    ['of a limit that is a string', 'seats', { kind: 'limit', limit: '5' }, ['grants.seats.limit', /integer from 0/]],
    ['of a limit with a value', 'seats', { kind: 'limit', limit: 1, value: 1 }, ['grants.seats.value', /not allowed/]],
    ['of a config without value', 'color', { kind: 'config' }, ['grants.color.value', /required/]],
    [
      'of a config whose value is null',
      'color',
      { kind: 'config', value: null },
      ['grants.color.value', /must not be null/],
    ],
    [
      'of an option that does not exist',
      'color',
      { kind: 'config', value: 'pink' },
      ['grants.color.value', /one of red, green/],
    ],
    ["of a kind that is not the feature's", 'sso', { kind: 'limit', limit: 1 }, ['grants.sso.kind', /must be flag/]],
    ['of a misspelled limit', 'seats', { kind: 'limit', limt: 1 }, ['grants.seats.limt', /did you mean "limit"/]],
    ['of a misspelled kind', 'seats', { knd: 'limit', limit: 1 }, ['grants.seats.knd', /did you mean "kind"/]],
    ['of a limit given twice', 'seats', { kind: 'limit', limit: 1, Limit: 2 }, ['grants.seats.Limit', /"limit"/]],
    ['of a flag with a misspelled limit', 'sso', { kind: 'flag', limt: 1 }, ['grants.sso.limt', /not allowed/]],
    ['for a feature that is unknown', 'nope', { kind: 'flag' }, ['grants.nope', /no feature/]],
    ['for a key that no feature can have', 'No pe', { kind: 'flag' }, ['grants.No pe', /no feature/]],
  ])('%s is 422 with one detail, and nothing changes', async (_case, feature, grant, field) => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const body = { key: 'other', name: 'Other', grants: { ...grants, [feature]: grant } }
    expectInvalid(await caller.rest('POST', '/org/plans', body), field)
    expectInvalid(await caller.rest('PATCH', '/org/plans/pro', { name: 'New', grants: body.grants }), field)
    expect(await vendor(caller).get('/org/plans?include_archived=1')).toEqual({ plans: [before] })
  })

  it.each<[string, unknown, unknown, RegExp]>([
    ['string', 'x'.repeat(4096), 'x'.repeat(4097), /at most 4096 characters/],
    ['string', '', 5, /must be a string/],
    ['number', 1.5e-7, '1', /must be a number/],
    ['number', -9007199254740991, 9007199254740992, /2\^53/],
    ['boolean', false, 0, /must be true or false/],
    ['json', 'x'.repeat(65_534), 'x'.repeat(65_535), /at most 65536 bytes/],
    ['json', nested(32), nested(33), /too deep/],
  ])('of a config of type %s accepts only values within the bounds', async (valueType, right, wrong, message) => {
    const caller = await service.organization()
    await vendor(caller).feature('it', { kind: 'config', value_type: valueType })

    const plan = await vendor(caller).plan('pro', { it: { kind: 'config', value: right } })
    expect(plan.grants.it.value).toEqual(right)
    const body = { key: 'b', name: 'b', grants: { it: { kind: 'config', value: wrong } } }
    expectInvalid(await caller.rest('POST', '/org/plans', body), ['grants.it.value', message])
  })
})

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)]
}
