import { describe, expect, it } from 'vitest'
import { invalidAddresses } from '../support/invalid-addresses.ts'
import { trustedLoopback } from '../support/person.ts'
import { expectInvalid } from '../support/refusal.ts'
import {
  type Caller,
  type LogEntry,
  noticesIn,
  send,
  sharedService,
  startService,
  type TestService,
} from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService(trustedLoopback)

const insideNetwork = { 'x-forwarded-for': '203.0.113.9' }
const outsideNetwork = { 'x-forwarded-for': '198.51.100.9' }

/** Creates a service account with this role; returns the path of its keys. */
async function createAccountWithKeysPath(admin: Caller, role = 'admin') {
  const { body } = await admin.rest('POST', '/org/service-accounts', { name: 'CI', role })
  return `/org/service-accounts/${body.service_account_id}/api-keys`
}

async function createBoundKey(at: TestService, allowed_networks: string[], role = 'admin') {
  const admin = await at.organization()
  const { body } = await admin.rest('POST', await createAccountWithKeysPath(admin, role), {
    name: 'first',
    allowed_networks,
  })
  return { admin, key: body.key as string }
}

/** Sends a request of each kind with the key, from this address; returns the statuses. */
async function tryEverywhere(at: TestService, key: string, from: Record<string, string>): Promise<number[]> {
  const headers = { 'x-api-key': key, ...from }
  const graphql = async (query: string) => {
    const { body } = await send(`${at.url}/graphql`, 'POST', { query }, headers)
    return body.errors?.[0].extensions.status ?? 200
  }
  return [
    (await send(`${at.url}/org`, 'GET', undefined, headers)).status,
    (await send(`${at.url}/org`, 'PATCH', { name: 'Acme' }, headers)).status,
    (await send(`${at.url}/org/subscribers/acme/entitlements`, 'GET', undefined, headers)).status,
    (await send(`${at.url}/org/subscribers/acme/entitlements/check`, 'POST', { feature: 'sso' }, headers)).status,
    await graphql('{ organization { name } }'),
    await graphql('{ check(subscriberId: "acme", feature: "sso") { allowed } }'),
  ]
}

const sixTimes = (status: number) => Array(6).fill(status)

async function createCatalog(admin: Caller): Promise<void> {
  await vendor(admin).feature('sso')
  await vendor(admin).subscriber('acme')
}

describe('a key that expires', () => {
  it('shows its expiry, and is refused from that time on', async () => {
    const admin = await service.organization()
    await createCatalog(admin)
    const path = await createAccountWithKeysPath(admin)

    const { body: made } = await admin.rest('POST', path, { name: 'first', expires_at: '2036-01-31T10:00:00+01:00' })

    expect(made.expires_at).toBe('2036-01-31T09:00:00.000Z')
    const { key, ...listed } = made
    expect((await admin.rest('GET', path)).body.keys).toEqual([listed])
    expect(await tryEverywhere(service, key, outsideNetwork)).toEqual(sixTimes(200))
    await service.database.pool.query('update api_key set expires_at = now() where key_id = $1', [made.key_id])
    expect(await tryEverywhere(service, key, outsideNetwork)).toEqual(sixTimes(401))
  })

  it('is recorded with its expiry and allowed networks', async () => {
    const admin = await service.organization()
    const path = await createAccountWithKeysPath(admin)
    const ends = { expires_at: '2036-01-31T09:00:00.000Z', allowed_networks: ['203.0.113.0/24'] }

    const { body: bound } = await admin.rest('POST', path, { name: 'bound', ...ends })
    const { body: free } = await admin.rest('POST', path, { name: 'free', expires_at: null, allowed_networks: null })

    expect(bound).toMatchObject(ends)
    expect(Object.keys(free)).toEqual(['key_id', 'key_prefix', 'name', 'created_at', 'last_used_at', 'key'])
    const { body } = await admin.rest('GET', '/org/audit-events?limit=2')
    expect(body.audit_events.map(({ details }: { details: object }) => details)).toEqual([
      { key_id: free.key_id, key_prefix: free.key_prefix, name: 'free' },
      { key_id: bound.key_id, key_prefix: bound.key_prefix, name: 'bound', ...ends },
    ])
  })

  it('cannot expire in the past', async () => {
    const admin = await service.organization()
    const path = await createAccountWithKeysPath(admin)

    const past = await admin.rest('POST', path, { name: 'x', expires_at: '2020-01-01T00:00:00Z' })
    const wrong = await admin.rest('POST', path, { name: 'x', expires_at: 'soon' })

    expectInvalid(past, ['expires_at', /in the future/])
    expectInvalid(wrong, ['expires_at', /RFC 3339/])
    expect((await admin.rest('GET', path)).body.keys).toEqual([])
  })
})

