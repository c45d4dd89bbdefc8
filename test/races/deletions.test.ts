import { describe, expect, it } from 'vitest'
import { startPatientService } from '../support/patient-service.ts'
import { race, times, untilOthersWaitFor } from '../support/race.ts'
import { type Caller, callerOf } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startPatientService()
const other = await startPatientService()

const flag = { kind: 'flag', allowed: true }

/** Races a deletion against writes that refer to the object, in both orders. `check` gets the codes of the answers. */
async function raceDeletion(
  set: (caller: Caller) => Promise<void>,
  deletion: string,
  referring: ((caller: Caller) => ReturnType<Caller['rest']>)[],
  check: (deleted: number | string, referred: (number | string)[], caller: Caller) => Promise<void> | void,
): Promise<void> {
  for (const round of times(8, (index) => index)) {
    const caller = await service.organization()
    const there = callerOf(other.url, caller)
    await set(caller)
    const requests = referring.map((refer) => () => refer(there))
    const remove = () => caller.rest('DELETE', deletion)
    const first = round % 2 === 0

    const { answers } = await race(first ? [remove, ...requests] : [...requests, remove])

    const codes = answers.map(({ status, body }) => body?.error?.code ?? status)
    for (const code of codes) expect(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']).not.toContain(code)
    const deleted = first ? codes.shift() : codes.pop()
    await check(deleted, codes, caller)
  }
}

describe('deleting a feature', () => {
  it('while an override of it is written: one of the two requests is refused', async () => {
    await raceDeletion(
      async (caller) => {
        await vendor(caller).feature('sso')
        await vendor(caller).subscriber('acme')
      },
      '/org/features/sso',
      [(caller) => caller.rest('PUT', '/org/subscribers/acme/overrides/sso', flag)],
      (deleted, [put]) => expect([`204 NOT_FOUND`, `CONFLICT 200`]).toContain(`${deleted} ${put}`),
    )
  })

  it('while it is granted in a new and an old plan: the feature is either deleted or granted', async () => {
    await raceDeletion(
      async (caller) => {
        await vendor(caller).feature('sso')
        await vendor(caller).plan('old')
      },
      '/org/features/sso',
      [
        (caller) => caller.rest('POST', '/org/plans', { key: 'new', name: 'N', grants: { sso: { kind: 'flag' } } }),
        (caller) => caller.rest('PATCH', '/org/plans/old', { grants: { sso: { kind: 'flag' } } }),
      ],
      (deleted, granted) => {
        if (deleted === 204) expect(granted).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR'])
        else expect([deleted, granted.some((status) => status === 200 || status === 201)]).toEqual(['CONFLICT', true])
      },
    )
  })
})

describe('deleting a plan', () => {
  it('while a subscriber subscribes to it: one of the two requests is refused', async () => {
    await raceDeletion(
      async (caller) => {
        await vendor(caller).plan('pro')
        await vendor(caller).plan('free')
        for (const id of ['a', 'b']) await vendor(caller).subscriber(id)
        await vendor(caller).subscribe('b', 'free')
      },
      '/org/plans/pro',
      [
        (caller) => caller.rest('POST', '/org/subscribers/a/subscriptions', { plan_id: 'pro' }),
        (caller) => caller.rest('POST', '/org/subscribers/b/subscriptions/change', { plan_id: 'pro' }),
      ],
      (deleted, subscribed) => {
        if (deleted === 204) expect(subscribed).toEqual(['NOT_FOUND', 'NOT_FOUND'])
        else
          expect([deleted, subscribed.some((status) => status === 200 || status === 201)]).toEqual(['CONFLICT', true])
      },
    )
  })

  it('while deleting the only subscriber who ever had it: the plan stays', async () => {
    await raceDeletion(
      async (caller) => {
        await vendor(caller).plan('pro')
        await vendor(caller).subscriber('acme')
        await vendor(caller).subscribe('acme', 'pro')
      },
      '/org/plans/pro',
      [(caller) => caller.rest('DELETE', '/org/subscribers/acme')],
      (deleted, [gone]) => expect([deleted, gone]).toEqual(['CONFLICT', 204]),
    )
  })
})

describe('deleting a subscriber', () => {
  it('while everything that belongs to it is written: nothing of the subscriber remains', async () => {
    await raceDeletion(
      async (caller) => {
        await vendor(caller).feature('sso')
        await vendor(caller).feature('seats', { kind: 'limit' })
        await vendor(caller).plan('pro')
        await vendor(caller).subscriber('acme')
        await vendor(caller).override('acme', 'sso', flag)
      },
      '/org/subscribers/acme',
      [
        (caller) => caller.rest('POST', '/org/subscribers/acme/subscriptions', { plan_id: 'pro' }),
        (caller) => caller.rest('PUT', '/org/subscribers/acme/overrides/sso', { ...flag, allowed: false }),
        (caller) => caller.rest('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit: 1 }),
        (caller) => caller.rest('PATCH', '/org/subscribers/acme', { name: 'Acme' }),
        (caller) => caller.rest('DELETE', '/org/subscribers/acme/overrides/sso'),
      ],
      async (deleted, _written, caller) => {
        expect(deleted).toBe(204)
        await vendor(caller).subscriber('acme')
        expect(await vendor(caller).get('/org/subscribers/acme/entitlements')).toMatchObject({ plan: null })
        expect(await vendor(caller).get('/org/subscribers/acme/overrides?include_expired=true')).toEqual({
          overrides: [],
        })
      },
    )
  })

  it.each([
    ['a', true],
    ['b', false],
  ])(
    'locks the plan "a" before the plan "b": while it waits for "%s", the other plan is unlocked: %s',
    async (held, isFree) => {
      const caller = await service.organization()
      const setup = vendor(caller)
      // The plans are not created in the order of their keys.
      for (const plan of ['b', 'a']) await setup.plan(plan)
      await setup.subscriber('acme')
      await setup.subscribe('acme', 'b')
      await caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'a' })
      const lock = 'select 1 from plan where organization_id = $1 and plan_key = $2 for no key update'
      const holder = await service.database.pool.connect()
      await holder.query('begin')
      await holder.query(lock, [caller.organizationId, held])

      const deletion = caller.rest('DELETE', '/org/subscribers/acme')
      await untilOthersWaitFor(holder)
      const other = `${lock} skip locked`
      const { rowCount } = await service.database.pool.query(other, [caller.organizationId, held === 'a' ? 'b' : 'a'])
      await holder.query('commit')
      holder.release()

      expect(rowCount).toBe(isFree ? 1 : 0)
      expect((await deletion).status).toBe(204)
    },
  )

  it('does not deadlock for many subscribers of the same plans at once', async () => {
    const caller = await service.organization()
    const there = callerOf(other.url, caller)
    const plans = ['a', 'b', 'c']
    for (const plan of plans) await vendor(caller).plan(plan)
    for (const id of times(12, (i) => `s${i}`)) {
      await vendor(caller).subscriber(id)
      await vendor(caller).subscribe(id, 'c')
      for (const plan of ['b', 'a'])
        await caller.rest('POST', `/org/subscribers/${id}/subscriptions/change`, { plan_id: plan })
    }

    const { tally } = await race([
      ...times(12, (i) => () => (i % 2 ? caller : there).rest('DELETE', `/org/subscribers/s${i}`)),
      ...plans.flatMap((plan) => [
        () => there.rest('PATCH', `/org/plans/${plan}`, { name: 'New' }),
        () => caller.rest('POST', `/org/plans/${plan}/archive`),
        () => there.rest('DELETE', `/org/plans/${plan}`),
      ]),
    ])

    expect(tally).toEqual({ 204: 12, 200: 6, '409 CONFLICT': 3 })
  })
})

