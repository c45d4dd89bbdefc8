import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { SigningKeys } from '../../src/access/signing-keys.ts'
import { createVault } from '../../src/core/vault.ts'
import { createPool } from '../../src/database/driver.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, send, startService, type TestService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const path = '/.well-known/jwks.json'
const year = 31_536_000

/** The published keys that sign snapshots: only other keys have the field `purpose`. */
async function keySetOf({ url }: TestService): Promise<JSONWebKeySet> {
  const { keys } = (await send(url + path, 'GET', undefined, newAddress())).body as JSONWebKeySet
  return { keys: keys.filter((key) => !('purpose' in key)) }
}

async function organization(service: TestService): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  return caller
}

async function sign({ url }: TestService, { key }: Caller, maxAge: number): Promise<string> {
  const address = `${url}/org/subscribers/acme/entitlements?max_age=${maxAge}`
  const response = await fetch(address, { headers: { accept: 'application/jwt', 'x-api-key': key } })
  expect(response.status).toBe(200)
  return response.text()
}

const isVerified = (token: string, keys: JSONWebKeySet) =>
  jwtVerify(token, createLocalJWKSet(keys)).then(
    () => true,
    () => false,
  )

/** Starts services on one new database, each with its own master key: the database's record of the key is deleted. */
async function startRotatedServices(count: number): Promise<TestService[]> {
  const DATABASE_URL = await createOwnDatabase()
  const services: TestService[] = []
  for (let n = 0; n < count; n++) {
    const service = await startService({
      DATABASE_URL,
      MASTER_KEY: randomBytes(32).toString('base64'),
      ...trustedLoopback,
    })
    await service.database.pool.query('delete from master_key')
    services.push(service)
  }
  return services
}

describe('the key set', () => {
  it('is the same in all processes, before and after they sign', async () => {
    const [one, other] = [await startService(trustedLoopback), await startService(trustedLoopback)]
    const caller = await organization(one)
    const before = await keySetOf(one)

    const token = await sign(other, caller, 60)

    expect(before.keys[0]).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.stringMatching(/^[\w-]{43}$/),
      alg: 'EdDSA',
      use: 'sig',
    })
    for (const keys of [before, await keySetOf(one), await keySetOf(other)]) {
      expect(await isVerified(token, keys)).toBe(true)
      expect(JSON.stringify(keys)).not.toContain('"d"')
    }
  })

  it('lists a replaced key for as long as its signatures may be used', async () => {
    const [first, second, third] = (await startRotatedServices(3)) as [TestService, TestService, TestService]
    const caller = await organization(first)

    const old = await sign(first, caller, year)
    const [keptKey, ...others] = (await keySetOf(first)).keys
    const token = await sign(second, caller, 60)

    expect(others).toEqual([])
    const both = await keySetOf(second)
    expect(both.keys).toHaveLength(2)
    expect(both.keys).toContainEqual(keptKey)
    expect([await isVerified(old, both), await isVerified(token, both)]).toEqual([true, true])
    expect([await isVerified(token, { keys: [keptKey] } as JSONWebKeySet)]).toEqual([false])

    const { pool } = first.database
    await pool.query(`update signing_key set signatures_until = now() where kid = $1`, [keptKey?.kid])
    const later = await keySetOf(third)
    expect([await isVerified(old, later), await isVerified(token, later)]).toEqual([false, true])
  })

  it('keeps a key until its longest-lived signature expires', async () => {
    const [service] = (await startRotatedServices(1)) as [TestService]
    const caller = await organization(service)
    const stored = async () => {
      const { rows } = await service.database.pool.query(
        `select purpose, first_used_at <= last_used_at as ordered,
           extract(epoch from signatures_until - last_used_at)::float8 as seconds from signing_key`,
      )
      return rows
    }

    await Promise.all([sign(service, caller, year), sign(service, caller, 60), sign(service, caller, 600)])
    await sign(service, caller, 60)

    const [row, ...others] = await stored()
    expect(others).toEqual([])
    expect(row).toMatchObject({ purpose: 'snapshot', ordered: true })
    expect(row.seconds).toBeGreaterThan(year)
    expect(row.seconds).toBeLessThan(year + 2 * 3_600)
  })

  it('stays available without the database, and later stores the validity of signatures made meanwhile', async () => {
    const proxy = await startDatabaseProxy(inject('databaseUrl'))
    const pool = createPool({ connectionString: proxy.url, max: 1, pooled: false, namedStatements: true })
    pool.on('error', () => {})
    onTestFinished(async () => {
      await pool.end()
      await proxy.close()
    })
    const open = () => new SigningKeys({ vault: createVault(randomBytes(32)), pool, freshMs: 0 })
    const keys = open()
    const now = Date.now()
    const { kid } = await keys.keyFor('snapshot', now + 60_000)
    const before = await keys.published()

    proxy.refuseConnections()

    expect(before.map((key) => key.kid)).toContain(kid)
    expect(await keys.published()).toEqual(before)
    expect((await keys.keyFor('snapshot', now + 120_000)).kid).toBe(kid)
    expect((await keys.keyFor('snapshot', now + year * 1000)).kid).toBe(kid)
    await expect(open().published()).rejects.toThrow()
    proxy.open()
    expect((await keys.keyFor('snapshot', now + year * 1000)).kid).toBe(kid)
    const { rows } = await pool.query('select signatures_until as until from signing_key where kid = $1', [kid])
    expect(rows[0].until.getTime()).toBeGreaterThanOrEqual(now + year * 1000)
  })

  it('may be cached for an hour, is 304 while it is unchanged, and may be read by pages of any site', async () => {
    const service = await startService(trustedLoopback)

    const { status, headers } = await send(service.url + path, 'GET', undefined, newAddress())
    const tag = headers.get('etag') as string
    const known = await send(service.url + path, 'GET', undefined, { ...newAddress(), 'if-none-match': tag })
    const head = await send(service.url + path, 'HEAD', undefined, newAddress())
    const knownHead = await send(service.url + path, 'HEAD', undefined, { ...newAddress(), 'if-none-match': tag })

    expect([status, known.status, head.status, knownHead.status]).toEqual([200, 304, 200, 304])
    expect(knownHead.headers.get('content-length')).toBeNull()
    for (const { headers } of [known, head]) {
      expect(headers.get('cache-control')).toBe('public, max-age=3600')
      expect(headers.get('etag')).toBe(tag)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
    expect(headers.get('content-type')).toBe('application/jwk-set+json')
  })

  it('may be read 60 times a minute from an address', async () => {
    const service = await startService(trustedLoopback)
    const address = newAddress()
    const read = () => send(service.url + path, 'GET', undefined, address)

    for (let n = 0; n < 60; n++) expect((await read()).status).toBe(200)

    const refused = await read()
    const seconds = refused.body.error.details.retry_after_seconds
    expectRefusal(refused, 'RATE_LIMITED', { retry_after_seconds: seconds }, /from your address/)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await send(service.url + path, 'GET', undefined, newAddress())).status).toBe(200)
  })
})
