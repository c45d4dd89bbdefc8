import { createHmac } from 'node:crypto'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { limitOf } from '../support/limit-of.ts'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { build, type Language, languages, piecesOf, start } from './languages/languages.ts'
import { type Replacement, startRelay } from './languages/relay.ts'

/* The code of `docs/guides/without-the-client`, in each language that is installed. */

const service = await startService()
const compileMs = limitOf(300_000)
const requestId = 'req_01M84GDJ31V86S3P2FAKPA70P9'
const flag = (allowed: boolean, fields: object = {}) => ({ kind: 'flag', allowed, ...fields })

/** A program that asks through a relay, for `acme` on the plan `pro`, which grants `sso` and 5 `seats`. */
async function startProgram(language: Language, folder: string) {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  const relay = await startRelay(service.url)
  const product = await service.member(caller.organizationId, 'viewer')
  const call = start(language, folder)
  await call('start', relay.url, product.key)
  const check = async (feature: string, subscriber = 'acme') =>
    (await call('check', subscriber, feature)) as { allowed: boolean; limit?: number | null; value?: unknown }
  const allowed = async (feature: string) => (await check(feature)).allowed
  return { caller, setup, relay, call, check, allowed }
}

it('each page of examples has at least four pieces of code, of at most 80 lines each', () => {
  const pages = globSync('docs/guides/without-the-client/*.md').map((file) => basename(file, '.md'))

  expect(pages.toSorted()).toEqual(['csharp', ...languages.map(({ name }) => name)].toSorted())
  for (const name of pages) {
    const fence = name
    const lengths = piecesOf({ name, fence }).map((code) => code.trimEnd().split('\n').length)
    expect(lengths.length, name).toBeGreaterThan(3)
    expect(Math.max(...lengths), name).toBeLessThanOrEqual(80)
  }
})

describe.each(languages.filter(({ command }) => command === null))('the code for $name', ({ name }) => {
  it.skip(`is not run: ${name} is not installed`, () => {})
})