describe('a command that deletes or moves an organization', () => {
  it.each<[string, string, object]>([
    ['PUT', '/org/webhook', { url: 'https://example.org/hook' }],
    ['POST', '/org/service-accounts', { name: 'Robot', role: 'evaluator' }],
    ['POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' }],
    ['POST', '/org/plans', { key: 'pro', name: 'Pro' }],
  ])(
    'can lock the members after the organization while %s %s waits for the organization',
    async (method, path, body) => {
      const caller = await service.organization()
      const command = await service.database.pool.connect()
      await command.query('begin')
      await command.query('select from organization where organization_id = $1 for update', [caller.organizationId])

      const answer = caller.rest(method, path, body)
      await untilOthersWaitFor(command)
      const { rows } = await command.query('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isLocked"', [
        `${caller.organizationId}/${caller.memberId}`,
      ])
      await command.query('commit')
      command.release()

      expect(rows).toEqual([{ isLocked: true }])
      expect((await answer).status).toBeLessThan(300)
    },
  )
})

describe('requests of every kind at once in one organization', () => {
  it('never deadlock and get no 5xx', async () => {
    const caller = await service.organization()
    const there = callerOf(other.url, caller)
    const keys = ['a', 'b', 'c']
    const rest = (i: number, method: string, path: string, body?: unknown) => () =>
      (i % 2 ? caller : there).rest(method, path, body)
    const flagGrants = (list: string[]) => Object.fromEntries(list.map((key) => [key, { kind: 'flag' }]))

    const { tally } = await race(
      times(5, (round) =>
        keys.flatMap((key, i) => [
          rest(round, 'POST', '/org/features', { key, name: key, kind: 'flag' }),
          rest(i, 'POST', '/org/plans', { key, name: key, grants: flagGrants([key]) }),
          rest(i, 'PATCH', `/org/plans/${key}`, { grants: flagGrants(round % 2 ? keys : keys.toReversed()) }),
          rest(round, 'POST', '/org/subscribers', { subscriber_id: key }),
          rest(i, 'PUT', `/org/subscribers/${key}/overrides/${keys[round % 3]}`, flag),
          rest(round, 'POST', `/org/subscribers/${key}/subscriptions`, { plan_id: keys[(i + round) % 3] }),
          rest(i, 'POST', `/org/subscribers/${key}/subscriptions/change`, { plan_id: keys[round % 3] }),
          rest(round, 'DELETE', `/org/subscribers/${key}/overrides/${key}`),
          rest(i, 'PATCH', `/org/features/${key}`, { name: `${key}${round}` }),
          rest(i, 'DELETE', `/org/features/${key}`),
          rest(round, 'DELETE', `/org/plans/${key}`),
          rest(i, 'DELETE', `/org/subscribers/${key}`),
          rest(round, 'GET', `/org/subscribers/${key}/entitlements`),
        ]),
      ).flat(),
    )

    for (const kind of Object.keys(tally)) expect(kind).toMatch(/^[24]/)
  })
})
