import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { rotateMasterKey } from '../../src/cli/rotate-master-key.ts'
import { createVault } from '../../src/core/vault.ts'
import { deriveAuditKeys } from '../../src/database/master-key.ts'
import { signatureHeaders } from '../../worker/signature.ts'
import { chainAllEntries, runAuditExport, runAuditVerify, writeLines } from '../audit-chain/chain.ts'
import { onlyLine, run, runCommand } from '../start/server-process.ts'
import { createDeliveryTest } from '../support/delivery.ts'
import { holdLocks } from '../support/hold-locks.ts'
import { limitOf } from '../support/limit-of.ts'
import { testMasterKey } from '../support/master-key.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { newAddress } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { startApiProcess, startWorkerProcess } from '../support/server-process.ts'
import { type Caller, callerOf, send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

type Keys = { MASTER_KEY: string; MASTER_KEY_PREVIOUS?: string }

const newKey = () => randomBytes(32).toString('base64')

/** The credentials of a person, a product and an auditor, all made by one process. */
type Credentials = { token: string; subscriberToken: string; snapshot: string; keySet: JSONWebKeySet }

/** A database with an organization, a receiver and an account, and servers and workers that are started with keys. */
async function installation(first: Keys) {
  const DATABASE_URL = await createOwnDatabase()
  const shared = { DATABASE_URL, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', TRUST_PROXY: '127.0.0.1', SIGN_UP: 'open' }
  const receiver = await startReceiver()
  const service = await startService({ ...shared, ...first })
  const { database, organization } = service
  const identity = await organization()
  const api = (keys: Keys) => startApiProcess({ ...shared, ...keys })
  const startTestService = (keys: Keys) => startService({ ...shared, ...keys })
  const startTestWorker = async (keys: Keys) =>
    (await createDeliveryTest(DATABASE_URL, { ...shared, ...keys })).worker()
  const callerAt = (url: string): Caller => callerOf(url, identity)
  const account = { email: 'ada@example.org', password: 'correct horse', display_name: 'Ada' }

  async function createCredentials(url: string): Promise<Credentials> {
    const signedIn = await send(`${url}/user/sign-in`, 'POST', account, newAddress())
    const tokenAnswer = await callerAt(url).rest('POST', '/org/subscribers/acme/tokens', {})
    const headers = { 'x-api-key': identity.key, accept: 'application/jwt' }
    const snapshot = await (await fetch(`${url}/org/subscribers/acme/entitlements`, { headers })).text()
    const keySet = (await send(`${url}/.well-known/jwks.json`, 'GET', undefined, newAddress())).body
    return { token: signedIn.body.token, subscriberToken: tokenAnswer.body.token, snapshot, keySet }
  }

  /** Whether this process accepts the credentials of another one. */
  async function accepts(url: string, { token, subscriberToken, snapshot, keySet }: Credentials): Promise<boolean[]> {
    const person = await send(`${url}/user`, 'GET', undefined, { authorization: `Bearer ${token}`, ...newAddress() })
    const path = '/org/subscribers/acme/entitlements'
    const product = await send(url + path, 'GET', undefined, { authorization: `Bearer ${subscriberToken}` })
    const listed = (await send(`${url}/.well-known/jwks.json`, 'GET', undefined, newAddress())).body
    const isSigned = (keys: JSONWebKeySet) => jwtVerify(snapshot, createLocalJWKSet(keys)).then(Boolean, () => false)
    // 429 means that the token is accepted, but has used up its five evals of this second.
    const isKnown = [200, 429].includes(product.status)
    return [person.status === 200, isKnown, await isSigned(listed), await isSigned(keySet)]
  }

  return {
    ...{ DATABASE_URL, shared, receiver, database, identity, callerAt, account, createCredentials, accepts },
    /** Runs in the tests' process, with the first keys. */
    first: service,
    serve: startTestService,
    work: startTestWorker,
    /** Runs in a process of its own. */
    api,
  }
}

type Installation = Awaited<ReturnType<typeof installation>>

/** Creates the data of a new customer: a webhook, an invite and an account. */
async function createCustomerData(
  { callerAt, receiver, account }: Installation,
  url: string,
): Promise<{ secret: string; link: string }> {
  const caller = callerAt(url)
  await vendor(caller).feature('seats', { kind: 'limit' })
  await vendor(caller).subscriber('acme')
  const { secret } = (await caller.rest('PUT', '/org/webhook', { url: receiver.url })).body
  const { link } = (await caller.rest('POST', '/org/invites', { role: 'viewer' })).body
  await send(`${url}/user/sign-up`, 'POST', account, newAddress())
  return { secret, link }
}

const rotate = ({ shared }: Installation, keys: Keys, ...args: string[]) =>
  runCommand('master-key-rotate', args, { ...shared, ...keys })

/** Kills the command when it has encrypted the webhook's secret again and is waiting for a locked invite. */
async function interruptRotation({ shared, database }: Installation, keys: Keys): Promise<void> {
  const secrets = async () => (await database.pool.query('select secret from webhook_endpoint')).rows
  const before = await secrets()
  const release = await holdLocks(database.pool, 'select from invite for update')
  const { child, ended } = run({ script: 'src/cli/master-key-rotate.ts', env: { ...shared, ...keys } })
  await until(async () => !isDeepStrictEqual(await secrets(), before))
  child.kill('SIGKILL')
  await ended
  await release()
}

/** Two rollouts start twelve processes, one after the other. */
const timeout = limitOf(300_000)

describe('the master key', () => {
  it('is replaced in two rollouts under load, each process killed in turn: nothing is lost and everything verifies', {
    timeout,
  }, async () => {
    const [old, fresh] = [newKey(), newKey()]
    const rollouts: Keys[] = [
      { MASTER_KEY: old, MASTER_KEY_PREVIOUS: fresh },
      { MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: old },
    ]
    const installed = await installation({ MASTER_KEY: old })
    const { api, callerAt, createCredentials, accepts, receiver, shared } = installed
    const apis = await Promise.all([api({ MASTER_KEY: old }), api({ MASTER_KEY: old })])
    let worker = await startWorkerProcess({ ...shared, MASTER_KEY: old })
    const { secret, link } = await createCustomerData(installed, apis[0].url)
    const credentials = [await createCredentials(apis[0].url)]
    const keptHeads = writeLines([
      JSON.stringify((await callerAt(apis[0].url).rest('GET', '/org/audit-events/head')).body),
    ])
    const keysBefore = writeLines([JSON.stringify(credentials[0]?.keySet)])

    let isOver = false
    let written = 0
    // Writes go only to the process that is not being replaced.
    let target = 1
    const writing = (async () => {
      while (!isOver) {
        const answer = await callerAt((apis[target] as (typeof apis)[0]).url)
          .rest('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit: written })
          .catch(() => null)
        if (answer) expect(answer.status).toBe(200)
        if (answer) written += 1
        await wait(20)
      }
    })()
    for (const keys of rollouts) {
      for (const index of [0, 1] as const) {
        target = 1 - index
        const seen = written
        await until(async () => written > seen + 5)
        await apis[index].end('SIGKILL')
        apis[index] = await api(keys)
        credentials.push(await createCredentials(apis[index].url))
        // Each process accepts all credentials, whichever process made them.
        for (const { url } of apis)
          for (const each of credentials) expect(await accepts(url, each)).toEqual([true, true, true, true])
      }
      const received = receiver.received.length
      await until(async () => receiver.received.length > received)
      await worker.end('SIGKILL')
      worker = await startWorkerProcess({ ...shared, ...keys })
    }
    const [, swapped] = rollouts as [Keys, Keys]
    await interruptRotation(installed, swapped)
    const rotated = await rotate(installed, swapped)
    isOver = true
    await writing
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('you can remove MASTER_KEY_PREVIOUS') })
    expect((await rotate(installed, swapped)).stdout).toMatch(/^0 secrets are encrypted with the new key, and 0 heads/)

    await worker.end('SIGTERM')
    await startWorkerProcess({ ...shared, MASTER_KEY: fresh })
    const alone = await api({ MASTER_KEY: fresh })
    const { invites } = (await callerAt(alone.url).rest('GET', '/org/invites')).body
    expect(invites.map((invite: { link: string }) => invite.link.split('#')[1])).toEqual([link.split('#')[1]])
    await callerAt(alone.url).rest('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit: 1_000_000 })
    await until(async () => receiver.received.some(({ body }) => body.includes('acme') && body.length > 0))
    await until(async () => (await installed.database.prisma.webhookEvent.count({ where: { state: 'queued' } })) === 0)
    for (const { id, headers, body } of receiver.received) {
      const now = new Date(Number(headers['x-service-webhook-timestamp']) * 1000)
      expect(headers).toMatchObject(signatureHeaders({ id, body: Buffer.from(body), secret, now }))
    }
    // Also verifies against a head that the old key signed.
    const kinds = [
      '--database',
      '--organization',
      installed.identity.organizationId,
      '--head',
      keptHeads,
      '--keys',
      keysBefore,
    ]
    expect(await runAuditVerify({ ...shared, MASTER_KEY: fresh }, ...kinds)).toEqual([])

    const refused = run({ args: ['api'], env: { ...shared, MASTER_KEY: old } })
    expect(onlyLine(await refused.ended)).toMatch(/^MASTER_KEY is not the key of this database/)
  })

  it('is replaced if it is compromised: its public keys leave the key set at once, and its tokens give no access after the restart', async () => {
    const [old, fresh] = [newKey(), newKey()]
    const installed = await installation({ MASTER_KEY: old })
    const { first } = installed
    await createCustomerData(installed, first.url)
    const credentials = await installed.createCredentials(first.url)
    await first.stop()
    const swapped = { MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: old }
    const between = await installed.serve(swapped)

    const rotated = await rotate(installed, swapped, '--compromised')
    expect(rotated.stdout).toContain('Start all processes again without MASTER_KEY_PREVIOUS now')
    expect(rotated.stdout).toContain('POST /org/webhook/rotate')
    const kids = credentials.keySet.keys.map(({ kid }) => kid)
    const listed = async (url: string) =>
      ((await send(`${url}/.well-known/jwks.json`, 'GET', undefined, newAddress())).body as JSONWebKeySet).keys.filter(
        ({ kid }) => kids.includes(kid),
      ).length
    await until(async () => (await listed(between.url)) === 0)
    await between.stop()

    const after = await installed.serve({ MASTER_KEY: fresh })
    expect(await installed.accepts(after.url, credentials)).toEqual([false, false, false, true])
  })

  it('is replaced if it is lost: everything that it protected is created again, and everything works', async () => {
    const [old, fresh] = [newKey(), newKey()]
    const installed = await installation({ MASTER_KEY: old })
    const { shared, identity, callerAt, first } = installed
    const worker = await installed.work({ MASTER_KEY: old })
    const { secret, link } = await createCustomerData(installed, first.url)
    const headOf = async (url: string) => (await callerAt(url).rest('GET', '/org/audit-events/head')).body
    await until(async () => (await headOf(first.url)).position > 3 && (await headOf(first.url)).unchained === 0)
    const oldHead = await headOf(first.url)
    const oldKeys = writeLines([JSON.stringify((await send(`${first.url}/.well-known/jwks.json`, 'GET')).body)])
    const lose = (...args: string[]) => rotate(installed, { MASTER_KEY: fresh }, '--lost', ...args)
    await first.stop()
    await worker.stop()

    const refusal = await lose()
    expect(refusal).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes is required') })
    for (const lost of ['secrets of 1 webhooks', 'links of 1 open invites', 'sign-ins', '1 audit logs'])
      expect(refusal.stderr).toContain(lost)
    expect(onlyLine(await run({ args: ['api'], env: { ...shared, MASTER_KEY: fresh } }).ended)).toMatch(
      /^MASTER_KEY is not the key of this database.*master-key:rotate -- --lost/,
    )
    expect(await lose('--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(onlyLine(await lose('--yes'))).toBe('This is the key of this database: nothing is lost.')

    const after = await installed.serve({ MASTER_KEY: fresh })
    const chaining = await installed.work({ MASTER_KEY: fresh })
    const { status, body } = await callerAt(after.url).rest('GET', '/org/invites')
    expect({ status, links: body.invites.map((invite: { link: string | null }) => invite.link) }).toEqual({
      status: 200,
      links: [null],
    })
    const inGraphql = await callerAt(after.url).graphql('{ invites(first: 5) { nodes { link } } }')
    expect(inGraphql.body).toEqual({ data: { invites: { nodes: [{ link: null }] } } })
    const renewed = (await callerAt(after.url).rest('POST', '/org/webhook/rotate')).body.secret
    expect(renewed).not.toBe(secret)
    const received = installed.receiver.received.length
    await vendor(callerAt(after.url)).override('acme', 'seats', { kind: 'limit', limit: 9 })
    await until(async () => installed.receiver.received.length > received)
    const {
      id,
      headers,
      body: sent,
    } = installed.receiver.received.at(-1) as (typeof installed.receiver.received)[number]
    const now = new Date(Number(headers['x-service-webhook-timestamp']) * 1000)
    expect(headers).toMatchObject(signatureHeaders({ id, body: Buffer.from(sent), secret: renewed, now }))
    const account = await send(`${after.url}/user/sign-in`, 'POST', installed.account, newAddress())
    const joining = { invite: link.split('#')[1] }
    const joined = await send(`${after.url}/user/organizations/join`, 'POST', joining, {
      authorization: `Bearer ${account.body.token}`,
      ...newAddress(),
    })
    expect([account.status, joined.status]).toEqual([200, 200])

    // The first new record follows the hash of the old head.
    await until(async () => (await headOf(after.url)).position > oldHead.position)
    const lines = await runAuditExport({ ...shared, MASTER_KEY: fresh }, identity.organizationId)
    expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'cut', position: oldHead.position, hash: oldHead.hash },
      { kind: 'entry', position: oldHead.position + 1, before: oldHead.hash },
    ])
    const keys = writeLines([JSON.stringify((await send(`${after.url}/.well-known/jwks.json`, 'GET')).body)])
    expect(await runAuditVerify({}, '--file', writeLines(lines), '--keys', keys)).toEqual([])
    const verified = await runCommand('audit-verify', ['--database'], { ...shared, MASTER_KEY: fresh })
    expect(verified).toMatchObject({
      code: 0,
      stderr: `${identity.organizationId}: the records up to ${oldHead.position} cannot be verified, because their key was lost.\n`,
    })
    const oldOne = writeLines([JSON.stringify({ organization_id: identity.organizationId, ...oldHead })])
    const withOld = (...more: string[]) =>
      runAuditVerify({ ...shared, MASTER_KEY: fresh }, '--database', '--head', oldOne, ...more)
    expect(await withOld()).toEqual([['unknown key', `${oldHead.position}`, 'head']])
    expect(await withOld('--keys', oldKeys)).toEqual([])

    // Replacing the key in the usual way keeps the beginning of the chain.
    const next = newKey()
    await chaining.stop()
    const turned = { MASTER_KEY: next, MASTER_KEY_PREVIOUS: fresh }
    expect(await rotate(installed, turned)).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommand('audit-verify', ['--database'], { ...shared, MASTER_KEY: next })).toMatchObject({ code: 0 })
  })

  it('is replaced together with the signatures of all heads, except heads that neither key signed', async () => {
    const { database, organization } = await startService({ DATABASE_URL: await createOwnDatabase() })
    const { pool } = database
    const [honest, changed] = [await organization(), await organization()]
    for (const caller of [honest, changed]) {
      await vendor(caller).subscriber('acme')
      await chainAllEntries(pool, caller.organizationId)
    }
    await pool.query(`update audit_chain set hash = repeat('ab', 32) where organization_id = $1`, [
      changed.organizationId,
    ])
    const vault = createVault(randomBytes(32), Buffer.from(testMasterKey, 'base64'))

    const text = await rotateMasterKey({ pool, vault, compromised: false, show: () => {} })

    expect(text).toContain('and 1 heads of audit logs are signed with it.')
    expect(text).toContain('1 audit logs end with a head that neither key signed')
    const [fresh, old] = deriveAuditKeys(vault)
    const kidOf = async ({ organizationId }: Caller) =>
      (await pool.query('select kid from audit_chain where organization_id = $1', [organizationId])).rows[0].kid
    expect([await kidOf(honest), await kidOf(changed)]).toEqual([fresh.kid, old?.kid])
  })

  it('is replaced only if the command gets two different keys', async () => {
    const key = newKey()
    const installed = await installation({ MASTER_KEY: key })
    expect(onlyLine(await rotate(installed, { MASTER_KEY: key }))).toMatch(/^MASTER_KEY_PREVIOUS is not set/)
    expect(onlyLine(await rotate(installed, { MASTER_KEY: key, MASTER_KEY_PREVIOUS: key }))).toBe(
      'MASTER_KEY and MASTER_KEY_PREVIOUS are the same key.',
    )
  })

  it('is needed to read any secret: a copy of the database contains none, as text or as bytes', async () => {
    const keys = { MASTER_KEY: newKey() }
    const installed = await installation(keys)
    const { url } = installed.first
    const { secret, link } = await createCustomerData(installed, url)
    const { token, subscriberToken } = await installed.createCredentials(url)
    const [, invite = ''] = link.split('#')
    const secrets = [
      installed.identity.key,
      secret,
      invite,
      installed.account.password,
      token,
      subscriberToken,
      keys.MASTER_KEY,
    ]
    const { pool } = installed.database
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    )
    for (const { name } of rows) {
      const stored = await pool.query(`select coalesce(string_agg(to_jsonb(t)::text, ' '), '') as text from ${name} t`)
      const { text } = stored.rows[0]
      for (const plain of secrets) {
        expect(text, name).not.toContain(plain)
        expect(text, name).not.toContain(Buffer.from(plain).toString('hex'))
      }
    }
  })
})

