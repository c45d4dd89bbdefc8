import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabaseBeforeMigration } from '../support/database-before.ts'
import { createEmptyDatabase } from '../support/own-database.ts'

const migration = '20261122110000_audit_outcome_without_indexes'

it('the migration finds entries that have no outcome, have a rare outcome, or created something', async () => {
  const { url, client } = await createDatabaseBeforeMigration(migration)
  await client.query(`
    insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service, method,
                             route, params, ip, outcome, created_id)
    select 'o', 'e-' || outcome, now(), 'req', 'm', 'jwt', 'api', 'POST', '/org/plans', '{}', '::1', outcome,
           case outcome when 'responded' then 'pro' end
      from unnest(enum_range(null::audit_outcome)) outcome`)

  await migrate({ url })

  const rowsOf = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows
  expect(await rowsOf('table audit_event_unchained')).toEqual([['o', 'e-pending']])
  expect(await rowsOf('table audit_event_creation')).toEqual([['o', 'pro', 'e-responded']])
  expect(await rowsOf('select outcome, rare_outcome from audit_event order by outcome::text')).toEqual([
    ['no_response', 'no_response'],
    ['pending', null],
    ['rejected', 'rejected'],
    ['responded', null],
  ])
})

it('no index of the audit log mentions a column that is written when an outcome is recorded', async () => {
  const url = await createEmptyDatabase()
  await migrate({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())

  // Columns, expressions and conditions of indexes.
  const { rows } = await client.query(`
    select distinct attname as name
      from pg_index i
      join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refobjid = i.indrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid and a.attnum > 0
     where i.indrelid = 'audit_event'::regclass`)

  const indexed = rows.map(({ name }) => name)
  expect(indexed).toEqual(expect.arrayContaining(['organization_id', 'method', 'params', 'rare_outcome']))
  for (const written of ['outcome', 'status', 'details', 'created_id', 'changed_at'])
    expect(indexed).not.toContain(written)
})
