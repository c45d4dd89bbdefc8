import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { setUpQueues } from '../../src/events/queues.ts'
import { administer } from '../support/administer.ts'
import { testMasterKey } from '../support/master-key.ts'
import { rowsOf } from '../support/migrations.ts'
import { emptyFolder, migratedFolder, runCommand, startDatabase, startServer } from './server-process.ts'

const addressIn = (dataDir: string) => readFileSync(join(dataDir, 'database-url'), 'utf8').trim()

/** The objects in the service's schemas that belong to another role; those of extensions are PostgreSQL's. */
const foreignObjects = `
  with mine as (select oid from pg_namespace where nspname in ('public', 'pgboss')),
       extended as (select objid as id from pg_depend where deptype = 'e')
  select 'table ' || relname as name, relowner::regrole::text as owner from pg_class where relnamespace in (select * from mine)
  union all select 'type ' || typname, typowner::regrole::text from pg_type where typnamespace in (select * from mine)
   and oid not in (select id from extended) and typelem not in (select id from extended)
  union all select 'routine ' || proname, proowner::regrole::text from pg_proc where pronamespace in (select * from mine)
   and oid not in (select id from extended)
  union all select 'schema ' || nspname, nspowner::regrole::text from pg_namespace where nspname = 'pgboss'
  union all select 'database', datdba::regrole::text from pg_database where datname = current_database()`

async function createOrganization(env: Record<string, string>): Promise<{ api_key: string }> {
  const { stdout, stderr } = await runCommand('org-create', ['--name', 'Acme', '--json'], env)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

async function putFeature(url: string, key: string, feature: string): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ key: feature, name: feature, kind: 'flag' })
  return (await fetch(`${url}/org/features`, { method: 'POST', headers, body })).status
}

/** Creates a data folder as the service left it when it ran as the superuser, with one organization. */
async function makeSuperusersFolder(dataDir: string): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } })
  const cluster = Object.assign(new URL(postgres.superuserUrl), { pathname: '/postgres' }).href
  for (const each of ['drop database entitlements', 'drop role entitlements', 'create database entitlements']) {
    await administer(cluster, each)
  }
  const env = { DATABASE_URL: postgres.superuserUrl }
  await migrate({ url: postgres.superuserUrl })
  await setUpQueues(postgres.superuserUrl)
  const { api_key: key } = await createOrganization(env)
  expect(await rowsOf(postgres.superuserUrl, `${foreignObjects} limit 1`)).toEqual([
    { name: expect.any(String), owner: 'postgres' },
  ])
  await postgres.stop()
  return key
}

describe('the role of the service', () => {
  it('owns its database, and cannot read or write files of the machine', async () => {
    const { url, superuserUrl } = await startDatabase(emptyFolder())
    for (const statement of [
      `copy (select 1) to '/tmp/entitlements-copied'`,
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
      `select pg_ls_dir('.')`,
      `select lo_import('/etc/hostname')`,
      `alter system set work_mem = '1MB'`,
      'create role another',
      'create database another',
      'set role postgres',
    ]) {
      await expect(rowsOf(url, statement), statement).rejects.toMatchObject({ code: '42501' })
    }
    await rowsOf(url, 'create extension pg_trgm')
    await rowsOf(url, 'create extension btree_gin')
    expect(await rowsOf(superuserUrl, `select pg_read_file('PG_VERSION') as version`)).toHaveLength(1)
  })

  it('takes over objects that an earlier version created as the superuser, and everything still works', async () => {
    const dataDir = migratedFolder()
    const key = await makeSuperusersFolder(dataDir)
    const env = { DATA_DIR: dataDir, MASTER_KEY: testMasterKey }

    // First a command without a server, then a server, then a command next to it.
    const { api_key: another } = await createOrganization(env)
    const { child, url, ended } = await startServer({ env })
    await createOrganization(env)
    const owners = await rowsOf(addressIn(dataDir), `select distinct owner from (${foreignObjects}) each`)

    expect(new URL(addressIn(dataDir)).username).toBe('entitlements')
    expect(owners).toEqual([{ owner: 'entitlements' }])
    expect([await putFeature(url, key, 'sso'), await putFeature(url, another, 'sso')]).toEqual([201, 201])
    await expect(rowsOf(addressIn(dataDir), `select pg_read_file('PG_VERSION')`)).rejects.toMatchObject({
      code: '42501',
    })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })
})
