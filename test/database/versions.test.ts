import { expect, it } from 'vitest'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { pool } = service.database

type Item = Record<'cause' | 'from' | 'to' | 'by' | 'at', never>

it('versions are also stored for writes of an older release that does not know them', async () => {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('seats', { kind: 'limit' })
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  const { created_at } = await setup.override('acme', 'seats', { kind: 'limit', limit: 7 })
  // Sends the statements as that release does: without an actor, a time and a cause.
  const run = (sql: string) => pool.query(sql, [caller.organizationId])
  await run(`update override set "limit" = 8, updated_at = clock_timestamp() where organization_id = $1`)
  const { updated_at } = await setup.get('/org/subscribers/acme/overrides/seats')
  await run('update override set expiry_marked = true where organization_id = $1')
  await run('delete from override where organization_id = $1')
  await pool.query('select pg_sleep(0.002)')
  await run('delete from plan_grant where organization_id = $1')
  await pool.query('select pg_sleep(0.002)')
  await run(
    `insert into plan_grant (organization_id, plan_key, feature_key, kind, "limit") values ($1, 'pro', 'seats', 'limit', 6)`,
  )

  const { history } = await setup.get('/org/subscribers/acme/history?feature=seats')

  const sideOf = ({ source, limit }: { source: string; limit: number }) => `${source}:${limit}`
  expect(history.map(({ cause, from, to, by }: Item) => [cause, sideOf(from), sideOf(to), by === null])).toEqual([
    ['plan', 'none:0', 'plan:6', true],
    ['plan', 'plan:5', 'none:0', true],
    ['override', 'override:8', 'plan:5', true],
    ['override', 'override:7', 'override:8', false],
    ['override', 'plan:5', 'override:7', false],
    ['subscription', 'none:0', 'plan:5', false],
  ])
  expect(history.slice(3, 5).map(({ at }: Item) => at)).toEqual([updated_at, created_at])
})