describe('a key bound to networks', () => {
  it('works only from its networks, in both APIs, for reads, writes and evals', async () => {
    const { admin, key } = await createBoundKey(service, ['203.0.113.0/24', '2001:db8::/32'])
    await createCatalog(admin)

    expect(await tryEverywhere(service, key, outsideNetwork)).toEqual(sixTimes(401))
    for (const address of ['203.0.113.9', '::ffff:203.0.113.77', '2001:db8:1::1']) {
      expect(await tryEverywhere(service, key, { 'x-forwarded-for': address }), address).toEqual(sixTimes(200))
    }
    for (const address of ['203.0.114.9', '2001:db9::1', '127.0.0.1', 'unknown']) {
      expect(await tryEverywhere(service, key, { 'x-forwarded-for': address }), address).toEqual(sixTimes(401))
    }
    expect(await tryEverywhere(service, admin.key, outsideNetwork)).toEqual(sixTimes(200))
  })

  it('counts towards no rate limit and causes no audit entry when it is sent from another network', async () => {
    const { admin, key } = await createBoundKey(service, ['203.0.113.0/24'], 'viewer')
    await createCatalog(admin)
    await tryEverywhere(service, key, insideNetwork)
    const readCounters = async () =>
      (
        await service.database.pool.query(
          `select second, second_used, month_used, (select count(*) from audit_event a where a.organization_id = c.organization_id)
             from eval_counter c where organization_id = $1`,
          [admin.organizationId],
        )
      ).rows
    const before = await readCounters()

    expect(await tryEverywhere(service, key, outsideNetwork)).toEqual(sixTimes(401))

    expect(await readCounters()).toEqual(before)
  })

  it('is accepted or refused independently of other evals that arrive at the same time', async () => {
    const { admin, key } = await createBoundKey(service, ['203.0.113.0/24'])
    await createCatalog(admin)
    const check = (with_: string, from: Record<string, string>) =>
      send(
        `${service.url}/org/subscribers/acme/entitlements/check`,
        'POST',
        { feature: 'sso' },
        { 'x-api-key': with_, ...from },
      )

    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          n % 2 ? check(admin.key, outsideNetwork) : check(key, n % 4 === 0 ? insideNetwork : outsideNetwork),
        ),
      )

      expect(answers.map(({ status }) => status)).toEqual(
        Array.from({ length: 40 }, (_, n) => (n % 4 === 2 ? 401 : 200)),
      )
    }
  })

  it('is refused from every address, with one line in the log, if clients can forge addresses', async () => {
    const log: LogEntry[] = []
    const trustful = await startService({ TRUST_PROXY: 'true', LOG_LEVEL: 'warn' }, log)
    const { admin, key } = await createBoundKey(trustful, ['203.0.113.0/24'])
    await createCatalog(admin)

    expect(await tryEverywhere(trustful, key, insideNetwork)).toEqual(sixTimes(401))
    expect(await tryEverywhere(trustful, key, insideNetwork)).toEqual(sixTimes(401))

    expect(await tryEverywhere(trustful, admin.key, insideNetwork)).toEqual(sixTimes(200))
    expect(noticesIn(log).map(({ msg }) => msg)).toEqual([expect.stringMatching(/TRUST_PROXY=true/)])
  })

  it('works behind proxies that add the port to the address', async () => {
    const { admin, key } = await createBoundKey(service, ['203.0.113.0/24', '2001:db8::/32'])
    await createCatalog(admin)

    for (const address of ['203.0.113.9:4711', '[2001:db8::1]:4711', '198.51.100.9, 203.0.113.9:80']) {
      expect(await tryEverywhere(service, key, { 'x-forwarded-for': address }), address).toEqual(sixTimes(200))
    }
    for (const address of ['203.0.114.9:4711', '[2001:db9::1]:4711', '203.0.113.9, 198.51.100.9:80']) {
      expect(await tryEverywhere(service, key, { 'x-forwarded-for': address }), address).toEqual(sixTimes(401))
    }
  })

  it('is refused, with one line in the log, if a proxy in its networks reports an address that is not valid', async () => {
    const log: LogEntry[] = []
    const behindOne = await startService({ TRUST_PROXY: '1', LOG_LEVEL: 'warn' }, log)
    for (const at of [behindOne, service]) {
      const { admin, key } = await createBoundKey(at, ['0.0.0.0/0', '::/0'])
      await createCatalog(admin)
      expect(await tryEverywhere(at, key, {})).toEqual(sixTimes(200))

      for (const entry of invalidAddresses) {
        expect(await tryEverywhere(at, key, { 'x-forwarded-for': entry }), entry).toEqual(sixTimes(401))
      }
      expect(await tryEverywhere(at, admin.key, { 'x-forwarded-for': 'unknown' })).toEqual(sixTimes(200))
    }
    expect(noticesIn(log).map(({ msg }) => msg)).toEqual([expect.stringMatching(/X-Forwarded-For/)])
  })

  it('has its networks stored in one notation, and accepts only 1 to 20 networks', async () => {
    const admin = await service.organization()
    const path = await createAccountWithKeysPath(admin)
    const make = (allowed_networks: unknown) => admin.rest('POST', path, { name: 'x', allowed_networks })

    const { body } = await make(['2001:DB8:0:0::/32', '::ffff:203.0.113.0/120', '10.0.0.1/32', '0.0.0.0/0'])

    expect(body.allowed_networks).toEqual(['2001:db8::/32', '203.0.113.0/24', '10.0.0.1/32', '0.0.0.0/0'])
    const wrong: unknown[] = [
      [],
      Array(21).fill('10.0.0.0/8'),
      '10.0.0.0/8',
      [1],
      ['10.0.0.1'],
      ['10.0.0.1/8'],
      ['10.0.0.0/33'],
    ]
    for (const networks of [...wrong, ['010.0.0.0/8'], ['::/129'], ['fe80::1%eth0/128'], ['example.org/8'], ['']]) {
      expectInvalid(await make(networks), ['allowed_networks', /1 to 20 networks in CIDR notation/])
    }
  })
})

