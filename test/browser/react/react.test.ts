import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { useEntitlement } from '../../../src/client/frameworks/react.ts'
import type { Snapshot } from '../../../src/client/index.ts'
import { createToken } from '../../subscriber-tokens/token-subject.ts'
import { atEnd } from '../../support/at-end.ts'
import { startBrowser, type TestPage } from '../../support/browser.ts'
import { startVendor } from '../../support/client.ts'
import { startProxy } from '../../support/proxy.ts'
import { sharedService } from '../../support/service.ts'
import { vendor } from '../../support/vendor.ts'
import { bundlePage, startSite } from './product-site.ts'
import { Page, type PageConfig } from './react-page.ts'

const service = await sharedService()
const browser = await startBrowser()
const script = await bundlePage()

/** `acme` is on `pro`, which grants everything; `bare` is on no plan. */
async function prepare() {
  const { admin } = await startVendor(service)
  const given = vendor(admin)
  await given.subscriber('bare')
  const snapshot: Snapshot = await given.get('/org/subscribers/acme/entitlements')
  // A slow answer would be an outage, which the page shows and renders.
  const options = { timeoutMs: 60_000 }
  const config: PageConfig = { baseUrl: service.url, subscriber: 'acme', hasTokens: true, options }
  const token = (subscriber: string) => createToken(admin, subscriber)
  return { given, config, snapshot, token }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Opens the site in a new tab, whose clock the test may advance. */
async function open({ origin }: { origin: string }, { ownClock = false } = {}) {
  const opened = await browser.open(origin)
  const requests = watchRequests(opened)
  if (ownClock) await opened.page.clock.install()
  await opened.page.goto(origin)
  const text = (id: string) => opened.page.locator(`#${id}`).textContent()
  const renders = () => opened.page.evaluate(() => ({ ...(window as unknown as { renders: object }).renders }))
  return { ...opened, ...requests, text, renders }
}

/** Advances the page's clock by a second, because the client waits between its attempts, and returns the text. */
async function advanceAndReadText(page: TestPage['page'], text: (id: string) => Promise<string | null>, id: string) {
  await page.clock.fastForward(1000)
  return text(id)
}

/** Records the paths of the service that the page requests, and how many requests for changes are open. */
function watchRequests({ page }: TestPage) {
  const asked: string[] = []
  const following = new Set<object>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET') return
    if (pathname.startsWith('/org/')) asked.push(pathname)
    if (pathname === '/org/changes') following.add(request)
  })
  page.on('requestfailed', (request) => void following.delete(request))
  page.on('requestfinished', (request) => void following.delete(request))
  return { asked, following: () => following.size }
}

const siteOf = async ({ config, token }: Pick<Prepared, 'config' | 'token'>, html?: string) =>
  startSite({ script, config, token, ...(html !== undefined && { html }) })

describe('a page with a token from its backend', () => {
  it('shows what the subscriber may use, follows the changes, and renders again only what has changed', async () => {
    const prepared = await prepare()
    const site = await siteOf(prepared)
    const { text, renders, asked, consoleErrors } = await open(site)
    await expect.poll(() => text('sso')).toBe('yes')
    expect([await text('seats'), await text('color'), await text('nope'), await text('plan')]).toEqual([
      'yes, limit 5',
      'yes, red',
      'no, unknown_feature',
      'pro',
    ])
    expect(await text('use')).toBe('Use')
    await expect.poll(() => asked).toContain('/org/changes')
    const before = await renders()

    await prepared.given.override('acme', 'seats', { kind: 'limit', limit: null })
    await expect.poll(() => text('seats')).toBe('yes, limit Infinity')
    await prepared.given.override('acme', 'sso', { kind: 'flag', allowed: false })
    await expect.poll(() => text('buy')).toBe('Buy')

    expect(await text('sso')).toBe('no')
    const after = await renders()
    expect(after).toMatchObject({ color: (before as { color: number }).color, nope: (before as { nope: number }).nope })
    expect(site.asked.every((subscriber) => subscriber === 'acme')).toBe(true)
    expect(consoleErrors).toEqual([])
  })

  it('opens one stream, although React runs effects twice in development, and closes the stream when unmounted', async () => {
    const { page, text, following } = await open(await siteOf(await prepare()))
    await expect.poll(() => text('sso')).toBe('yes')
    await expect.poll(following).toBe(1)

    await page.click('#leave')

    await expect.poll(() => text('left')).toBe('Left')
    await expect.poll(following).toBe(0)
  })

  it('gets a separate token and one new stream when the page shows another subscriber', async () => {
    const site = await siteOf(await prepare())
    const { page, text, following } = await open(site)
    await expect.poll(() => text('sso')).toBe('yes')

    await page.click('#switch')

    await expect.poll(() => text('sso')).toBe('no')
    expect(await text('plan')).toBe('none')
    expect(new Set(site.asked)).toEqual(new Set(['acme', 'bare']))
    await expect.poll(following).toBe(1)
  })

  it('gets another token when the service refuses the previous one', async () => {
    const prepared = await prepare()
    const tokens: string[] = []
    const token = async (subscriber: string) => {
      tokens.push(tokens.length < 2 ? 'expired' : await prepared.token(subscriber))
      return tokens.at(-1) as string
    }

    const { page, text } = await open(await siteOf({ ...prepared, token }), { ownClock: true })

    await expect.poll(() => advanceAndReadText(page, text, 'sso')).toBe('yes')
    expect(tokens.length).toBeGreaterThan(2)
  })

  it('learns of changes by polling in a fourth tab, in which its stream is refused', async () => {
    const prepared = await prepare()
    const site = await siteOf(prepared)
    const tabs = []
    for (let tab = 0; tab < 4; tab += 1) {
      const opened = await open(site, { ownClock: true })
      await expect.poll(() => opened.text('color')).toBe('yes, red')
      tabs.push(opened)
    }

    await prepared.given.override('acme', 'color', { kind: 'config', value: 'blue' })

    for (const { page, text } of tabs)
      await expect.poll(() => advanceAndReadText(page, text, 'color')).toBe('yes, blue')
  })
})

