import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOwnDatabase } from '../support/own-database.ts'

const client = new pg.Client({ connectionString: await createOwnDatabase() })

beforeAll(async () => {
  await client.connect()
  const timesAndRows = 'now(), now() from generate_series(1, 3000) n'
  await client.query(`
    insert into organization (organization_id, name, created_at, updated_at) select 'o' || n, '', ${timesAndRows};
    insert into feature (organization_id, feature_key, name, description, kind, created_at, updated_at)
      select 'o' || n, 'seats', '', '', 'limit', ${timesAndRows};
    insert into plan (organization_id, plan_key, name, created_at, updated_at) select 'o' || n, 'pro', '', ${timesAndRows};
    insert into subscriber (organization_id, subscriber_id, created_at, updated_at) select 'o' || n, 'acme', ${timesAndRows};
    insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
      select 'o' || n, 's', 'acme', 'pro', now() from generate_series(1, 3000) n;
    insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
      select 'o' || n, 'acme', 'seats', 'r', 'limit', 1, ${timesAndRows};
    analyze;
    set plan_cache_mode = force_generic_plan`)
})
afterAll(() => client.end())

describe('in a database of many organizations with one row each,', () => {
  it.each([
    ['subscriber', ['subscriber_id']],
    ['override', ['subscriber_id', 'feature_key']],
    ['override', ['override_id']],
    ['subscription', ['subscription_id']],
  ])('a row of %s is looked up by its whole key, %j', async (table, key) => {
    const columns = ['organization_id', ...key]
    const name = `${table}_by_${key.join('_')}`
    const where = columns.map((column, index) => `${column} = $${index + 1}`).join(' and ')
    await client.query(
      `prepare ${name} (${columns.map(() => 'text').join()}) as select 1 from ${table} where ${where} for key share`,
    )

    const { rows } = await client.query(`explain execute ${name} (${columns.map(() => `'x'`).join()})`)

    const condition = columns.map((column, index) => `(${column} = $${index + 1})`).join(' AND ')
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`Index Cond: (${condition})`)
  })
})
