import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { builtScript } from '../support/built-service.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { holdOrganization } from '../support/hold-locks.ts'
import { importLines, importPath, importSuccessfully } from '../support/import.ts'
import { limitOf } from '../support/limit-of.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { type RepeatedWrite, runOnceInGraphql, sendOnce } from '../support/repeated.ts'
import { type Caller, callerOf } from '../support/service.ts'
import { Tenants } from '../support/tenants.ts'
import { findUnlistedEntries } from '../support/unlisted-entries.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const databaseUrl = await createOwnDatabase()
const direct = new pg.Pool({ connectionString: databaseUrl, max: 2 })
const tenants = new Tenants(databaseUrl)
// Dropping the database may end a connection that is still being closed.
direct.on('error', () => {})
// The pool does not wait until its connections have closed, and dropping the database ends those that have not.
direct.on('connect', (client) => client.on('error', () => {}))
let proxy: DatabaseProxy
let dataDir: string
let running: { child: ChildProcess; url: string } | undefined

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'entitlements-killed-'))
  proxy = await startDatabaseProxy(databaseUrl)
})

afterEach(async () => {
  expect(await findUnlistedEntries(direct)).toEqual([])
})

afterAll(async () => {
  await killServer()
  await proxy.close()
  await tenants.close()
  await direct.end()
  await rm(dataDir, { recursive: true, force: true })
})

