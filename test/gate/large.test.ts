import { connect } from 'node:net'
import pg from 'pg'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { sharedService, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { answerOf, database, loadCounter, noon, openGate, seedVendor } from './harness.ts'
import { type SeededGrant, seedFeature, seedOrganization, seedOverride, seedPlan, seedSubscriber } from './seed.ts'

const service = await sharedService()
const large = (length: number, mark: unknown) => ({ mark, text: 'é'.repeat(length) })

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe("data too large for the gate's statement", () => {
  it('may be the long value of an override, and the next eval returns each change of that value', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedVendor()
    await seedFeature(database, organizationId, { key: 'theme', kind: 'config' })
    const evaluate = async (features: string[] | null) =>
      answerOf(await gate.evaluate({ keyHash, subscriberId: 'acme', features }))

    for (let round = 0; round < 10; round++) {
      const value = large(20_000, round)
      await seedOverride(database, organizationId, 'acme', 'theme', { kind: 'config', value })

      const theme = { feature: 'theme', value, source: 'override' }
      expect(await evaluate(['theme'])).toMatchObject([theme])
      expect(await evaluate(['seats', 'theme'])).toMatchObject([{ feature: 'seats', limit: 5, source: 'plan' }, theme])
      expect(await evaluate(null)).toMatchObject([theme, { feature: 'seats', limit: 5 }])
      expect(await evaluate(['seats'])).toMatchObject([{ feature: 'seats', limit: 5 }])
    }
    await database.query('delete from "override" where organization_id = $1', [organizationId])
    expect(await evaluate(['theme'])).toMatchObject([{ feature: 'theme', value: null, source: 'none' }])
  })

  it('may be many overrides in a snapshot, of which expired ones are ignored', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedOrganization(database)
    const keys = Array.from({ length: 40 }, (_, index) => `f${index}`)
    await seedSubscriber(database, organizationId, 'acme')
    for (const [index, key] of keys.entries()) {
      await seedFeature(database, organizationId, {
        key,
        kind: 'limit',
        createdAt: new Date(1_790_000_000_000 - index),
      })
      const expiresAt = new Date(Date.now() + (index % 2 === 0 ? 60_000 : -60_000))
      await seedOverride(database, organizationId, 'acme', key, { kind: 'limit', limit: index, expiresAt })
    }

    const snapshot = answerOf(await gate.evaluate({ keyHash, subscriberId: 'acme', features: null }))

    expect(snapshot).toMatchObject(
      keys.map((feature, index) =>
        index % 2 === 0 ? { feature, limit: index, source: 'override' } : { feature, limit: 0, source: 'none' },
      ),
    )
  })

  it('may be thousands of grants of a plan', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedVendor()
    await database.query(
      `insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
       select $1, 'f' || n, 'f', (array['flag', 'limit'])[n % 2 + 1]::feature_kind, now() + n * interval '1 ms', now()
       from generate_series(0, 2999) n`,
      [organizationId],
    )
    const grants = Array.from({ length: 3000 }, (_, n): [string, SeededGrant] => [
      `f${n}`,
      n % 2 === 0 ? { kind: 'flag' } : { kind: 'limit', limit: n % 3 === 0 ? null : n },
    ])
    await seedPlan(database, organizationId, 'pro', new Map(grants.filter((_, n) => n % 5 !== 0)))

    const snapshot = answerOf(await gate.evaluate({ keyHash, subscriberId: 'acme', features: null })) as object[]

    expect(snapshot).toHaveLength(3001)
    for (const [n, [feature, grant]] of grants.entries()) {
      const item = snapshot.find((one) => 'feature' in one && one.feature === feature)
      const isGranted = n % 5 !== 0
      const limit = grant.kind === 'limit' ? { limit: isGranted ? grant.limit : 0 } : {}
      expect(item).toMatchObject({
        kind: grant.kind,
        allowed: isGranted,
        source: isGranted ? 'plan' : 'none',
        ...limit,
      })
    }
  })

  it('is read once for all evals that wait for it', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedVendor()
    await seedFeature(database, organizationId, { key: 'theme', kind: 'config' })
    await seedOverride(database, organizationId, 'acme', 'theme', { kind: 'config', value: large(20_000, 1) })
    let connections = 0
    gate.pool.on('acquire', () => {
      connections += 1
    })

    await Promise.all(
      Array.from({ length: 50 }, () => gate.evaluate({ keyHash, subscriberId: 'acme', features: ['theme'] })),
    )

    // The gate itself has one connection, the read of the catalog another, and the read of the overrides a third.
    expect(connections).toBe(3)
  })

  it('costs no eval of the allotment if it cannot be read in time', async () => {
    // The pool has one connection for the gate, and one for large reads, which this test takes.
    const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 2 })
    const otherConnection = await pool.connect()
    const gate = openGate({ pool, largeTimeoutMs: 300, clock: noon })
    const { organizationId, keyHash } = await seedVendor()

    const evals = await Promise.allSettled(
      Array.from({ length: 5 }, () => gate.evaluate({ keyHash, subscriberId: 'acme', features: null })),
    )
    expect(evals.map(({ status }) => status)).toEqual(evals.map(() => 'rejected'))
    expect(evals[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } })
    otherConnection.release()
    await gate.close()

    await until(async () => (await loadCounter(organizationId)).month_used === 0)
    expect(await loadCounter(organizationId)).toMatchObject({ day_used: 0, second_used: 5 })
    await pool.end()
  })
})

