import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { loadMigrations } from '../../src/database/migration-files.ts'
import { findFreePort } from '../support/free-port.ts'
import { migrateAsNewer } from '../support/newer-migration.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { startReceiver } from '../support/receiver.ts'
import { callerOf } from '../support/service.ts'
import { createTenantIn } from '../support/tenants.ts'
import { logLines, run, startServer } from './server-process.ts'

const allowing = '99990101000000_allows_those_before'
const forbidding = '99990102000000_allows_nobody'

const newest = async () => (await loadMigrations()).at(-1)?.name as string
const readinessOf = async (url: string) => {
  const answer = await fetch(`${url}/readyz`)
  return [answer.status, (await answer.json()).status]
}

/** A database with an organization, and with a newer migration that allows our version. */
async function prepare() {
  const url = await createOwnDatabase()
  const allow = { [allowing]: `-- runs beside: ${await newest()}\ncreate table newer (a int);` }
  const env = {
    DATABASE_URL: url,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    WEBHOOK_RETRY_WAITS_SECONDS: Array(100).fill('0.1').join(),
  }
  const { organizationId, key } = await createTenantIn(url)
  return { url, env, allow, identity: { organizationId, memberId: '', key } }
}

describe('a process beside a newer version', () => {
  it('keeps serving after migrations that allow it; after one that does not, is not ready and answers 503', async () => {
    const { url, env, allow, identity } = await prepare()
    const server = await startServer({ env })
    const { rest, graphql } = callerOf(server.url, identity)
    await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })
    const requestAll = () => [
      rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'f' }),
      rest('PATCH', '/org/features/f', { name: 'G' }),
      rest('GET', '/org/features'),
      rest('POST', '/user/sign-in', { email: 'ada@example.org', password: 'correct horse' }),
    ]
    await migrateAsNewer(url, allow)
    await untilCheckedAgain(url)
    expect(await readinessOf(server.url)).toEqual([200, 'ready'])
    expect((await Promise.all(requestAll())).map(({ status }) => status)).toEqual([200, 200, 200, 401])

    await migrateAsNewer(url, { ...allow, [forbidding]: 'create table newest (a int)' })
    await expect.poll(() => readinessOf(server.url)).toEqual([503, 'outdated'])
    const refused = await Promise.all(requestAll())
    const inGraphql = await graphql('{ features { key } }')

    const unavailable = { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('older version') }
    for (const { status, body } of refused)
      expect({ status, body }).toMatchObject({ status: 503, body: { error: unavailable } })
    expect(inGraphql.body.errors[0]).toMatchObject({
      message: unavailable.message,
      extensions: { code: unavailable.code },
    })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(logLines(server)).toEqual([expect.objectContaining({ level: 50, migrations: [forbidding] })])
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('sends no more events after a migration that does not allow it, and leaves the events to the newer version', async () => {
    const { url, env, identity } = await prepare()
    const receiver = await startReceiver(500)
    onTestFinished(() => receiver.close())
    const port = await findFreePort()
    const health = `http://127.0.0.1:${port}`
    const api = await startServer({ args: ['api'], env })
    const worker = run({ args: ['worker'], env: { ...env, WORKER_PORT: `${port}` } })
    await expect.poll(worker.stderr).toContain('The worker says whether it is ready')
    expect(await readinessOf(health)).toEqual([200, 'ready'])
    const { rest } = callerOf(api.url, identity)
    await rest('PUT', '/org/webhook', { url: receiver.url })
    await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })
    await rest('PUT', '/org/subscribers/ann/overrides/f', { kind: 'flag', allowed: true })
    await receiver.waitFor(2)

    await migrateAsNewer(url, { [forbidding]: 'create table newest (a int)' })

    await expect.poll(() => readinessOf(health)).toEqual([503, 'outdated'])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const left = `select state, lease_until is null as is_free from webhook_event join webhook_lane using (organization_id)`
    await expect.poll(async () => (await client.query(left)).rows).toEqual([{ state: 'queued', is_free: true }])
    await client.end()
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toMatchObject({ code: 0 })
  })

  it('may also start if every migration that it does not know allows this', async () => {
    const { url, env, allow } = await prepare()
    await migrateAsNewer(url, allow)

    const server = await startServer({ args: ['api'], env })
    expect(await readinessOf(server.url)).toEqual([200, 'ready'])

    await migrateAsNewer(url, { ...allow, [forbidding]: '-- runs beside: 99990101000000_allows_those_before\nselect' })
    await expect(migrate({ url })).rejects.toThrow(`(unknown here: ${forbidding})`)
  })
})

/** Resolves once the server has checked the migrations again, which the number of reads of their table shows. */
async function untilCheckedAgain(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const reads = async () => {
    const { rows } = await client.query(
      `select seq_scan + coalesce(idx_scan, 0) as reads from pg_stat_user_tables where relname = '_prisma_migrations'`,
    )
    return Number(rows[0].reads)
  }
  const before = await reads()
  await expect.poll(reads).toBeGreaterThan(before + 1)
  await client.end()
}
