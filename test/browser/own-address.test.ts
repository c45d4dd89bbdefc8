import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { startBrowser } from '../support/browser.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, type LogEntry, noticesIn, startService, type TestService } from '../support/service.ts'

const account = () => ({ email: `${newId()}@example.org`, password: 'correct horse', display_name: 'Ada' })

/** The headers that a browser sends when a page at `origin` posts to its own server. */
function post({ url }: TestService, origin: string, path: string, body: object, headers = {}): Promise<Answer> {
  const text = JSON.stringify(body)
  const own = { host: new URL(origin).host, origin, 'content-type': 'application/json', 'content-length': text.length }
  return sendRaw(url, rawRequest('POST', path, { ...own, ...headers } as unknown as Record<string, string>, text))
}

const signUpQuery = (input: object) => ({
  query: 'mutation ($input: SignUpInput!) { signUp(input: $input) { userId } }',
  variables: { input },
})

async function cookiesAt(service: TestService, origin: string, headers = newAddress()): Promise<string[]> {
  const { email, password, display_name: displayName } = account()
  const answer = await post(service, origin, '/graphql', signUpQuery({ email, password, displayName }), headers)
  return answer.headers.getSetCookie()
}

describe('without PUBLIC_URL', () => {
  it.each([
    'http://localhost:4000',
    'http://127.0.0.1:4000',
    'http://127.8.9.10',
    'http://[::1]:4000',
    'http://a.localhost',
  ])('a page at %s belongs to the service', async (origin) => {
    const service = await startService(trustedLoopback)

    expect(await cookiesAt(service, origin)).toEqual([
      expect.stringMatching(/^ent_user=usr_/),
      expect.stringMatching(/^ent_mark=/),
    ])
  })

  it('only a page at the name in HOST belongs to the service', async () => {
    const service = await startService({ HOST: 'entitlements.internal', ...trustedLoopback })

    expect(await cookiesAt(service, 'http://entitlements.internal:4000')).toHaveLength(2)
    expect(await cookiesAt(service, 'http://other.internal:4000')).toEqual([])
  })

  it.each([
    'http://rebound.example:4000',
    'http://192.168.1.5:4000',
    'http://localhost.example',
    'http://0.0.0.0:4000',
  ])(
    'a page at %s does not belong to the service, so sign-in and sign-up are refused, and cookies are ignored',
    async (origin) => {
      const log: LogEntry[] = []
      const service = await startService({ LOG_LEVEL: 'warn', ...trustedLoopback }, log)
      const person = account()
      const [own] = await cookiesAt(service, 'http://localhost')

      expectRefusal(await post(service, origin, '/user/sign-up', person), 'UNAUTHORIZED', null, /PUBLIC_URL/)
      expectRefusal(await post(service, origin, '/user/sign-in', person), 'UNAUTHORIZED', null, /PUBLIC_URL/)
      expect(await cookiesAt(service, origin)).toEqual([])
      const cookie = { cookie: String(own).split(';')[0] as string }
      const query = { query: '{ user { userId } }' }
      expect((await post(service, origin, '/graphql', query, cookie)).body.data.user).toBeNull()
      expect((await post(service, 'http://localhost', '/graphql', query, cookie)).body.data.user).not.toBeNull()
      expect(noticesIn(log)).toEqual([
        expect.objectContaining({ level: 40, msg: expect.stringMatching(/set PUBLIC_URL/) }),
      ])
    },
  )
})

it('a page at a DNS name that was rebound to this machine cannot sign a person up, but a page of the service can', async () => {
  const service = await startService()
  const { port } = new URL(service.url)
  const browser = await startBrowser()

  async function signUpAt(origin: string): Promise<unknown[]> {
    const { page } = await browser.open(origin)
    await page.goto(`${origin}/healthz`)
    const { display_name: displayName, ...rest } = account()
    const bodies = [account(), signUpQuery({ ...rest, displayName })]
    return page.evaluate(async ([person, query]) => {
      const send = (path: string, body: unknown) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      const rest = await send('/user/sign-up', person)
      const { errors } = await (await send('/graphql', query)).json()
      return [rest.status, errors?.[0].extensions.code]
    }, bodies)
  }

  expect(await signUpAt(`http://rebound.example:${port}`)).toEqual([401, 'UNAUTHORIZED'])
  expect(await signUpAt(`http://localhost:${port}`)).toEqual([201, undefined])
})