describe('a page whose server hands over a snapshot', () => {
  it('shows the snapshot in its first render, on the server and in the browser, and then follows changes', async () => {
    const prepared = await prepare()
    const config = { ...prepared.config, snapshot: prepared.snapshot }
    const html = renderToString(createElement(Page, { config }))
    expect(html).toContain('<p id="seats">yes, limit 5</p>')
    expect(html).toContain('<p id="plan">pro</p>')

    const { text, renders, consoleErrors, asked } = await open(await siteOf({ ...prepared, config }, html))

    expect(await text('seats')).toBe('yes, limit 5')
    await expect.poll(() => asked).toContain('/org/changes')
    // React hydrates the server's text, and reports if its own render differs.
    expect(consoleErrors).toEqual([])
    expect(await renders()).toHaveProperty('seats')
    await prepared.given.override('acme', 'seats', { kind: 'limit', limit: 9 })
    await expect.poll(() => text('seats')).toBe('yes, limit 9')
  })

  it('requires neither an address nor a token, because the snapshot alone is enough', async () => {
    const { snapshot, token } = await prepare()
    const config = { subscriber: 'acme', snapshot }

    const { text, asked, consoleErrors } = await open(await siteOf({ config, token }))

    await expect.poll(() => text('seats')).toBe('yes, limit 5')
    expect([await text('sso'), await text('color')]).toEqual(['yes', 'yes, red'])
    expect([asked, consoleErrors]).toEqual([[], []])
  })
})

describe('a page that gets a newer snapshot from its server', () => {
  const withSeats = (snapshot: Snapshot, limit: number): Snapshot => ({
    ...snapshot,
    entitlements: snapshot.entitlements.map((each) => (each.feature === 'seats' ? { ...each, limit } : each)),
  })

  it('shows the newer one if the snapshot is its only source', async () => {
    const { snapshot, token } = await prepare()
    const config = { subscriber: 'acme', snapshot, nextSnapshot: withSeats(snapshot, 9) }
    const { page, text, consoleErrors } = await open(await siteOf({ config, token }))
    await expect.poll(() => text('seats')).toBe('yes, limit 5')

    await page.click('#load')

    await expect.poll(() => text('seats')).toBe('yes, limit 9')
    expect(await text('sso')).toBe('yes')
    expect(consoleErrors).toEqual([])
  })

  it('keeps the answers of the service, which may be newer', async () => {
    const prepared = await prepare()
    const nextSnapshot = withSeats(prepared.snapshot, 9)
    const config = { ...prepared.config, snapshot: prepared.snapshot, nextSnapshot }
    const { page, text, asked } = await open(await siteOf({ ...prepared, config }))
    await expect.poll(() => asked).toContain('/org/changes')
    await prepared.given.override('acme', 'seats', { kind: 'limit', limit: 7 })
    await expect.poll(() => text('seats')).toBe('yes, limit 7')

    await page.click('#load')
    await prepared.given.override('acme', 'color', { kind: 'config', value: 'green' })

    await expect.poll(() => text('color')).toBe('yes, green')
    expect(await text('seats')).toBe('yes, limit 7')
  })
})

describe('a page without a subscriber', () => {
  const render = (config: PageConfig) => renderToString(createElement(Page, { config }))

  it('denies everything if the subscriber is null, and is loading while the subscriber is undefined', async () => {
    const { config, snapshot, token } = await prepare()
    expect(render({ ...config, subscriber: null })).toContain('<p id="sso">no</p>')
    expect(render({ ...config, subscriber: undefined })).toContain('<p id="sso">loading</p>')
    expect(render({ ...config, subscriber: null, snapshot })).toContain('<p id="sso">no</p>')

    const site = await siteOf({ config: { ...config, subscriber: null }, token })
    const { page, text, asked, consoleErrors } = await open(site)
    await expect.poll(() => text('sso')).toBe('no')
    expect([asked, site.asked]).toEqual([[], []])
    await page.click('#switch')
    await expect.poll(() => site.asked).toContain('bare')
    await expect.poll(() => asked).toContain('/org/subscribers/bare/entitlements')
    expect(consoleErrors).toEqual([])
  })
})

describe('a page that is opened while the service is unavailable', () => {
  it('shows the outage and the defaults, and the current values once the service is available again', async () => {
    const prepared = await prepare()
    const proxy = await startProxy(null)
    atEnd(() => proxy.close())
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    const config = { ...prepared.config, baseUrl, options: { timeoutMs: 500, defaults: { color: 'green' } } }
    const { text } = await open(await siteOf({ ...prepared, config }))
    await expect.poll(() => text('sso')).toBe('no, unavailable')
    expect(await text('color')).toBe('yes, green, unavailable')

    proxy.routeTo(Number(new URL(service.url).port))

    await expect.poll(() => text('sso')).toBe('yes')
    await expect.poll(() => text('color')).toBe('yes, red')
  })
})

it('a hook outside of the provider throws an error that names what is missing', () => {
  const Alone = () => createElement('p', null, String(useEntitlement('sso').allowed))
  expect(() => renderToString(createElement(Alone))).toThrow('useEntitlement needs an <EntitlementsProvider>')
})
