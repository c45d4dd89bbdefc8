import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../../src/database/migrate.ts'
import { administer } from '../../support/administer.ts'
import { atEnd } from '../../support/at-end.ts'
import { startDatabaseProxy } from '../../support/database-proxy.ts'
import { waitIfNearMidnight } from '../../support/far-from-midnight.ts'
import { type LogEntry, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { hasDebianPostgres, ReplicatedCluster } from '../../tools/faults/replicated-cluster.ts'

const needed = 'there is no PostgreSQL with pg_basebackup'
const ready = 'the standby will answer evals if the primary database is gone'
const gone = 'the primary database is gone: its standby answers evals, and nothing is written'
const back = 'the primary database is back'

async function startCluster(): Promise<ReplicatedCluster> {
  const cluster = await ReplicatedCluster.start({ appliesFirst: true })
  atEnd(() => cluster.remove())
  await migrate({ url: cluster.url })
  return cluster
}

/** A service whose connection to the primary can be cut, and its log lines about the standby. */
async function startBehindProxy(cluster: ReplicatedCluster, env: Record<string, string> = {}) {
  const proxy = await startDatabaseProxy(cluster.url)
  atEnd(() => proxy.close())
  const log: LogEntry[] = []
  const service = await startService(
    { DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: cluster.url, LOG_LEVEL: 'info', ...env },
    log,
  )
  const reason = () => log.findLast(({ msg }) => msg === ready || msg.startsWith('the standby could not'))?.reason
  const isReady = () =>
    log.findLast(({ msg }) => msg === ready || msg.startsWith('the standby could not'))?.msg === ready
  const isInUse = () => log.findLast(({ msg }) => msg === gone || msg === back)?.msg === gone
  return { proxy, service, log, reason, isReady, isInUse }
}

/** Resolves once the service has begun two more checks of this server with a statement that contains the text. */
async function untilCheckedTwice(url: string, text: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  atEnd(() => pool.end())
  pool.on('error', () => {})
  const [{ now }] = (await pool.query('select now()')).rows
  const beginnings = new Set<number>()
  await until(async () => {
    const { rows } = await pool.query(
      'select query_start as at from pg_stat_activity where query like $1 and query_start > $2 and pid <> pg_backend_pid()',
      [`%${text}%`, now],
    )
    for (const { at } of rows) beginnings.add(at.getTime())
    return beginnings.size > 1
  })
}

describe('while the primary is gone', () => {
  it('evals of every kind are answered from the standby, even for callers that were never seen before', async ({
    skip,
  }) => {
    if (!hasDebianPostgres) return skip(needed)
    const cluster = await startCluster()
    await waitIfNearMidnight()
    const { proxy, service, isReady } = await startBehindProxy(cluster, { STANDBY_DATABASE_URL: cluster.standbyUrl })
    const admin = await service.organization()
    const { key } = await service.member(admin.organizationId, 'evaluator')
    const unseen = { ...admin, key }
    const { rest } = admin
    await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await rest('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
    await rest('PUT', '/org/subscribers/ann/overrides/seats', { kind: 'limit', limit: 7 })
    const { token } = (await rest('POST', '/org/subscribers/ann/tokens', { ttl_seconds: 600 })).body
    await expect.poll(isReady).toBe(true)
    const usage = async () => (await rest('GET', '/org/eval-usage')).body.used

    proxy.freeze()

    const ann = '/org/subscribers/ann/entitlements'
    const json = { 'content-type': 'application/json' }
    const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
      fetch(service.url + path, { method, headers: { ...json, ...headers }, body: body ? JSON.stringify(body) : null })
    const byKey = { 'x-api-key': unseen.key }
    const byToken = { authorization: `Bearer ${token}` }
    const query = `{ check(subscriberId: "ann", feature: "seats") { limit } }`
    const answers = await Promise.all([
      send('POST', `${ann}/check`, byKey, { feature: 'seats' }),
      send('GET', ann, byKey),
      send('POST', '/org/entitlements', byKey, { subscriber_ids: ['ann'] }),
      send('POST', '/graphql', byKey, { query }),
      send('POST', `${ann}/check`, byToken, { feature: 'seats' }),
      send('POST', '/ofrep/v1/evaluate/flags/seats', byKey, { context: { targetingKey: 'ann' } }),
      send('POST', '/ofrep/v1/evaluate/flags', byToken, { context: { targetingKey: 'ann' } }),
    ])
    const signed = await send('GET', ann, { ...byKey, accept: 'application/jwt' })
    const texts = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))

    for (const text of texts) expect(text).toEqual([200, expect.stringContaining('7')])
    expect(signed.status).toBe(200)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ status: 'degraded', writes: false })
    expect((await fetch(`${service.url}/readyz?writes=true`)).status).toBe(503)

    proxy.thaw()
    await expect.poll(async () => (await fetch(`${service.url}/readyz?writes=true`)).status).toBe(200)
    await expect.poll(usage).toBe(8)
  })

  it('an old primary that comes back after the promotion neither answers evals nor counts them', async ({ skip }) => {
    if (!hasDebianPostgres) return skip(needed)
    const cluster = await startCluster()
    await waitIfNearMidnight()
    const standbyProxy = await startDatabaseProxy(cluster.standbyUrl)
    atEnd(() => standbyProxy.close())
    const { proxy, service, log, isReady, isInUse } = await startBehindProxy(cluster, {
      STANDBY_DATABASE_URL: standbyProxy.url,
    })
    const { rest } = await service.organization()
    await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await rest('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
    let evals = 0
    const check = async () => {
      evals++
      return (await rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'seats' })).status
    }
    expect(await check()).toBe(200)

    // The primary counts this eval, and is lost with its reply; the standby answers it, so one of the two counts is dropped.
    const count = async () => {
      await expect.poll(() => isReady() && !isInUse()).toBe(true)
      let isCounted = false
      void proxy.trapNext('eval-gate', 'hold after commit').then(() => {
        isCounted = true
      })
      const counting = check()
      await until(() => isCounted || isInUse())
      return { counting, isCounted }
    }
    let { counting, isCounted } = await count()
    // On a slow machine the primary may have answered a check too late, so that the standby answered the eval.
    while (!isCounted) {
      expect(await counting).toBe(200)
      ;({ counting, isCounted } = await count())
    }
    proxy.refuseConnections()
    await cluster.catchUp()
    await cluster.failOver()
    expect(await counting).toBe(200)
    await untilCheckedTwice(cluster.url, 'pg_stat_wal_receiver')
    const afterFailover = log.length
    standbyProxy.freeze()
    const old = await cluster.startPrimaryAgain()
    proxy.routeTo(old)
    proxy.open()
    await untilCheckedTwice(old, 'pg_stat_replication')

    expect(log.slice(afterFailover).filter(({ msg }) => msg === back)).toEqual([])
    standbyProxy.thaw()
    expect(await check()).toBe(200)
    proxy.routeTo(cluster.url)
    proxy.refuseConnections()
    proxy.open()
    await expect.poll(async () => (await rest('GET', '/org/eval-usage')).body.used).toBe(evals)
  })

  it('evals are 503 if STANDBY_DATABASE_URL is not set, or if the standby may lack a write that was acknowledged', async ({
    skip,
  }) => {
    if (!hasDebianPostgres) return skip(needed)
    const cluster = await startCluster()
    const without = await startBehindProxy(cluster)
    const withOne = await startBehindProxy(cluster, { STANDBY_DATABASE_URL: cluster.standbyUrl })
    const admin = await withOne.service.organization()
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const statusOf = async ({ url }: { url: string }) =>
      (await fetch(`${url}/org/subscribers/ann/entitlements`, { headers: { 'x-api-key': admin.key } })).status
    expect(await statusOf(without.service)).toBe(200)
    await expect.poll(withOne.isReady).toBe(true)

    const reasons: Record<string, string> = {
      "synchronous_commit = 'on'": 'synchronous_commit is on and not remote_apply',
      "synchronous_standby_names = 'ANY 1 (*)'": 'sync_state of walreceiver is quorum and not sync',
      "synchronous_standby_names = ''": 'sync_state of walreceiver is async and not sync',
    }
    for (const [setting, reason] of Object.entries(reasons)) {
      await cluster.configure(setting)
      await expect.poll(withOne.reason).toBe(reason)
      await cluster.configure("synchronous_commit = 'remote_apply'")
      if (setting.includes('names')) await cluster.configure("synchronous_standby_names = '*'")
      await expect.poll(withOne.isReady).toBe(true)
    }
    await cluster.configure("synchronous_standby_names = 'ANY 1 (*)'")
    await expect.poll(withOne.isReady).toBe(false)

    for (const { proxy } of [without, withOne]) proxy.refuseConnections()
    expect(await Promise.all([without, withOne].map(({ service }) => statusOf(service)))).toEqual([503, 503])
    for (const { proxy } of [without, withOne]) proxy.open()
    await expect.poll(() => statusOf(withOne.service)).toBe(200)
  })
})

