import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createTokenSubject } from '../subscriber-tokens/token-subject.ts'
import { atEnd } from '../support/at-end.ts'
import { startBrowser } from '../support/browser.ts'
import { countRequestsInOneSecond } from '../support/one-second.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const browser = await startBrowser()

/** A page of the vendor's product, on another origin. */
async function openProduct() {
  const server = createServer(
    (_request, response) => void response.setHeader('content-type', 'text/html').end('<p>Product'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { page } = await browser.open(origin)
  await page.goto(origin)
  return page
}

type PageRequest = { path: string; method?: string; headers?: Record<string, string>; body?: string }

/** Sends a request from the page. Null: the browser did not let the page read the answer. */
const askFrom = (page: Awaited<ReturnType<typeof openProduct>>) => (asked: PageRequest) =>
  page.evaluate(
    async ({ url, method = 'GET', headers = {}, body }) => {
      try {
        const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
        const text = await answer.text()
        const [etag, requestId, retryAfter] = ['etag', 'x-request-id', 'retry-after'].map((name) =>
          answer.headers.get(name),
        )
        return { status: answer.status, etag, requestId, retryAfter, body: text === '' ? null : JSON.parse(text) }
      } catch {
        return null
      }
    },
    { url: service.url + asked.path, ...asked },
  )

const snapshot = '/org/subscribers/acme/entitlements'

it('the service lets a page of another site send requests with a subscriber token, use ETags, and read refusals', async () => {
  const { admin, tokenSubject } = await createTokenSubject(service)
  const ask = askFrom(await openProduct())
  const { headers } = tokenSubject

  const first = await ask({ path: snapshot, headers })
  expect(first).toMatchObject({ status: 200, body: { subscriber_id: 'acme', plan: 'pro' } })
  expect(first?.etag).toMatch(/^"/)
  expect(first?.requestId).toMatch(/^req_/)
  const known = { ...headers, 'if-none-match': first?.etag as string }
  expect(await ask({ path: snapshot, headers: known })).toMatchObject({ status: 304, etag: first?.etag })
  const json = { ...headers, 'content-type': 'application/json' }
  const check = { path: `${snapshot}/check`, method: 'POST', headers: json, body: '{"feature":"sso"}' }
  expect(await ask(check)).toMatchObject({ status: 200, body: { feature: 'sso', allowed: true } })

  const { body } = (await ask({ path: '/org/changes', headers })) ?? {}
  await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
  const changed = await ask({ path: `/org/changes?after=${body.cursor}&wait=20`, headers })
  expect(changed).toMatchObject({ status: 200, body: { changes: [{ cause: 'override', features: ['sso'] }] } })

  expect(await ask({ path: snapshot.replace('acme', 'other'), headers })).toMatchObject({ status: 404 })
  expect(await ask({ path: snapshot })).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })

  countRequestsInOneSecond()
  const answers = await Promise.all(Array.from({ length: 21 }, () => ask({ path: snapshot, headers })))
  expect(answers.find((answer) => answer?.status === 429)?.retryAfter).toBe('1')
})

it('the service hides the answers of all other routes from a page of another site, with a token or a key', async () => {
  const { admin, tokenSubject } = await createTokenSubject(service)
  const ask = askFrom(await openProduct())

  for (const path of ['/org/features', '/org/subscribers/acme', '/org', '/user']) {
    expect(await ask({ path, headers: tokenSubject.headers })).toBeNull()
    expect(await ask({ path, headers: { 'x-api-key': admin.key } })).toBeNull()
  }
  const json = { 'content-type': 'application/json' }
  const graphql = { path: '/graphql', method: 'POST', body: '{"query":"{ viewer { role } }"}' }
  expect(await ask({ ...graphql, headers: { ...json, ...tokenSubject.headers } })).toBeNull()
  expect(
    await ask({ path: '/org/subscribers/acme/tokens', method: 'POST', headers: { 'x-api-key': admin.key } }),
  ).toBeNull()
})

it("the service ends the stream of a page when its token's key is revoked, and refuses the page's next request", async () => {
  const { product, tokenSubject } = await createTokenSubject(service)
  const page = await openProduct()
  const { headers } = tokenSubject
  const reading = page.evaluate(
    async ({ url, headers }) => {
      const answer = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } })
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      const events: string[] = []
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        events.push(new TextDecoder().decode(read.value))
        document.title = 'follows'
      }
      return events.join('')
    },
    { url: `${service.url}/org/changes`, headers },
  )
  await expect.poll(() => page.title()).toBe('follows')

  await service.database.pool.query('delete from api_key where organization_id = $1 and member_id = $2', [
    product.organizationId,
    product.memberId,
  ])

  expect(await reading).toContain('event: ready')
  expect(await askFrom(page)({ path: snapshot, headers })).toMatchObject({ status: 401 })
})