function environment() {
  return { ...process.env, NODE_ENV: 'test', DATABASE_URL: proxy.url, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
}

/** The address of the service in its own process, which is started unless it runs. */
async function startServer(): Promise<string> {
  if (running) return running.url
  const child = spawn(process.execPath, [builtScript('src/main.ts')], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  const url = await vi.waitFor(
    () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? Promise.reject(new Error(`not ready: ${output}`)),
    limitOf(100_000),
  )
  running = { child, url }
  return url
}

/** Like `startServer`; resolves to an admin of a new organization. */
async function start(): Promise<Caller & { url: string }> {
  const url = await startServer()
  const { organizationId, key } = await tenants.create()
  return { ...callerOf(url, { organizationId, memberId: '', key }), url }
}

/** Kills the server as `kill -9` does; resolves when the database has also closed its connections. */
async function killServer(): Promise<void> {
  const child = running?.child
  running = undefined
  if (child && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const connected = `select from pg_stat_activity where datname = current_database() and application_name = 'entitlements-service'`
  await until(async () => (await direct.query(connected)).rowCount === 0)
}

async function stateOf({ organizationId }: Caller) {
  const { rows } = await direct.query(
    `select outcome, status, created_id, (select count(*)::int from feature where organization_id = $1) as features
       from audit_event where organization_id = $1`,
    [organizationId],
  )
  return rows
}

/** The results of an import: its own entries, and for each subscriber the number of its plans, entries and events. */
async function importedOf({ organizationId }: Caller) {
  const { rows: requests } = await direct.query(
    `select outcome, status from audit_event where organization_id = $1 and route = $2 and params::text = '{}'
      order by audit_event_id`,
    [organizationId, importPath],
  )
  const { rows: subscribers } = await direct.query(
    `select count(*)::int as count,
            (select count(*)::int from subscription a where a.organization_id = s.organization_id and a.subscriber_id = s.subscriber_id) as plans,
            (select count(*)::int from audit_event a where a.organization_id = s.organization_id and a.route = $2
                and a.params->>'subscriber_id' = s.subscriber_id) as entries,
            (select count(*)::int from webhook_event e where e.organization_id = s.organization_id and e.subscriber_id = s.subscriber_id) as events
       from subscriber s where s.organization_id = $1 group by plans, entries, events`,
    [organizationId, importPath],
  )
  return { requests, subscribers }
}

const seats = { key: 'seats', name: 'Seats', kind: 'limit' }
const lostForGood = { outcome: 'pending', status: null, created_id: null, features: 0 }

describe('a write whose process was killed', () => {
  it('between its audit entry and its commit: the entry stays pending, and nothing changes', async () => {
    const admin = await start()
    const unlock = await holdOrganization(direct, admin.organizationId)
    const answering = admin.rest('POST', '/org/features', seats).catch(() => 'no answer')

    try {
      await expect.poll(() => stateOf(admin)).toEqual([lostForGood])
      // The write waits for the lock, so it cannot end before it is killed.
      running?.child.kill('SIGKILL')
      expect(await answering).toBe('no answer')
    } finally {
      await unlock()
    }
    await killServer()

    expect(await stateOf(admin)).toEqual([lostForGood])
    const again = await start()
    expect(await again.rest('GET', '/org/features')).toMatchObject({ status: 200 })
    expect(await stateOf(admin)).toEqual([lostForGood])
  })

  it('during its COMMIT: its entry stays pending, and nothing changes', async () => {
    const admin = await start()

    const sprung = proxy.trapNextCommit('seats', 'hold before commit')
    const answering = admin.rest('POST', '/org/features', seats).catch(() => 'no answer')
    await sprung
    await killServer()

    expect(await answering).toBe('no answer')
    expect(await stateOf(admin)).toEqual([lostForGood])
  })

  it('after the commit: its entry has the outcome responded', async () => {
    const admin = await start()

    const sprung = proxy.trapNextCommit('seats', 'hold after commit')
    const answering = admin.rest('POST', '/org/features', seats).catch(() => 'no answer')
    await sprung
    await killServer()

    expect(await answering).toBe('no answer')
    expect(await stateOf(admin)).toEqual([{ outcome: 'responded', status: 201, created_id: 'seats', features: 1 }])
  })
})

describe('a write with an Idempotency-Key whose process was killed', () => {
  const rest: RepeatedWrite = ['POST', '/org/features', seats]
  const document = `mutation { createFeature(input: { key: "seats", name: "Seats", kind: LIMIT }) { key createdAt } }`
  const responded = { outcome: 'responded', status: 201, created_id: 'seats', features: 1 }

  it.each([
    ['REST', (url: string, caller: Caller) => sendOnce(url, caller, rest, 'k1')],
    ['GraphQL', (url: string, caller: Caller) => runOnceInGraphql(url, caller, document, 'k1')],
  ])('after the commit gets the lost answer when it is sent again, over %s', async (_api, send) => {
    const admin = await start()
    const sprung = proxy.trapNextCommit('seats', 'hold after commit')
    const answering = send(admin.url, admin).catch(() => 'no answer')
    await sprung
    await killServer()
    expect(await answering).toBe('no answer')
    const { rows } = await direct.query(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created from feature where organization_id = $1`,
      [admin.organizationId],
    )

    const url = await startServer()
    const again = await send(url, admin)

    expect(again).toMatchObject({ replayed: 'true' })
    expect(again.text).toContain(rows[0].created)
    expect(await send(url, admin)).toMatchObject({ replayed: 'true', text: again.text })
    expect(await stateOf(admin)).toEqual([responded])
  })

  it('during its COMMIT runs only once, even if it is sent again twice', async () => {
    const admin = await start()
    const sprung = proxy.trapNextCommit('seats', 'hold before commit')
    const answering = sendOnce(admin.url, admin, rest, 'k1').catch(() => 'no answer')
    await sprung
    await killServer()
    expect(await answering).toBe('no answer')

    const url = await startServer()
    const [one, other] = await Promise.all([1, 2].map(() => sendOnce(url, admin, rest, 'k1')))

    expect([one?.status, other?.status]).toEqual([201, 201])
    expect([one?.replayed, other?.replayed].sort()).toEqual([null, 'true'])
    expect(one?.text).toBe(other?.text)
    expect(await stateOf(admin)).toEqual([{ ...lostForGood, features: 1 }, responded])
  })
})

describe('an import whose process was killed', () => {
  it('after the COMMIT of a batch loses and repeats nothing when it is sent again', async () => {
    const admin = await start()
    await vendor(admin).plan('pro')
    await admin.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
    await admin.rest('POST', '/org/webhook/disable')
    const lines = Array.from({ length: 1100 }, (_, n) => ({ subscriber_id: `s${n}`, plan_id: 'pro' }))
    const once = { plans: 1, entries: 1, events: 1 }
    const lost = { outcome: 'pending', status: null }

    // In the second of three batches.
    const sprung = proxy.trapNextCommit('"s700"', 'hold after commit')
    const answering = importLines(admin, lines).catch(() => 'no answer')
    await sprung
    await killServer()
    expect(await answering).toBe('no answer')
    expect(await importedOf(admin)).toEqual({ requests: [lost], subscribers: [{ count: 1000, ...once }] })

    const again = callerOf(await startServer(), admin)
    expect(await importSuccessfully(again, lines)).toMatchObject({
      lines: 1100,
      created: 100,
      unchanged: 1000,
      failed: 0,
    })
    expect(await importedOf(admin)).toEqual({
      requests: [lost, { outcome: 'responded', status: 200 }],
      subscribers: [{ count: 1100, ...once }],
    })
  })
})