describe('a snapshot of several megabytes', () => {
  it('is returned completely in REST', async () => {
    const caller = await service.organization()
    const { pool } = service.database
    const { organizationId } = caller
    const grants = new Map<string, SeededGrant>()
    for (let index = 0; index < 700; index++) {
      await seedFeature(pool, organizationId, { key: `f${index}`, kind: index % 7 === 0 ? 'flag' : 'config' })
      if (index % 7 !== 0) grants.set(`f${index}`, { kind: 'config', value: large(1000, index) })
    }
    await seedPlan(pool, organizationId, 'pro', grants)
    await seedSubscriber(pool, organizationId, 'acme', 'pro')
    for (let index = 1; index < 700; index += 70) {
      const key = `f${index}`
      if (index % 7 !== 0)
        await seedOverride(pool, organizationId, 'acme', key, { kind: 'config', value: large(9000, key) })
    }

    const snapshots = await Promise.all(
      Array.from({ length: 5 }, () => caller.rest('GET', '/org/subscribers/acme/entitlements')),
    )
    const check = await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'f71' })

    const { status, headers, body } = snapshots[0] as (typeof snapshots)[number]
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    })
    expect(snapshots.map((snapshot) => snapshot.body)).toEqual(snapshots.map(() => body))
    expect(body).toMatchObject({ subscriber_id: 'acme', plan: 'pro', valid_until: null })
    expect(body.entitlements).toHaveLength(700)
    const byFeature = new Map(body.entitlements.map((item: { feature: string }) => [item.feature, item]))
    expect(byFeature.get('f8')).toEqual({
      feature: 'f8',
      kind: 'config',
      allowed: true,
      value: large(1000, 8),
      source: 'plan',
      expires_at: null,
    })
    expect(byFeature.get('f71')).toEqual(check.body)
    expect(check.body).toMatchObject({ value: large(9000, 'f71'), source: 'override' })
    expect(await vendor(caller).get('/org/eval-usage')).toMatchObject({ used: 6 })
  })

  it('is cut off if the client does not read it in time', async () => {
    const impatient = await startService({ ANSWER_TIMEOUT_MS: '1000' })
    const caller = await impatient.organization()
    const { organizationId } = caller
    const grants = new Map<string, SeededGrant>()
    for (let index = 0; index < 100; index++) {
      await seedFeature(database, organizationId, { key: `f${index}`, kind: 'config' })
      grants.set(`f${index}`, { kind: 'config', value: 'x'.repeat(60_000) })
    }
    await seedPlan(database, organizationId, 'pro', grants)
    await seedSubscriber(database, organizationId, 'acme', 'pro')
    const { server } = impatient.app
    const countConnections = () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      })

    const sockets = Array.from({ length: 5 }, () => {
      const socket = connect(Number(new URL(impatient.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.pause()
      socket.write(
        `GET /org/subscribers/acme/entitlements HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${caller.key}\r\n\r\n`,
      )
      return socket
    })

    await until(async () => (await countConnections()) === 5)
    await until(async () => (await countConnections()) === 0)
    for (const socket of sockets) socket.destroy()
    const check = await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'f1' })
    expect(check.status).toBe(200)
  })
})