describe('--no-delivery', () => {
  it('sends nothing, says so, and leaves waiting events for a later start', async () => {
    const keys = { MASTER_KEY: newKey() }
    const installed = await installation(keys)
    const { url } = installed.first
    await createCustomerData(installed, url)
    await vendor(installed.callerAt(url)).override('acme', 'seats', { kind: 'limit', limit: 3 })
    const quiet = run({
      args: ['--no-delivery'],
      env: { ...installed.shared, ...keys, PROCESSES: '2', LOG_LEVEL: 'warn' },
    })
    await until(async () => quiet.stderr().endsWith('\n\n'))
    expect(quiet.stderr()).toContain('No webhooks are sent (--no-delivery)')
    expect(quiet.stdout()).toContain('this process sends no webhooks (--no-delivery)')
    const [, own = ''] = /REST +(\S+)\/org\n/.exec(quiet.stderr()) ?? []
    const caller = installed.callerAt(own)
    expect((await caller.graphql('{ viewer { sendsWebhooks } }')).body.data.viewer.sendsWebhooks).toBe(false)
    expect((await installed.callerAt(url).graphql('{ viewer { sendsWebhooks } }')).body.data.viewer.sendsWebhooks).toBe(
      true,
    )
    expect((await caller.rest('POST', '/org/webhook/test')).status).toBe(201)
    const { prisma, pool } = installed.database
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 4, expires_at: expiresAt })
    await pool.query('update override set expires_at = clock_timestamp()')
    // The worker runs: it processes the expiry, and chains the log.
    await until(async () => (await prisma.webhookEvent.count()) >= 4)
    expect(await prisma.webhookAttempt.count()).toBe(0)
    expect(installed.receiver.received).toEqual([])
    quiet.child.kill('SIGTERM')
    await quiet.ended

    await installed.work(keys)
    await until(async () => (await prisma.webhookEvent.count({ where: { state: 'queued' } })) === 0)
    expect(new Set(installed.receiver.ids()).size).toBe(await prisma.webhookEvent.count())
  })

  it('is the only option of a start: any other argument is refused, because it may be a misspelling', async () => {
    const started = run({ args: ['api', '--no-delivry'], env: {} })
    expect(onlyLine(await started.ended)).toBe(
      '--no-delivry is not an option of the server. The only option is --no-delivery: it sends no webhooks.',
    )
  })
})
