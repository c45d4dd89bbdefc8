import { glob, mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toEntry } from '../../src/client/cache.ts'
import type { Snapshot } from '../../src/client/snapshot.ts'
import { StoredAnswers } from '../../src/relay/stored-answers.ts'
import { startVendor } from '../support/client.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { expectRefusal } from '../support/refusal.ts'
import { relayToken, startRelay, type TestRelay } from '../support/relay.ts'
import { type LogEntry, send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const check = '/org/subscribers/acme/entitlements/check'

/** Starts a relay that has answered about `acme`, and whose upstream a proxy can make unavailable. */
async function startProxiedRelay(env: Record<string, string> = {}, log?: LogEntry[]) {
  const { admin, access } = await startVendor(service)
  const port = Number(new URL(service.url).port)
  const proxy = await startProxy(port)
  onTestFinished(() => proxy.close())
  const behind = { ...access, baseUrl: `http://127.0.0.1:${proxy.port}` }
  const relay = await startRelay(behind, env, log)
  await untilReady(relay)
  expect((await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit).toBe(5)
  return { admin, access: behind, proxy, port, relay, ...vendor(admin) }
}

const untilReady = (relay: TestRelay) =>
  until(async () => (await send(`${relay.url}/readyz`, 'GET')).body.status === 'ready')

async function disconnectUpstream({
  proxy,
  relay,
}: Pick<Awaited<ReturnType<typeof startProxiedRelay>>, 'proxy' | 'relay'>): Promise<void> {
  proxy.routeTo(null)
  relay.sleep(11_000)
  relay.hurry()
}

function reconnectUpstream({ proxy, port, relay }: Awaited<ReturnType<typeof startProxiedRelay>>): void {
  relay.takeTime()
  proxy.routeTo(port)
}

/** Starts a relay that has answered with an override for one hour, and whose upstream has then become unavailable. */
async function startWithHourLongOverride(): Promise<TestRelay> {
  const abandoned = await startProxiedRelay()
  const { relay, override } = abandoned
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  await override('acme', 'seats', { kind: 'limit', limit: 9, expires_at })
  await until(async () => (await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit === 9)
  await disconnectUpstream(abandoned)
  return relay
}

/** An answer about the subscriber, which `StoredAnswers` can store, and the warnings that it logs. */
function knowledgeOf(subscriber_id: string) {
  const snapshot: Snapshot = { subscriber_id, plan: 'pro', entitlements: [], valid_until: null }
  const endsAt = Number.POSITIVE_INFINITY
  const entry = toEntry(snapshot, { etag: null, sentAt: 0, receivedAt: 0, endsAt, isStale: false })
  const logged: unknown[] = []
  return { get: () => entry, logged, logger: { warn: (...parameters: unknown[]) => void logged.push(parameters) } }
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

async function createFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'relay-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

describe('while the upstream is unavailable', () => {
  it('the last known answer is given, with its age', async () => {
    const abandoned = await startProxiedRelay()
    await disconnectUpstream(abandoned)
    const { relay } = abandoned

    const answer = await relay.caller.rest('POST', check, { feature: 'seats' })

    expect(answer).toMatchObject({ status: 200, body: { limit: 5, source: 'plan' } })
    expect(answer.headers.get('x-entitlements-from')).toBe('last-known')
    expect(Number(answer.headers.get('age'))).toBeGreaterThanOrEqual(10)
    expect(await send(`${relay.url}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'degraded' } })
    expectRefusal(await relay.caller.rest('GET', '/org/changes'), 'SERVICE_UNAVAILABLE', null)
  })

  it('checks of a subscriber that was never seen are 503, with one warning in the log and no error for each', async () => {
    const log: LogEntry[] = []
    const abandoned = await startProxiedRelay({}, log)
    await disconnectUpstream(abandoned)

    const answer = await abandoned.relay.caller.rest('GET', '/org/subscribers/new/entitlements')

    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(log.filter(({ level }) => level >= 50)).toEqual([])
    expect(log.some(({ msg }) => /did not answer/.test(msg))).toBe(true)
  })

  it("the log says when the relay follows the upstream's changes again", async () => {
    const log: LogEntry[] = []
    const abandoned = await startProxiedRelay({}, log)
    const { relay } = abandoned
    const followed = () => log.filter(({ msg }) => msg === 'the relay follows the changes of RELAY_UPSTREAM_URL').length
    expect(followed()).toBe(1)
    await disconnectUpstream(abandoned)
    await relay.caller.rest('POST', check, { feature: 'seats' })

    reconnectUpstream(abandoned)

    await until(async () => {
      await relay.caller.rest('POST', check, { feature: 'seats' })
      return followed() > 1
    })
  })

  it('every request is 503 with RELAY_ON_UNAVAILABLE=error', async () => {
    const abandoned = await startProxiedRelay({ RELAY_ON_UNAVAILABLE: 'error' })
    await disconnectUpstream(abandoned)
    const { relay } = abandoned

    expectRefusal(await relay.caller.rest('POST', check, { feature: 'seats' }), 'SERVICE_UNAVAILABLE', null)
    expect((await send(`${relay.url}/readyz`, 'GET')).status).toBe(503)
    const flag = await relay.caller.rest('POST', '/ofrep/v1/evaluate/flags/sso', { context: { targetingKey: 'acme' } })
    expect(flag).toMatchObject({ status: 503, body: { key: 'sso', errorCode: 'GENERAL' } })
  })

  it('every check is denied with RELAY_ON_UNAVAILABLE=deny, even for subscribers that the relay has never seen', async () => {
    const abandoned = await startProxiedRelay({ RELAY_ON_UNAVAILABLE: 'deny' })
    await disconnectUpstream(abandoned)
    const { relay } = abandoned
    const ask = async (id: string, feature: string) => {
      const path = `/org/subscribers/${id}/entitlements/check`
      const response = await fetch(relay.url + path, {
        method: 'POST',
        headers: { 'x-api-key': relay.caller.key, 'content-type': 'application/json' },
        body: JSON.stringify({ feature }),
      })
      return { status: response.status, body: await response.json() }
    }

    for (const id of ['acme', 'new']) {
      for (const [feature, kind] of [
        ['sso', 'flag'],
        ['seats', 'limit'],
        ['color', 'config'],
      ] as const) {
        const no = { feature, kind, allowed: false, limit: 0, value: null, source: 'none', expires_at: null }
        expect(await ask(id, feature)).toEqual({ status: 200, body: no })
      }
    }
  })

  it('an override that ended during the outage is not used as an answer', async () => {
    const relay = await startWithHourLongOverride()
    expect((await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit).toBe(9)

    relay.sleep(3_700_000)

    expectRefusal(await relay.caller.rest('POST', check, { feature: 'seats' }), 'SERVICE_UNAVAILABLE', null)
    expect((await relay.caller.rest('POST', check, { feature: 'sso' })).body.allowed).toBe(true)
  })

  it('an override that ended during the outage is not shown in a snapshot, many snapshots or all flags', async () => {
    const relay = await startWithHourLongOverride()
    const snapshot = () => relay.caller.rest('GET', '/org/subscribers/acme/entitlements')
    expect((await snapshot()).status).toBe(200)

    relay.sleep(3_700_000)

    expectRefusal(await snapshot(), 'SERVICE_UNAVAILABLE', null)
    const many = await relay.caller.rest('POST', '/org/entitlements', { subscriber_ids: ['acme'] })
    expectRefusal(many, 'SERVICE_UNAVAILABLE', null)
    const flags = await relay.caller.rest('POST', '/ofrep/v1/evaluate/flags', { context: { targetingKey: 'acme' } })
    expect(flags).toMatchObject({ status: 503, body: { errorCode: 'GENERAL' } })
  })

  it('changes made during the outage show in answers once the upstream is back', async () => {
    const abandoned = await startProxiedRelay()
    const { relay, override } = abandoned
    await disconnectUpstream(abandoned)
    await override('acme', 'seats', { kind: 'limit', limit: 9 })
    expect((await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit).toBe(5)

    reconnectUpstream(abandoned)

    await until(async () => (await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit === 9)
  })

  it('an upstream that hangs delays nobody for longer than the client waits', async () => {
    const { access } = await startVendor(service)
    const faulty = await startFaultyProxy(access.baseUrl)
    faulty.faults.push(...Array<'hang'>(20).fill('hang'))
    const relay = await startRelay({ ...access, baseUrl: faulty.url }, { RELAY_ON_UNAVAILABLE: 'deny' })
    relay.hurry()

    const answer = await fetch(`${relay.url}/org/subscribers/acme/entitlements`, {
      headers: { 'x-api-key': relay.caller.key },
    })

    expect(await answer.json()).toEqual({ subscriber_id: 'acme', plan: null, entitlements: [], valid_until: null })
  })
})

describe('behind a relay whose upstream is unavailable', () => {
  it("a second relay mistakes neither the first one's denials for answers, nor its old answers for fresh ones", async () => {
    const abandoned = await startProxiedRelay({ RELAY_ON_UNAVAILABLE: 'deny' })
    const behind = await startRelay({ baseUrl: abandoned.relay.url, apiKey: relayToken })
    await untilReady(behind)
    expect((await behind.caller.rest('POST', check, { feature: 'seats' })).body.limit).toBe(5)
    await disconnectUpstream(abandoned)
    behind.sleep(11_000)

    const known = await behind.caller.rest('POST', check, { feature: 'seats' })

    expect(known).toMatchObject({ status: 200, body: { limit: 5 } })
    expect(known.headers.get('x-entitlements-from')).toBe('last-known')
    expect(Number(known.headers.get('age'))).toBeGreaterThanOrEqual(10)
    expectRefusal(await behind.caller.rest('GET', '/org/subscribers/new/entitlements'), 'SERVICE_UNAVAILABLE', null)
  })
})

it("a relay that starts behind an unavailable relay reports the age of that relay's answer", async () => {
  const abandoned = await startProxiedRelay()
  const behind = await startRelay({ baseUrl: abandoned.relay.url, apiKey: relayToken })
  await untilReady(behind)
  abandoned.proxy.routeTo(null)
  for (const relay of [abandoned.relay, behind]) relay.sleep(6_000)

  const answer = await behind.caller.rest('POST', check, { feature: 'seats' })

  expect(answer).toMatchObject({ status: 200, body: { limit: 5 } })
  expect(Number(answer.headers.get('age'))).toBeGreaterThanOrEqual(6)
})

it('a revoked key counts as an unavailable upstream, and the log says why', async () => {
  const log: LogEntry[] = []
  const { admin, relay, access } = await startProxiedRelay({}, log)
  const { service_accounts: accounts } = (await admin.rest('GET', '/org/service-accounts')).body
  for (const { service_account_id: id, name } of accounts) {
    if (name === 'evaluator') await admin.rest('DELETE', `/org/service-accounts/${id}`)
  }
  await until(
    async () =>
      (await fetch(`${access.baseUrl}/org/changes`, { headers: { 'x-api-key': access.apiKey } })).status === 401,
  )
  relay.sleep(11_000)

  await until(async () => {
    const answer = await relay.caller.rest('POST', check, { feature: 'seats' })
    expect(answer).toMatchObject({ status: 200, body: { limit: 5 } })
    return answer.headers.get('x-entitlements-from') === 'last-known'
  })
  await until(() => log.some(({ code }) => code === 'UNAUTHORIZED'))
})

describe('the rate and the allotment of the organization', () => {
  it.each([
    [429, 'last-known', 'RATE_LIMITED', { retry_after_seconds: 1 }],
    [409, 'last-known', 'CONFLICT', { field: 'evals', value: 10 }],
    [429, 'deny', 'RATE_LIMITED', { retry_after_seconds: 1 }],
    [409, 'deny', 'CONFLICT', { field: 'evals', value: 10 }],
  ] as const)(
    'refuse a check as the service does if the relay knows no answer: %s with RELAY_ON_UNAVAILABLE=%s',
    async (status, RELAY_ON_UNAVAILABLE, code, details) => {
      const { access } = await startVendor(service)
      const faulty = await startFaultyProxy(access.baseUrl)
      const relay = await startRelay({ ...access, baseUrl: faulty.url }, { RELAY_ON_UNAVAILABLE })
      await untilReady(relay)
      const body = JSON.stringify({ error: { type: 'invalid_request_error', code, message: 'Too many.', details } })
      faulty.faults.push(...Array(50).fill({ status, body, headers: { 'retry-after': '1' } }))

      expectRefusal(await relay.caller.rest('GET', '/org/subscribers/acme/entitlements'), code, details)
    },
  )
})

describe('with RELAY_STORE', () => {
  it('the last answers survive a restart while the upstream is unavailable', async () => {
    const RELAY_STORE = await createFolder()
    const { relay, proxy, access } = await startProxiedRelay({ RELAY_STORE })
    await relay.stop()
    proxy.routeTo(null)

    const next = await startRelay(access, { RELAY_STORE })
    next.hurry()

    await until(async () => {
      const { status, body, headers } = await next.caller.rest('POST', check, { feature: 'seats' })
      return status === 200 && body.limit === 5 && headers.get('x-entitlements-from') === 'last-known'
    })
    expect((await send(`${next.url}/readyz`, 'GET')).body).toEqual({ status: 'degraded' })
  })

  it('stored answers are refreshed at the start, unless RELAY_WARM=none', async () => {
    const RELAY_STORE = await createFolder()
    const { relay, access } = await startProxiedRelay({ RELAY_STORE })
    await relay.stop()

    const warm = await startRelay(access, { RELAY_STORE })
    await until(() => warm.upstreamRequests.includes('GET /org/subscribers/acme/entitlements'))
    const cold = await startRelay(access, { RELAY_STORE, RELAY_WARM: 'none' })
    await untilReady(cold)
    expect(cold.upstreamRequests.filter((each) => each !== 'GET /org/changes')).toEqual([])
  })

  it('a temporary file that a killed process has left behind is not used', async () => {
    const folder = await createFolder()
    const { relay, access } = await startProxiedRelay({ RELAY_STORE: folder })
    await relay.stop()
    const owner = `${access.baseUrl} ${access.apiKey}`
    const logger = pino({ level: 'silent' })
    const stored = new StoredAnswers({ folder, owner, logger, get: () => undefined, now: () => 0 })
    const read = async () => {
      const ids: string[] = []
      for await (const { snapshot } of stored.readAll()) ids.push(snapshot.subscriber_id)
      return ids
    }
    expect(await read()).toEqual(['acme'])

    for await (const file of glob(join(folder, '*', '*', '*.json'))) await rename(file, `${file}.1.0`)

    expect(await read()).toEqual([])
  })

  it('an answer that could not be stored leaves no temporary file behind', async () => {
    const folder = await createFolder()
    const { get, logged, logger } = knowledgeOf('acme')
    const stored = new StoredAnswers({ folder, owner: '', logger, get, now: () => 0 })
    stored.storeSoon('acme')
    await stored.close()
    const [file = ''] = await listOf(glob(join(folder, '*', '*', '*.json')))
    // Nobody can replace a folder that has content by a file, not even root.
    await rm(file)
    await mkdir(join(file, 'content'), { recursive: true })

    stored.storeSoon('acme')
    await stored.close()

    expect(logged).toHaveLength(1)
    expect(await readdir(dirname(file))).toEqual([basename(file)])
  })

  it('temporary files that killed processes left behind more than an hour ago are deleted', async () => {
    const folder = await createFolder()
    const { get, logger } = knowledgeOf('acme')
    const stored = new StoredAnswers({ folder, owner: '', logger, get, now: () => 0 })
    stored.storeSoon('acme')
    await stored.close()
    const [file = ''] = await listOf(glob(join(folder, '*', '*', '*.json')))
    for (const name of [`${file}.1.0`, `${file}.1.1`, join(dirname(file), 'notes')]) await writeFile(name, '{')
    const long = new Date(Date.now() - 2 * 3_600_000)
    for (const name of [file, `${file}.1.0`, join(dirname(file), 'notes')]) await utimes(name, long, long)

    await listOf(stored.readAll())

    expect(await readdir(dirname(file))).toEqual([basename(file), `${basename(file)}.1.1`, 'notes'].toSorted())
  })

  it('a stored answer is never replaced by an older one that was still being written', async () => {
    const folder = await createFolder()
    const snapshotOf = (id: string, plan: string): Snapshot => ({
      subscriber_id: id,
      plan,
      entitlements: [],
      valid_until: null,
    })
    const entryOf = (snapshot: Snapshot) =>
      toEntry(snapshot, { etag: null, sentAt: 0, receivedAt: 0, endsAt: Number.POSITIVE_INFINITY, isStale: false })
    // Writing this answer takes much longer than writing the others.
    const entries = new Map([
      ['acme', entryOf(snapshotOf('acme', 'x'.repeat(50_000_000)))],
      ['other', entryOf(snapshotOf('other', 'pro'))],
    ])
    const get = (id: string) => entries.get(id)
    const stored = new StoredAnswers({ folder, owner: '', logger: pino({ level: 'silent' }), get, now: () => 0 })
    stored.storeSoon('acme')
    stored.storeSoon('other')
    await setImmediate()

    entries.set('acme', entryOf(snapshotOf('acme', 'pro')))
    stored.storeSoon('acme')
    await stored.close()

    expect((await stored.read('acme'))?.snapshot.plan).toBe('pro')
  })

  it('answers that were stored under another key are not used', async () => {
    const RELAY_STORE = await createFolder()
    const { relay, proxy, access } = await startProxiedRelay({ RELAY_STORE })
    await relay.stop()
    proxy.routeTo(null)

    const other = await startRelay({ ...access, apiKey: 'ent_another' }, { RELAY_STORE })
    other.hurry()

    expectRefusal(await other.caller.rest('POST', check, { feature: 'seats' }), 'SERVICE_UNAVAILABLE', null)
  })
})

describe('with RELAY_WARM=all', () => {
  it('every subscriber is known before anybody asks', async () => {
    const { admin, access } = await startVendor(service)
    for (const id of ['ada', 'bob']) await vendor(admin).subscriber(id)
    const relay = await startRelay({ ...access, apiKey: admin.key }, { RELAY_WARM: 'all' })

    await until(() => relay.upstreamRequests.includes('POST /org/entitlements'))
    await until(async () => {
      const { headers } = await relay.caller.rest('GET', '/org/subscribers/ada/entitlements')
      return headers.get('x-entitlements-from') === 'cache'
    })
  })

  it('a key that may not list subscribers is reported in the log, and the relay still answers', async () => {
    const log: LogEntry[] = []
    const { access } = await startVendor(service)
    const relay = await startRelay(access, { RELAY_WARM: 'all' }, log)

    await until(() => log.some(({ msg }) => /RELAY_WARM=all needs a key that may list subscribers/.test(msg)))
    expect((await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit).toBe(5)
  })
})