describe('with PUBLIC_URL', () => {
  it('cookies have the prefix `__Host-` over https, and are accepted only with this prefix', async () => {
    const origin = 'https://entitlements.example'
    const service = await startService({ PUBLIC_URL: `${origin}/`, TRUST_PROXY: '1' })

    const [line = ''] = await cookiesAt(service, origin)
    const [cookie = ''] = line.split(';')
    const ask = (query: string, sent: string) => post(service, origin, '/graphql', { query }, { cookie: sent })
    const user = '{ user { userId } }'

    expect(line).toMatch(/^__Host-ent_user=usr_\w{49}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/)
    expect((await ask(user, cookie)).body.data.user.userId).toEqual(expect.any(String))
    expect((await ask(user, cookie.replace('__Host-', ''))).body.data.user).toBeNull()
    expect((await ask('mutation { signOut }', cookie)).headers.getSetCookie()).toEqual([
      '__Host-ent_user=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    ])
    expect(await cookiesAt(service, 'http://localhost:4000')).toEqual([])
  })
})

describe('the address that a proxy reports', () => {
  it.each([
    ['a scheme that is not http or https', { 'x-forwarded-proto': 'javascript' }, /X-Forwarded-Proto/],
    ['a malformed host', { 'x-forwarded-host': 'a.example/path' }, /X-Forwarded-Host/],
    ['a host with a user name and a password', { 'x-forwarded-host': 'user:secret@a.example' }, /X-Forwarded-Host/],
  ])('is refused if it has %s', async (_what, headers, message) => {
    const [believing, plain] = [await startService({ TRUST_PROXY: '1' }), await startService()]
    const admin = await believing.organization()
    const list = { 'x-api-key': admin.key, ...headers } as Record<string, string>

    expectRefusal(await sendRaw(believing.url, rawRequest('GET', '/org/features', list)), 'INVALID_JSON', null, message)
    const graphql = await post(believing, 'http://localhost', '/graphql', { query: '{ __typename }' }, list)
    expect(graphql.body.errors[0]).toMatchObject({ extensions: { code: 'INVALID_JSON', status: 400 } })
    expect((await sendRaw(plain.url, rawRequest('GET', '/org/features', list))).status).toBe(200)
  })

  it('is used for links if the proxy is trusted', async () => {
    const service = await startService({ TRUST_PROXY: '1' })
    const admin = await service.organization()
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'entitlements.example:8443' }

    const { body } = await admin.rest('POST', '/org/invites', { role: 'viewer' }, forwarded)
    const odd = { host: 'no host"', 'x-api-key': admin.key }
    const list = await sendRaw(service.url, rawRequest('GET', '/org/invites', odd))

    expect(body.link).toMatch(/^https:\/\/entitlements\.example:8443\/join#inv_/)
    expect(list.body.invites[0].link).toMatch(/^http:\/\/127\.0\.0\.1:0\/join#inv_/)
  })

  it('is reported once in the log if no proxy is trusted, because all clients then share one counter of sign-ins', async () => {
    const log: LogEntry[] = []
    const service = await startService({ LOG_LEVEL: 'warn' }, log)
    const believingLog: LogEntry[] = []
    const believing = await startService({ LOG_LEVEL: 'warn', TRUST_PROXY: '1' }, believingLog)

    await sendRaw(service.url, rawRequest('GET', '/healthz', {}))
    expect(noticesIn(log)).toEqual([])
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-for']) {
      await sendRaw(service.url, rawRequest('GET', '/healthz', { [name]: '203.0.113.9' }))
      await sendRaw(believing.url, rawRequest('GET', '/healthz', { [name]: '203.0.113.9' }))
    }

    expect(noticesIn(log)).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringMatching(/sign-in attempts\. Set TRUST_PROXY/) }),
    ])
    expect(noticesIn(believingLog)).toEqual([])
  })
})