describe.each(languages.filter(({ command }) => command !== null))('the code for $name', (language) => {
  let folder = ''
  beforeAll(async () => {
    folder = await build(language)
  }, compileMs)

  it('answers from memory, follows the changes, and denies unknown features and subscribers', async () => {
    const { caller, setup, relay, check, allowed } = await startProgram(language, folder)

    await expect.poll(() => allowed('sso')).toBe(true)
    // Answers that were read before the feed began are dropped once.
    await expect
      .poll(async () => {
        const before = relay.snapshots.length
        for (let index = 0; index < 20; index++) await check('seats')
        return relay.snapshots.length - before
      })
      .toBe(0)
    expect(await check('seats')).toMatchObject({ allowed: true, limit: 5 })
    expect(await allowed('color')).toBe(false)
    expect(await allowed('nope')).toBe(false)
    expect(await check('sso', 'no body/é')).toMatchObject({ allowed: false })

    await setup.override('acme', 'seats', { kind: 'limit', limit: null })
    await expect.poll(() => check('seats')).toMatchObject({ allowed: true, limit: null })

    const grants = { seats: { kind: 'limit', limit: 5 } }
    expect((await caller.rest('PATCH', '/org/plans/pro', { grants })).status).toBe(200)
    await expect.poll(() => allowed('sso')).toBe(false)
  })

  it('does not cache an answer as fresh if a change arrived while the request was running', async () => {
    const { setup, relay, allowed } = await startProgram(language, folder)
    await expect.poll(() => allowed('sso')).toBe(true)
    await setup.override('acme', 'sso', flag(true, { note: 'drops what is known' }))
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isHeld = false
    relay.hold = async (path) => {
      if (isHeld || !path.endsWith('/entitlements')) return
      isHeld = true
      await released
    }
    const answer = (async () => {
      while (!isHeld) await allowed('sso')
    })()
    await expect.poll(() => isHeld).toBe(true)

    const receivedBefore = relay.changeTypes.length
    await setup.override('acme', 'sso', flag(false))
    // The PHP program receives the change only after its running request.
    if (language.name !== 'php') await expect.poll(() => relay.changeTypes.length).toBeGreaterThan(receivedBefore)
    release()
    await answer

    await expect.poll(() => allowed('sso')).toBe(false)
  })

  it('gives the last known answers while the service is unavailable, but ignores overrides that have ended', async () => {
    const { setup, relay, check, allowed } = await startProgram(language, folder)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await setup.override('acme', 'color', { kind: 'config', value: 'green', expires_at })
    await expect.poll(() => check('color')).toMatchObject({ allowed: true, value: 'green' })
    // In the last answer before the outage, the override ends soon.
    relay.rewrites = (text) => text.replaceAll(expires_at, new Date(Date.now() + 1_000).toISOString())
    await setup.override('acme', 'seats', { kind: 'limit', limit: 6 })
    await expect.poll(() => check('seats')).toMatchObject({ allowed: true, limit: 6 })
    relay.refuses = (path) => path.endsWith('/entitlements')

    const before = relay.snapshots.length
    await setup.override('acme', 'seats', { kind: 'limit', limit: 50 })
    await expect.poll(async () => (await check('seats')) && relay.snapshots.length).toBeGreaterThan(before)
    expect(await check('seats')).toMatchObject({ allowed: true, limit: 6 })
    expect(await allowed('sso')).toBe(true)
    await expect.poll(() => allowed('color')).toBe(false)

    relay.refuses = () => false
    await expect.poll(() => check('seats')).toMatchObject({ limit: 50 })
  })

  it.each<{ name: string; answer: Replacement }>([
    { name: 'a 404 of a proxy', answer: { status: 404, text: '<h1>Not found</h1>' } },
    { name: 'a 404 in JSON of another server', answer: { status: 404, text: '{"error":"not found"}', requestId } },
    {
      name: 'a 404 about another object',
      answer: { status: 404, text: '{"error":{"code":"NOT_FOUND","details":null}}', requestId },
    },
    { name: 'an empty answer', answer: { status: 200, text: '', requestId } },
    { name: 'a page of a proxy', answer: { status: 200, text: '<h1>Hello</h1>' } },
    { name: 'a truncated answer', answer: { status: 200, text: '{"entitlements":[', requestId, isTruncated: true } },
  ])('takes $name for an outage and follows the changes again afterwards', async ({ answer }) => {
    const { setup, relay, call, allowed } = await startProgram(language, folder)
    await expect.poll(() => allowed('sso')).toBe(true)
    const replaced = { snapshots: 0, changes: 0 }
    relay.replaces = (path) => {
      replaced[path.startsWith('/org/changes') ? 'changes' : 'snapshots'] += 1
      return answer
    }

    // Nothing is known about this subscriber, so each check sends a request.
    await expect.poll(async () => (await call('check', 'bare', 'sso')) && replaced.changes).toBeGreaterThan(0)
    expect(await call('check', 'bare', 'sso')).toMatchObject({ allowed: false })
    expect(replaced.snapshots).toBeGreaterThan(0)
    expect(await allowed('sso')).toBe(true)
    expect(await call('asking')).toBe(0)

    relay.replaces = () => null
    const receivedBefore = relay.changeTypes.length
    await setup.override('acme', 'sso', flag(false))
    await expect.poll(() => allowed('sso')).toBe(false)
    await expect.poll(async () => (await allowed('sso')) || relay.changeTypes.length).toBeGreaterThan(receivedBefore)
  })

  it('keeps the last known answer of a subscriber for whom a proxy answers 404', async () => {
    const { setup, relay, check } = await startProgram(language, folder)
    await expect.poll(() => check('seats')).toMatchObject({ limit: 5 })
    relay.replaces = (path) => (path.endsWith('/entitlements') ? { status: 404, text: '' } : null)
    const before = relay.snapshots.length
    await setup.override('acme', 'seats', { kind: 'limit', limit: 50 })
    await expect.poll(async () => (await check('seats')) && relay.snapshots.length).toBeGreaterThan(before)

    expect(await check('seats')).toMatchObject({ allowed: true, limit: 5 })

    relay.replaces = () => null
    await expect.poll(() => check('seats')).toMatchObject({ limit: 50 })
  })

  it.runIf(language.name === 'php')('does not wait for the service in each check during an outage', async () => {
    const { relay, allowed } = await startProgram(language, folder)
    await expect.poll(() => allowed('sso')).toBe(true)
    relay.hold = () => new Promise(() => {})
    await expect.poll(async () => (await allowed('sso')) && relay.asked.length).toBeGreaterThan(relay.asked.length)
    const before = relay.asked.length

    for (let checks = 0; checks < 12; checks++) expect(await allowed('sso')).toBe(true)

    expect(relay.asked.length - before).toBeLessThan(6)
  })

  it('sends requests again once the feed has been silent for ten seconds', async () => {
    const { setup, relay, allowed } = await startProgram(language, folder)
    await expect.poll(() => allowed('sso')).toBe(true)
    relay.refuses = (path) => path.startsWith('/org/changes')

    await setup.override('acme', 'sso', flag(false))

    await expect.poll(() => allowed('sso')).toBe(false)
  })

  it('verifies the signature and the age of a webhook', async () => {
    const call = start(language, folder)
    const secret = 'whsec_abc'
    const body = '{"type":"webhook.test","é":1}'
    const seconds = Math.floor(Date.now() / 1_000)
    const verify = (at: number, sent = body, signature = sign(at)) =>
      call('verify', secret, { 'X-Service-Webhook-Timestamp': `${at}`, 'X-Service-Webhook-Signature': signature }, sent)
    const sign = (at: number) => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')

    expect(await verify(seconds)).toBe(true)
    expect(await verify(seconds - 200)).toBe(true)
    expect(await verify(seconds - 400)).toBe(false)
    expect(await verify(seconds + 400)).toBe(false)
    expect(await verify(seconds, `${body} `)).toBe(false)
    expect(await verify(seconds, body, sign(seconds - 1))).toBe(false)
    expect(await verify(seconds, body, 'é')).toBe(false)
    expect(await verify(seconds, body, '')).toBe(false)
    expect(await call('verify', secret, {}, body)).toBe(false)
  })

  it('reads a list of more than one page', async () => {
    const { caller, call } = await startProgram(language, folder)
    const ids = Array.from({ length: 130 }, (_, index) => `customer+${String(index).padStart(3, '0')}`)
    const lines = ids.map((subscriber_id) => JSON.stringify({ subscriber_id })).join('\n')
    const headers = { 'content-type': 'application/x-ndjson', 'x-api-key': caller.key }
    const sent = await fetch(`${service.url}/org/subscribers/import`, { method: 'POST', headers, body: lines })
    expect(await sent.json()).toMatchObject({ created: 130 })

    expect(await call('every')).toEqual(['acme', ...ids])
  })
})
