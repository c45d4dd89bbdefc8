import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/core/version.ts'
import { findPackagesHash, hashPackageSources } from '../../src/web/package-sources.ts'
import { sharedService, startService } from '../support/service.ts'

const service = await sharedService()
const packages = ['client', 'cli'] as const

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

it('the packages are built from the current sources', async () => {
  expect(await findPackagesHash()).toBe(hashPackageSources())
})

describe.each(packages)('/packages/%s.tgz', (name) => {
  it('is a tarball for anyone, and has a second address with the version in its name', async () => {
    const answer = await get(`/packages/${name}.tgz`)
    const bytes = await bytesOf(answer)
    const versioned = await get(`/packages/${name}-${version}.tgz`)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/gzip')
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(bytes.subarray(0, 2).toString('hex')).toBe('1f8b')
    expect((await bytesOf(versioned)).equals(bytes)).toBe(true)
    expect(versioned.headers.get('etag')).toBe(answer.headers.get('etag'))
  })

  it('may be cached for minutes, is not sent again to a client that has it, and answers HEAD', async () => {
    const path = `/packages/${name}.tgz`
    const { headers } = await get(path)
    const etag = headers.get('etag') as string
    const known = await get(path, { 'if-none-match': etag })
    const head = await fetch(service.url + path, { method: 'HEAD' })

    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, ''])
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'))
  })

  it('is shown at /docs with its address and integrity, to people and as Markdown', async () => {
    const integrity = integrityOf(await bytesOf(await get(`/packages/${name}.tgz`)))

    for (const path of ['/docs', '/docs.md', '/llms.txt', '/llms-full.txt']) {
      const text = await (await get(path)).text()
      expect(text, path).toContain(`${service.url}/packages/${name}.tgz`)
      expect(text, path).toContain(`${service.url}/packages/${name}-${version}.tgz`)
      expect(text, path).toContain(integrity)
      expect(text, path).not.toMatch(/<(your server|version|integrity of [\w.]+)>/)
      expect(text, path).not.toMatch(/&lt;(your server|version|integrity of [\w.]+)&gt;/)
    }
  })
})

it.each([
  '/packages',
  '/packages/',
  '/packages/none.tgz',
  '/packages/client',
  '/packages/client.tgz/x',
  '/packages/client-0.0.0.tgz',
  '/packages/sources.json',
  '/packages/..%2fconsole%2findex.html',
  '/packages/__proto__',
  `/packages/${'a'.repeat(2_000)}.tgz`,
])('%s is 404', async (path) => {
  const answer = await get(path)

  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

describe('a guide', () => {
  const guide = '/docs/guides/gate-your-first-feature'
  const commandAt = async (host: string, { app } = service) => {
    const { body, headers } = await app.inject({ url: guide, headers: { host } })
    const html = body.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    return { headers, command: /npm install (\S*<your server>\S*|\S+)\/client\.tgz/.exec(html)?.[1] }
  }

  it('names the server by the address that the client used', async () => {
    expect((await commandAt('localhost:4000')).command).toBe('http://localhost:4000/packages')
    expect((await commandAt('[::1]:4000')).command).toBe('http://[::1]:4000/packages')
  })

  it('names the server by PUBLIC_URL, whatever address the client used', async () => {
    const other = await startService({ PUBLIC_URL: 'https://entitlements.example.com' })

    expect((await commandAt('10.0.0.1', other)).command).toBe('https://entitlements.example.com/packages')
  })

  it('is cached for a few addresses, because clients can choose any, and shows others a placeholder', async () => {
    // Later tests need the addresses that the shared service keeps.
    const own = await startService()
    for (let index = 0; index < 20; index++) await commandAt(`host-${index}.example.com`, own)

    const { command, headers } = await commandAt('host-20.example.com', own)
    expect(command).toBe('https://<your server>/packages')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })
})
