import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { buildTo } from '../support/built-service.ts'
import { type Request, startLoad } from '../support/fetch-load.ts'
import { findFreePort } from '../support/free-port.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { limitOf } from '../support/limit-of.ts'
import { testMasterKey } from '../support/master-key.ts'
import { rowsOf } from '../support/migrations.ts'
import { createEmptyDatabase } from '../support/own-database.ts'
import { type ServerProcess, spawnApi } from '../support/spawn-service.ts'
import {
  copyWithAddedField,
  copyWithMigrations,
  migrationOf,
  migrationOfField,
  removeCopy,
} from '../support/with-added-field.ts'

/*
 * Version 1 uses a column. Version 2 does not use it, and expands the tables. Version 3 drops the column, which only version 1
 * needs.
 */

const backfill = '29990102000002_backfill'

const expand = {
  '29990102000000_tier': `-- runs beside: ${migrationOfField}
    alter table subscriber add column tier text collate "C";
    create table tier (tier text collate "C" primary key);`,
  '29990102000001_tier_index': `-- runs beside: ${migrationOfField}
    create index concurrently if not exists subscriber_tier on subscriber (organization_id, tier);`,
  [backfill]: `-- runs beside: ${migrationOfField}
    -- in batches
    update subscriber set tier = 'free' where (organization_id, subscriber_id) in
      (select organization_id, subscriber_id from subscriber where tier is null limit 20);`.replaceAll(/^ +--/gm, '--'),
}

type Version = { main: string }

/** Builds three versions of the service; creates an organization in a database that version 1 has migrated. */
async function prepare() {
  const first = copyWithAddedField()
  const built = join(first.folder, 'built')
  // The real file names projects that the copy does not have.
  writeFileSync(join(first.folder, 'tsconfig.json'), '{}')
  await buildTo(built, first.folder, ['src/main.ts', 'src/cli/migrate.ts', 'src/cli/org-create.ts'])
  const field = migrationOf(first.folder, migrationOfField)
  const second = { [migrationOfField]: field, ...expand }
  const drop = field.replaceAll(/add column "law_field" .*;/g, 'drop column "law_field";')
  const third = { ...second, '29990103000000_contract': `-- runs beside: ${backfill}\n${drop}` }
  const folders = [first.folder, copyWithMigrations(second), copyWithMigrations(third)] as const
  onTestFinished(() => {
    for (const folder of folders) removeCopy({ folder })
  })

  const url = await createEmptyDatabase()
  const env = {
    DATABASE_URL: url,
    MASTER_KEY: testMasterKey,
    SHUTDOWN_GRACE_MS: '4000',
    EVAL_RATE_LIMIT_PER_SECOND: '1000000',
  }
  const ofFirst = { cwd: built, env: { ...inheritedEnv, ...env } }
  execFileSync(process.execPath, ['src/cli/migrate.js'], ofFirst)
  const created = execFileSync(process.execPath, ['src/cli/org-create.js', '--name', 'Acme', '--json'], ofFirst)
  const [, ...later] = folders
  const versions = [built, ...later].map((folder) => ({ main: `${folder}/src/main.js` })) as [Version, Version, Version]
  return { url, env, key: JSON.parse(created.toString()).api_key as string, versions }
}

type Server = ServerProcess & { url: string }

/** Starts processes on ports that a balancer knows. */
async function startStage(env: Record<string, string>) {
  const ports = await Promise.all(Array.from({ length: 4 }, findFreePort))
  const balancer: Balancer = await startBalancer(
    ports.map((port) => `http://127.0.0.1:${port}`),
    100,
  )
  onTestFinished(() => balancer.close())
  async function start({ main }: Version): Promise<Server> {
    const server = await spawnApi({ ...env, PORT: `${ports.shift()}` }, undefined, main)
    onTestFinished(async () => void (await server.end('SIGKILL')))
    await expect.poll(() => balancer.uses(server.url)).toBe(true)
    return server
  }
  return { balancer, start }
}

const stop = async (server: Server) => expect(await server.end('SIGTERM')).toBe(0)

// Builds three versions and starts five processes, which takes more than a minute on two cores.
const slow = { timeout: limitOf(300_000) }

it('versions run side by side while one version expands the tables and the next one contracts them', slow, async () => {
  const { url, env, key, versions } = await prepare()
  const [version1, version2, version3] = versions
  const { balancer, start } = await startStage(env)
  const serving1 = await start(version1)
  const post = async (path: string, body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    return (await fetch(`${serving1.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  expect(await post('/org/features', { key: 'f', name: 'F', kind: 'flag', law_field: 'of version 1' })).toBe(201)
  expect(await post('/org/subscribers', { subscriber_id: 'ann', law_field: 'of version 1' })).toBe(201)
  const next = (suffix: string) =>
    [
      ['POST', '/org/subscribers', { subscriber_id: `s-${suffix}` }],
      ['PUT', '/org/subscribers/ann/overrides/f', { kind: 'flag', allowed: true }],
      ['POST', '/org/subscribers/ann/entitlements/check', { feature: 'f' }],
      ['GET', '/org/subscribers?limit=5'],
      ['GET', '/org/features'],
    ] satisfies Request[]
  const load = startLoad(balancer.url, key, next, { clients: 2, pauseMs: 30 })

  const serving2 = await start(version2)
  const back1 = await start(version1)
  await stop(serving1)
  await stop(back1)
  const serving3 = await start(version3)
  await stop(serving3)
  const statuses = await load.end()

  expect(balancer.failures).toEqual([])
  expect([...new Set(statuses)].sort()).toEqual([200, 201])
  const changed = `select count(*) filter (where tier = 'free') > 0 as filled,
    (select indisvalid from pg_index where indexrelid = 'subscriber_tier'::regclass) as indexed from subscriber`
  expect(await rowsOf(url, changed)).toEqual([{ filled: true, indexed: true }])
  await expect(spawnApi(env, undefined, version1.main)).rejects.toThrow(/29990103000000_contract.*start that version/s)
  await stop(serving2)
})
