import { describe, expect, it } from 'vitest'
import { importLines } from '../support/import.ts'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()

const rounds = 8

/** Plans and features that a subscription or an override refers to, and that do not exist. */
async function dangling({ organizationId }: Caller): Promise<string[]> {
  const { rows } = await service.database.pool.query<{ key: string }>(
    `select plan_key as key from subscription s
      where organization_id = $1
        and not exists (select from plan p where p.organization_id = $1 and p.plan_key = s.plan_key)
     union all
     select feature_key from override o
      where organization_id = $1
        and not exists (select from feature f where f.organization_id = $1 and f.feature_key = o.feature_key)`,
    [organizationId],
  )
  return rows.map(({ key }) => key)
}

describe('a plan or a feature that is deleted while others refer to it', () => {
  it.each([
    [
      'a subscription',
      'plans/pro',
      (caller: Caller, id: string) => caller.rest('POST', `/org/subscribers/${id}/subscriptions`, { plan_id: 'pro' }),
    ],
    [
      'an override',
      'features/sso',
      (caller: Caller, id: string) =>
        caller.rest('PUT', `/org/subscribers/${id}/overrides/sso`, { kind: 'flag', allowed: true }),
    ],
    [
      'an import',
      'plans/pro',
      (caller: Caller, id: string) => importLines(caller, [{ subscriber_id: id, plan_id: 'pro' }]),
    ],
  ])('goes, or stays with %s', async (_what, path, refer) => {
    const caller = await service.organization()
    const given = vendor(caller)
    const outcomes = new Set<number>()

    for (let round = 0; round < rounds; round++) {
      const exists = (await caller.rest('GET', `/org/${path}`)).status === 200
      if (!exists) await (path === 'plans/pro' ? given.plan('pro') : given.feature('sso'))
      const ids = [1, 2, 3].map((number) => `s${round}-${number}`)
      for (const id of ids) await given.subscriber(id)
      const [deleted] = await Promise.all([
        caller.rest('DELETE', `/org/${path}`),
        ...ids.map((id) => refer(caller, id)),
      ])
      outcomes.add(deleted.status)
      expect(await dangling(caller)).toEqual([])
      for (const id of ids) await caller.rest('DELETE', `/org/subscribers/${id}/overrides/sso`)
      if (deleted.status === 409 && path === 'plans/pro') break
    }

    expect([...outcomes].every((status) => [204, 409].includes(status))).toBe(true)
  })
})

describe('a statement by hand', () => {
  it('cannot delete a plan with subscriptions, nor a feature with overrides, nor change their keys', async () => {
    const caller = await service.organization()
    const given = vendor(caller)
    await given.features()
    await given.plan('pro')
    await given.subscriber('acme')
    await given.subscribe('acme', 'pro')
    await given.override('acme', 'sso', { kind: 'flag', allowed: true })
    const run = (sql: string) =>
      service.database.pool.query(`${sql} where organization_id = $1`, [caller.organizationId])

    await expect(run('delete from plan')).rejects.toThrow('plan "pro" has subscriptions')
    await expect(run(`update plan set plan_key = 'max'`)).rejects.toThrow('plan "pro" has subscriptions')
    await expect(run('delete from feature')).rejects.toThrow('feature "sso" has overrides')
    await expect(run(`update feature set feature_key = feature_key || '2'`)).rejects.toThrow('feature "sso" has')
    await expect(run('delete from organization')).rejects.toThrow('foreign key')
  })
})
