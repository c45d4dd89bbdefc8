import { describe, expect, it } from 'vitest'
import { race, times, untilOthersWaitFor } from '../support/race.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, callerOf, sharedService, startService } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

/** Two servers on one database, which all races use. */
const service = await sharedService()
const other = await startService()

/** The same caller, alternating between the two servers. */
function alternateServers(caller: Caller): (index: number) => Caller {
  const there = callerOf(other.url, caller)
  return (index) => (index % 2 === 0 ? caller : there)
}

const subscriptions = '/org/subscribers/acme/subscriptions'

describe('one active subscription', () => {
  async function organization(): Promise<Caller> {
    const caller = await service.organization()
    for (const plan of ['a', 'b']) await vendor(caller).plan(plan)
    await vendor(caller).subscriber('acme')
    return caller
  }
  const activeOf = async (caller: Caller) =>
    (await vendor(caller).get(`${subscriptions}?limit=100`)).subscriptions.filter(
      ({ status }: { status: string }) => status === 'active',
    )

  it('is the result of twenty creates at once', async () => {
    const caller = await organization()
    const at = alternateServers(caller)

    const { answers, tally } = await race(times(20, (i) => () => at(i).rest('POST', subscriptions, { plan_id: 'a' })))

    expect(tally).toEqual({ 201: 1, '409 CONFLICT': 19 })
    const [active] = await activeOf(caller)
    expect(await activeOf(caller)).toHaveLength(1)
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error.details).toEqual({ field: 'subscription', value: active.id })
    }
  })

  it('remains after twenty changes at once, each of which cancels the previous one', async () => {
    const caller = await organization()
    const at = alternateServers(caller)
    await vendor(caller).subscribe('acme', 'a')

    const { tally } = await race(
      times(20, (i) => () => at(i).rest('POST', `${subscriptions}/change`, { plan_id: 'b' })),
    )

    expect(tally).toEqual({ 200: 20 })
    expect(await activeOf(caller)).toHaveLength(1)
    expect((await vendor(caller).get(`${subscriptions}?limit=100`)).subscriptions).toHaveLength(21)
  })

  it('or none remains after creates, changes and cancels at once', async () => {
    const caller = await organization()
    const at = alternateServers(caller)
    const { id } = await vendor(caller).subscribe('acme', 'a')

    const { tally } = await race([
      ...times(7, (i) => () => at(i).rest('POST', subscriptions, { plan_id: 'a' })),
      ...times(7, (i) => () => at(i).rest('POST', `${subscriptions}/change`, { plan_id: 'b' })),
      ...times(7, (i) => () => at(i).rest('POST', `${subscriptions}/${id}/cancel`)),
    ])

    for (const kind of Object.keys(tally)) expect(kind).toMatch(/^(200|201|409 CONFLICT)$/)
    expect((await activeOf(caller)).length).toBeLessThanOrEqual(1)
  })

  it('does not begin on a plan that is archived at the same time', async () => {
    const caller = await organization()
    const archiving = await service.database.pool.connect()
    await archiving.query('begin')
    await archiving.query(`update plan set archived_at = now() where organization_id = $1 and plan_key = 'a'`, [
      caller.organizationId,
    ])

    const answer = caller.rest('POST', subscriptions, { plan_id: 'a' })
    await untilOthersWaitFor(archiving)
    await archiving.query('commit')
    archiving.release()

    expectRefusal(await answer, 'PLAN_ARCHIVED', { resource: 'plan', id: 'a' })
    expect(await activeOf(caller)).toEqual([])
  })
})

describe('the unique key', () => {
  it.each<[string, string, object, string]>([
    ['feature', '/org/features', { key: 'one', name: 'One', kind: 'flag' }, 'key'],
    ['plan', '/org/plans', { key: 'one', name: 'One' }, 'key'],
    ['subscriber', '/org/subscribers', { subscriber_id: 'one' }, 'subscriber_id'],
  ])(
    'of a %s goes to one of twenty simultaneous requests, and the others are 409',
    async (_noun, path, body, field) => {
      const at = alternateServers(await service.organization())

      const { answers, tally } = await race(times(20, (i) => () => at(i).rest('POST', path, body)))

      expect(tally).toEqual({ 201: 1, '409 CONFLICT': 19 })
      for (const answer of answers) {
        if (answer.status === 409) expect(answer.body.error.details).toEqual({ field, value: 'one' })
      }
    },
  )

  it('of an override leaves one row after twenty puts at once', async () => {
    const caller = await service.organization()
    const at = alternateServers(caller)
    await vendor(caller).feature('seats', { kind: 'limit' })
    await vendor(caller).subscriber('acme')
    const path = '/org/subscribers/acme/overrides/seats'

    const { answers, tally } = await race(times(20, (i) => () => at(i).rest('PUT', path, { kind: 'limit', limit: i })))

    expect(tally).toEqual({ 200: 20 })
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(20)
  })

  it.each<[string, ...[method: string, path: string, body?: object][]]>([
    [
      'subscriber',
      ['POST', '/org/subscribers', { subscriber_id: 'one' }],
      ['DELETE', '/org/subscribers/one'],
      ['PATCH', '/org/subscribers/one', { name: 'One' }],
    ],
    [
      'plan',
      ['POST', '/org/plans', { key: 'one', name: 'One' }],
      ['DELETE', '/org/plans/one'],
      ['POST', '/org/plans/one/archive'],
    ],
    [
      'feature',
      ['POST', '/org/features', { key: 'one', name: 'One', kind: 'flag' }],
      ['DELETE', '/org/features/one'],
      ['PUT', '/org/subscribers/it/overrides/one', { kind: 'flag', allowed: true }],
      ['DELETE', '/org/subscribers/it/overrides/one'],
    ],
  ])('of a %s causes no unexpected error while many requests create and delete it', async (_noun, ...writes) => {
    const caller = await service.organization()
    const at = alternateServers(caller)
    await vendor(caller).subscriber('it')

    const { tally } = await race(
      times(160, (i) => () => {
        const [method, path, body] = writes[(i >> 1) % writes.length] as (typeof writes)[number]
        return at(i).rest(method, path, body)
      }),
    )

    for (const kind of Object.keys(tally)) {
      expect(kind).toMatch(/^(200|201|204|404 NOT_FOUND|409 CONFLICT|503 SERVICE_UNAVAILABLE)$/)
    }
  })
})

describe('an option', () => {
  it('is never removed while an override or grant uses it: one of the two is refused', async () => {
    for (let round = 0; round < 8; round++) {
      const caller = await service.organization()
      const at = alternateServers(caller)
      const setup = vendor(caller)
      await setup.feature('color', colors)
      await setup.plan('pro')
      await setup.subscriber('acme')
      const red = { kind: 'config', value: 'red' }

      const { answers } = await race([
        () => at(round).rest('PATCH', '/org/features/color', { options: ['green'] }),
        () => at(round + 1).rest('PUT', '/org/subscribers/acme/overrides/color', red),
        () => at(round).rest('PATCH', '/org/plans/pro', { grants: { color: red } }),
      ])

      const [removal, override, grant] = answers.map(({ status, body }) => body?.error?.code ?? status)
      if (removal === 200) expect([override, grant]).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR'])
      else {
        expect(removal).toBe('OPTION_IN_USE')
        expect([override, grant]).toContain(200)
      }
    }
  })
})