it('a standby is not used until its role may read the replication status', async ({ skip }) => {
  if (!hasDebianPostgres) return skip(needed)
  const cluster = await startCluster()
  await administer(cluster.url, 'create role plain login; grant pg_read_all_data to plain')
  const standbyUrl = new URL(cluster.standbyUrl)
  standbyUrl.username = 'plain'
  const { reason, isReady } = await startBehindProxy(cluster, { STANDBY_DATABASE_URL: standbyUrl.href })

  await expect
    .poll(reason)
    .toBe('it does not follow a primary, or the role may not see that: grant it pg_read_all_stats')
  await administer(cluster.url, 'grant pg_read_all_stats to plain')
  await expect.poll(isReady).toBe(true)
})

it('evals are answered by a standby at which DATABASE_URL points before it is promoted', async ({ skip }) => {
  if (!hasDebianPostgres) return skip(needed)
  const cluster = await startCluster()
  const { proxy, service } = await startBehindProxy(cluster)
  const admin = await service.organization()
  const { rest } = admin
  await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
  await rest('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  const check = () => rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'seats' })
  for (let limit = 1; limit <= 20; limit++) {
    await rest('PUT', '/org/subscribers/ann/overrides/seats', { kind: 'limit', limit })
  }

  proxy.routeTo(cluster.standbyUrl)
  proxy.refuseConnections()
  proxy.open()

  await expect.poll(async () => (await check()).body.limit).toBe(20)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})
