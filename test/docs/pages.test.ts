import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../rest/docs/addresses.ts'
import { readDocuments } from '../../rest/docs/documents.ts'
import { describeRestApi } from '../../rest/openapi/document.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()
const { texts, listed } = readDocuments() as NonNullable<ReturnType<typeof readDocuments>>
const files = [...texts.keys()]

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

/** Restores the text of the file: replaces the address, versions and hashes that the server filled in by their placeholders. */
function restoreFileText(text: string): string {
  return text
    .replaceAll(service.url, 'https://<your server>')
    .replaceAll(/(client|cli)-\d+\.\d+\.\d+\.tgz/g, '$1-<version>.tgz')
    .replaceAll(/(client|cli)(-<version>\.tgz` \| `)sha512-[^`]+/g, '$1$2<integrity of $1.tgz>')
}

/** The ids and links of a page. Read once for each address. */
const pagesByAddress = new Map<string, Promise<{ status: number; ids: string[]; links: string[] }>>()

function readOnce(address: string) {
  const found = pagesByAddress.get(address) ?? load(address)
  pagesByAddress.set(address, found)
  return found
}

/** The browser builds the reference page from the operations and objects of the OpenAPI document. */
const api = describeRestApi()
const anchors = [
  ...Object.values(api.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
  ...Object.keys(api.components.schemas),
  // The sections of the page, which rest/reference/browser/reference.js creates.
  ...['events', 'objects', 'errors'],
]

async function load(address: string) {
  const answer = await get(address, { accept: 'text/html' })
  const text = await answer.text()
  const matchesOf = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([, value]) => value as string)
  const ids = address === '/docs/reference' ? anchors : matchesOf(/ id="([^"]+)"/g)
  return { status: answer.status, ids, links: matchesOf(/ (?:href|src)="([^"]+)"/g) }
}

it('the front page lists every guide', () => {
  const guides = files.filter((file) => /^docs\/guides\/(?!README)/.test(file))

  expect(guides.length).toBeGreaterThan(15)
  expect(guides.filter((file) => !listed.includes(file))).toEqual([])
  expect(listed.length).toBe(new Set(listed).size)
})

describe.each(files)('%s', (file) => {
  it('is served to anyone, as a page and as Markdown', async () => {
    const page = await get(addressOf(file))
    const html = await page.text()
    const markdown = await get(`/${file}`)

    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('<h1 id="')
    expect(html).not.toMatch(/<style|style="|<script>|\son\w+=|undefined|\[object|<!-- /)
    expect(html).toContain(`<link rel="alternate" type="text/markdown" href="/${file}">`)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(restoreFileText(await markdown.text())).toBe(readFileSync(file, 'utf8'))
  })

  it('has no broken link and no duplicate id', async () => {
    const { ids, links } = await readOnce(addressOf(file))
    const own = links.filter((link) => !/^https:/.test(link))
    const broken: string[] = []
    for (const link of own) {
      const [path = '', anchor] = link.split('#')
      const target = await readOnce(path === '' ? addressOf(file) : path)
      if (target.status !== 200 || (anchor !== undefined && !target.ids.includes(anchor))) broken.push(link)
    }

    expect(broken).toEqual([])
    expect(links.filter((link) => link.startsWith('http:'))).toEqual([])
    expect(ids.length).toBe(new Set(ids).size)
  })
})

it.each([
  '/docs',
  '/docs.md',
  '/docs/guides/errors',
  '/docs/guides/errors.md',
  '/llms.txt',
  '/llms-full.txt',
  '/docs/assets/search.json',
  '/docs/assets/titles.json',
])('%s may be cached for minutes, is compressed, and is not sent again to a client that has it', async (path) => {
  const plain = await get(path, { 'accept-encoding': 'identity' })
  const compressed = await get(path, { 'accept-encoding': 'br' })
  const etag = plain.headers.get('etag') as string
  const known = await get(path, { 'if-none-match': etag })
  const head = await fetch(service.url + path, { method: 'HEAD' })

  expect(plain.headers.get('cache-control')).toBe('public, max-age=300')
  expect(compressed.headers.get('content-encoding')).toBe('br')
  expect(await compressed.text()).toBe(await plain.text())
  expect(known.status).toBe(304)
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})

it('a page of the documentation runs only its own script, and cannot be embedded', async () => {
  const { headers } = await get('/docs/guides/limits')

  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

it.each([
  ['/docs/', '/docs'],
  ['/docs/guides/errors/?a=b', '/docs/guides/errors'],
])('%s redirects to %s', async (path, expected) => {
  const answer = await fetch(service.url + path, { redirect: 'manual' })

  expect([answer.status, answer.headers.get('location')]).toEqual([308, expected])
})

it.each([
  '/docs/none',
  '/docs/guides/none',
  '/docs/guides/none.md',
  '/docs/guides/README',
  '/docs/../README.md',
  '/docs/guides/..%2f..%2fREADME.md',
  '/docs/assets/none.js',
  '/docs/guides/errors.md/x',
])('%s is 404', async (path) => {
  const answer = await get(path, { accept: 'text/html' })

  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

describe('/llms.txt', () => {
  it('begins with a title and a summary, and links to the Markdown of each listed document', async () => {
    const text = await (await get('/llms.txt')).text()
    const links = Array.from(text.matchAll(/\]\((\/[^)#]+)[^)]*\)/g), ([, link]) => link as string)
    const statuses = await Promise.all(links.map(async (link) => [link, (await readOnce(link)).status]))

    expect(text).toMatch(/^# .+\n\n> /)
    expect(listed.filter((file) => !links.includes(`/${file}`))).toEqual([])
    expect(links).toContain('/openapi.json')
    expect(links).toContain('/openapi-3.0.json')
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  })

  it('has a long version with every guide and the contract', async () => {
    const text = await (await get('/llms-full.txt')).text()

    const whole = listed.filter((file) => file.startsWith('docs/guides/') || file === 'docs/contract.md')
    expect(whole.filter((file) => !text.includes(`<!-- /${file} -->`))).toEqual([])
    expect(text).toContain('## Subscriber tokens')
  })
})
