import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { tablesOfDeployment, tablesOfPersons } from '../statements/tables.ts'

const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 })
afterAll(() => pool.end())

/** Indexes for look-ups before the organization is known, and for commands. They do not group rows of one organization. */
const exceptions = [
  '_prisma_migrations_pkey',
  'master_key_pkey',
  'signing_key_pkey',
  'eval_batch_pkey',
  'change_epoch_pkey',
  'api_key_key_hash_key',
  'invite_token_hash_key',
  'console_session_session_hash_key',
]

const withoutOrganization = [...tablesOfDeployment, ...tablesOfPersons]

async function columnsLeading(query: string): Promise<{ name: string; first: string }[]> {
  const { rows } = await pool.query<{ name: string; first: string }>(query)
  return rows
}

/** The names of indexes and constraints whose first column is not the organization. */
const withoutOrganizationFirst = (rows: { name: string; first: string }[]) =>
  rows
    .filter(({ first }) => first !== 'organization_id')
    .map(({ name }) => name)
    .toSorted()

describe('the organization of each row', () => {
  it('is the first column of each primary key and unique index', async () => {
    const indexes = await columnsLeading(`
      select i.relname as name, a.attname as first
        from pg_index x
        join pg_class i on i.oid = x.indexrelid
        join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
        join pg_class t on t.oid = x.indrelid
       where i.relnamespace = 'public'::regnamespace and x.indisunique
         and t.relname <> all('{${tablesOfPersons.join()}}')`)

    expect(indexes.length).toBeGreaterThan(20)
    expect(withoutOrganizationFirst(indexes)).toEqual(exceptions.toSorted())
  })

  it('is the first column of each foreign key, on both sides', async () => {
    for (const [relation, key] of [
      ['conrelid', 'conkey'],
      ['confrelid', 'confkey'],
    ]) {
      const keys = await columnsLeading(`
        select c.conname as name, a.attname as first
          from pg_constraint c
          join pg_attribute a on a.attrelid = c.${relation} and a.attnum = c.${key}[1]
         where c.connamespace = 'public'::regnamespace and c.contype = 'f'`)

      expect(keys.length).toBeGreaterThan(5)
      expect(withoutOrganizationFirst(keys)).toEqual([])
    }
  })

  it('never changes, so no foreign key cascades on update, which Citus would refuse', async () => {
    const { rows } = await pool.query(
      `select conname from pg_constraint
        where connamespace = 'public'::regnamespace and contype = 'f' and (confupdtype <> 'a' or not convalidated)`,
    )

    expect(rows).toEqual([])
  })

  it('is a not-null column of each table, except the listed tables', async () => {
    const { rows } = await pool.query(`
      select t.relname as table
        from pg_class t
       where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
         and not exists (select 1 from pg_attribute a
                          where a.attrelid = t.oid and a.attname = 'organization_id' and a.attnotnull)`)

    expect(rows.length).toBeGreaterThan(5)
    for (const { table } of rows) expect(withoutOrganization).toContain(table)
  })
})

describe('docs/scaling.md', () => {
  it('names the database of each table when there are several databases', async () => {
    const [, places = ''] = readFileSync('docs/scaling.md', 'utf8').split('| Tables | Where they would be |')
    const { rows } = await pool.query(`
      select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)

    expect(rows.length).toBeGreaterThan(20)
    for (const { table } of rows) expect(places).toContain(`\`${table}\``)
  })
})

describe('ids and keys', () => {
  it("are compared by code point, whatever the database's collation", async () => {
    const { rows } = await pool.query(`
      select t.relname || '.' || a.attname as column, c.collname as collation
        from pg_attribute a
        join pg_class t on t.oid = a.attrelid and t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
        join pg_type y on y.oid = a.atttypid and y.typname = 'text'
        join pg_collation c on c.oid = a.attcollation
       where a.attnum > 0 and t.relname <> '_prisma_migrations'
         and (a.attname like '%\\_id' or a.attname in ('feature_key', 'plan_key'))`)

    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ collation }) => collation !== 'C')).toEqual([])
  })
})
