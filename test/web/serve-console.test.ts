import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRoutes } from '../../src/tools/console/write-pages.ts'
import { buildFolder } from '../../src/web/console-sources.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const pages = [
  '/',
  '/sign-in',
  '/sign-up',
  '/join',
  '/organizations',
  '/account',
  '/o/01M801WXWDNGGBNF95YFZTJSW4/plans/pro',
]

describe.each(pages)('the page at %s', (path) => {
  it('is the console, which runs only its own scripts and sends its address nowhere', async () => {
    const answer = await fetch(service.url + path, { headers: asBrowser })
    const html = await answer.text()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('vary')).toBe('accept, accept-encoding')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    expect(html).not.toMatch(/<style|style=|<script>|\son\w+=|%NONCE%/)
  })

  it.each(path === '/' ? [] : [undefined, '*/*', 'application/json'])(
    'is a 404 in JSON for a program (Accept: %s)',
    async (accept) => {
      const answer = await fetch(service.url + path, { headers: accept === undefined ? {} : { accept } })

      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
    },
  )
})

describe('the document', () => {
  const html = async (path: string) => (await fetch(service.url + path, { headers: asBrowser })).text()
  const routes = findRoutes()

  it('is tested at every route that the console declares', () => {
    const declared = globSync('src/console/pages/*/routes.ts').flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/= createRoute\(/g)),
    )
    expect(routes.length).toBe(declared.length)
  })

  it.each(routes)(
    'has the outline of $address, and loads its scripts at once',
    async ({ address, file, isInFrame }) => {
      const page = await html(address.replaceAll(/\$\w+/g, 'x'))

      expect(page).toContain('<div id="root"><div class="outline"')
      const preloaded = page.match(/modulepreload[^>]*/g) ?? []
      // The frame, the shared parts and the page itself; some pages also load tables, histories, dragging or choices. The
      // sign-in is outside the frame, and the start only redirects.
      const apart = preloaded.filter((link) => /\/(table|history-\w+|drag|choice)-[\w-]+\.js/.test(link))
      if (isInFrame) expect(preloaded).toHaveLength(3 + apart.length)
      else expect(preloaded.length).toBeGreaterThanOrEqual(file === null ? 0 : 1)
      expect(page).not.toMatch(/%\w+%/)
    },
  )

  it('is the same, but without an outline, at an address that has no page', async () => {
    expect(await html('/o/x/none/at/all')).toContain('<div id="root"></div>')
  })
})

it('the service tells a program that requests / where to look', async () => {
  const answer = await fetch(service.url, { headers: { accept: '*/*' } })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('vary')).toBe('accept')
  expect(await answer.json()).toEqual({
    docs: '/docs',
    openapi: '/openapi.json',
    graphql: '/graphql',
    ready: '/readyz',
  })
})

it('each page has its own nonce, the same in the policy and in the document', async () => {
  const nonces = await Promise.all(
    ['/', '/'].map(async (path) => {
      const answer = await fetch(service.url + path, { headers: asBrowser })
      const [, nonce] = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
      expect(await answer.text()).toContain(`nonce="${nonce}"`)
      return nonce
    }),
  )

  expect(new Set(nonces).size).toBe(2)
})

it('other unknown paths are 404 in JSON, for a browser too', async () => {
  for (const path of [
    '/joined',
    '/join/x',
    '/org/none',
    '/index.html',
    '/o',
    '/assets/none.js',
    '/assets/../index.html',
    '/assets/%00',
    '/assets/%',
    '/assets/..%5c',
    '/assets/%2e%2e%2findex.html',
    '/assets//etc',
    '//etc',
    '/assets/constructor',
    '/assets/',
  ]) {
    const answer = await fetch(service.url + path, { headers: asBrowser })
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ])
  }
  expect((await fetch(`${service.url}/join`, { method: 'POST', headers: asBrowser })).status).toBe(404)
})

describe('the assets', () => {
  const names = readdirSync(join(buildFolder, 'assets'))
  const script = names.find((name) => /^shared-.*\.js$/.test(name))

  it('are compressed and cached by browsers, because their names change with their content', async () => {
    const answer = await fetch(`${service.url}/assets/${script}`)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
    expect(answer.headers.get('content-type')).toMatch(/javascript/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ])('are sent in an encoding that the client accepts (Accept-Encoding: %s)', async (accepted, encoding) => {
    const answer = await fetch(`${service.url}/assets/${script}`, { headers: { 'accept-encoding': accepted } })

    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await answer.text()).toBe(readFileSync(join(buildFolder, 'assets', script as string), 'utf8'))
  })

  it('are not sent again to a browser that has them', async () => {
    const url = `${service.url}/assets/icon.svg`
    const etag = (await fetch(url)).headers.get('etag') as string

    const answer = await fetch(url, { headers: { 'if-none-match': etag } })

    expect(answer.status).toBe(304)
    expect(await answer.text()).toBe('')
  })

  it('are revalidated if their names do not change with their content', async () => {
    for (const name of ['icon.svg', 'build.json']) {
      const answer = await fetch(`${service.url}/assets/${name}`)
      expect([name, answer.status, answer.headers.get('cache-control')]).toEqual([name, 200, 'no-cache'])
    }
  })
})
