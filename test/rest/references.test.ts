import { describe, expect, it } from 'vitest'
import { importLines } from '../support/import.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { type Caller, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

// A database of its own: the test waits for locks, and locks whole tables.
const service = await startService({ DATABASE_URL: await createOwnDatabase() })

/** Plans and features that a subscription or an override would refer to, but that do not exist. */
async function findDanglingReferences({ organizationId }: Caller): Promise<string[]> {
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

/** The number of locks that statements in this database wait for. */
async function countWaiting(): Promise<number> {
  const { rows } = await service.database.pool.query<{ count: number }>(
    'select count(*)::int from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())',
  )
  return rows[0]?.count ?? 0
}

describe('a plan or a feature', () => {
  it.each([
    [
      'a subscription',
      'plans/pro',
      (caller: Caller) => caller.rest('POST', '/org/subscribers/acme/subscriptions', { plan_id: 'pro' }),
    ],
    [
      'an override',
      'features/sso',
      (caller: Caller) => caller.rest('PUT', '/org/subscribers/acme/overrides/sso', { kind: 'flag', allowed: true }),
    ],
    [
      'an imported subscription',
      'plans/pro',
      (caller: Caller) => importLines(caller, [{ subscriber_id: 'acme', plan_id: 'pro' }]),
    ],
    [
      'an imported override',
      'features/sso',
      (caller: Caller) =>
        importLines(caller, [{ subscriber_id: 'acme', overrides: { sso: { kind: 'flag', allowed: true } } }]),
    ],
  ])('cannot be deleted while %s is being written', async (_what, path, write) => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.plan('pro')
    await setup.subscriber('acme')
    const other = await service.database.pool.connect()
    await other.query('begin')
    await other.query('lock table subscription, override in share mode')

    const writing = write(caller)
    await until(async () => (await countWaiting()) > 0)
    let isAnswered = false
    const deleting = caller.rest('DELETE', `/org/${path}`).finally(() => {
      isAnswered = true
    })
    await until(async () => isAnswered || (await countWaiting()) > 1)
    await other.query('rollback')
    other.release()

    expect((await writing).status).toBeLessThan(300)
    expect((await deleting).status).toBe(409)
    expect(await findDanglingReferences(caller)).toEqual([])
  })
})

describe('a manual SQL statement', () => {
  it('cannot delete, or change the key of, a plan with subscriptions or a feature with overrides', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.features()
    await setup.plan('pro')
    await setup.subscriber('acme')
    await setup.subscribe('acme', 'pro')
    await setup.override('acme', 'sso', { kind: 'flag', allowed: true })
    const run = (sql: string) =>
      service.database.pool.query(`${sql} where organization_id = $1`, [caller.organizationId])

    await expect(run('delete from plan')).rejects.toThrow('plan "pro" has subscriptions')
    await expect(run(`update plan set plan_key = 'max'`)).rejects.toThrow('plan "pro" has subscriptions')
    await expect(run('delete from feature')).rejects.toThrow('feature "sso" has overrides')
    await expect(run(`update feature set feature_key = feature_key || '2'`)).rejects.toThrow('feature "sso" has')
    await expect(run('delete from organization')).rejects.toThrow('foreign key')
  })
})