describe('the filter for service accounts with an unused key', () => {
  it('finds active accounts with a valid key that was created before the given time and not used since', async () => {
    const admin = await service.organization()
    const add = async (name: string, columns: string | null) => {
      const { body: account } = await admin.rest('POST', '/org/service-accounts', { name, role: 'viewer' })
      const { service_account_id: id } = account
      if (columns !== null) {
        const { body } = await admin.rest('POST', `/org/service-accounts/${id}/api-keys`, { name })
        await service.database.pool.query(`update api_key set ${columns} where key_id = $1`, [body.key_id])
      }
      return account
    }
    const old = `created_at = now() - interval '1 year'`
    await add('without a key', null)
    await add('new', 'name = name')
    const never = await add('never used', old)
    await add('used', `${old}, last_used_at = now()`)
    const long = await add('used long ago', `${old}, last_used_at = now() - interval '100 days'`)
    await add('over', `${old}, expires_at = now()`)
    const disabled = await add('disabled', old)
    await admin.rest('PATCH', `/org/members/${disabled.member_id}`, { status: 'disabled' })
    const since = new Date(Date.now() - 90 * 86_400_000).toISOString()

    const { body } = await admin.rest('GET', `/org/service-accounts?unused_since=${since}`)
    const first = await admin.rest('GET', `/org/service-accounts?unused_since=${since}&limit=1`)
    const graphql = await admin.graphql(
      '($since: DateTime!) { serviceAccounts(filter: { unusedSince: $since }) { nodes { name } } }'.replace(
        /^/,
        'query ',
      ),
      { since },
    )

    const names = (list: { name: string }[]) => list.map(({ name }) => name)
    expect(names(body.service_accounts)).toEqual([never.name, long.name])
    expect(first.body).toMatchObject({ service_accounts: [{ name: never.name }], has_more: true })
    expect(names(graphql.body.data.serviceAccounts.nodes)).toEqual([never.name, long.name])
    expectInvalid(await admin.rest('GET', '/org/service-accounts?unused_since=soon'), ['unused_since', /RFC 3339/])
  })
})
