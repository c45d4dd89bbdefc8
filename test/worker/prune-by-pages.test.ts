import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { pruneFeatureUsage } from '../../worker/jobs/prune-feature-usage.ts'
import { pruneVersions } from '../../worker/jobs/prune-versions.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'

const test = await startDeliveryTest()
const { pool } = test.service.database
const running = new AbortController().signal

/** A pool that stops the pruning after its first statement that reads this table. */
function stopAfterFirst(table: string) {
  const stopping = new AbortController()
  const query = async (text: string, values?: unknown[]) => {
    const result = await pool.query(text, values)
    if (text.includes(`delete from ${table}`)) stopping.abort()
    return result
  }
  return { pool: { query } as never, signal: stopping.signal }
}

it('counts of checks by feature are pruned in statements that each read a part of the table', async () => {
  const organizationId = newId()
  const insert = (prefix: string, count: number, daysAgo: number) =>
    pool.query(
      `insert into feature_usage_day (organization_id, feature_key, date, granted, denied)
       select $1, $2 || n, current_date - $3::int, 1, 0 from generate_series(1, $4::int) n`,
      [organizationId, prefix, daysAgo, count],
    )
  await insert('kept', 5_000, 1)
  await insert('old', 2, 102)
  const clock = createTestClock()

  expect(await pruneFeatureUsage({ ...stopAfterFirst('feature_usage_day'), clock })).toBe(0)
  expect(await pruneFeatureUsage({ pool, clock, signal: running })).toBe(2)

  const { rows } = await pool.query('select count(*)::int as n from feature_usage_day where organization_id = $1', [
    organizationId,
  ])
  expect(rows).toEqual([{ n: 5_000 }])
})

it('versions are pruned in statements that each read a part of a table', async () => {
  const organizationId = newId()
  const insert = (prefix: string, count: number, daysAgo: number) =>
    pool.query(
      `insert into former_feature (organization_id, feature_key, deleted_at, kind, created_at)
       select $1, $2 || n, now() - $3::int * interval '1 day', 'flag', now() - interval '200 days'
         from generate_series(1, $4::int) n`,
      [organizationId, prefix, daysAgo, count],
    )
  await insert('kept', 5_000, 1)
  await insert('old', 2, 31)
  const count = async () => {
    const { rows } = await pool.query('select count(*)::int as n from former_feature where organization_id = $1', [
      organizationId,
    ])
    return rows[0].n
  }
  const clock = createTestClock()

  await pruneVersions({ ...stopAfterFirst('former_feature'), clock, retentionDays: 30 })
  expect(await count()).toBe(5_002)

  await pruneVersions({ pool, clock, retentionDays: 30, signal: running })
  expect(await count()).toBe(5_000)
})
