import { describe, expect, it } from 'vitest'
import { localAddress } from '../../rest/oidc/local-path.ts'
import { newId } from '../../src/core/ids.ts'
import { startProvider } from '../support/oidc.ts'
import { OidcBrowser } from '../support/oidc-browser.ts'
import { newAddress, signUp, trustedLoopback } from '../support/person.ts'
import { type LogEntry, send, startService } from '../support/service.ts'

const provider = await startProvider()
const log: LogEntry[] = []
const service = await startService({ ...trustedLoopback, ...provider.env, LOG_LEVEL: 'info' }, log)
const serviceByInvitation = await startService({ ...trustedLoopback, ...provider.env, SIGN_UP: 'invited' })

const readMe = '{ user { userId email displayName createdAt } }'
const ada = { name: 'Ada', email: 'ada@example.org' }

/** Signs in at the provider; `back` is the address to which it then sends the browser. */
async function signInAtProvider(staff = ada) {
  const browser = new OidcBrowser(service)
  const subject = provider.add(staff)
  const { location } = await browser.start()
  const back = new URL(await browser.visit(provider, subject, location as string))
  return { browser, subject, back }
}

async function expectRefused(browser: OidcBrowser, address: URL | string, text: RegExp, status = 401) {
  const reply = await browser.get(String(address))
  expect({ status: reply.status, location: reply.location }).toEqual({ status, location: null })
  expect(reply.text).toMatch(text)
  expect(reply.text).toContain(reply.headers.get('x-request-id') as string)
  expect(browser.pages.cookies).toEqual(new Map())
  expect(browser.kept).toBeUndefined()
}

describe('a sign-in with OpenID Connect', () => {
  it('uses PKCE, state and nonce, and keeps them in a cookie for its own paths and for ten minutes', async () => {
    const browser = new OidcBrowser(service)

    const { status, location, headers } = await browser.start('/account')

    const url = new URL(location as string)
    expect(status).toBe(303)
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'entitlements',
      response_type: 'code',
      redirect_uri: `${service.url}/auth/oidc/callback`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^ent_oidc=[\w-]+; Path=\/auth\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ])
    expect(browser.kept).not.toContain(url.searchParams.get('state'))
  })

  it('gives its cookie the prefix __Host- over https, so that no other host of the domain can set it', async () => {
    const secure = await startService({ ...trustedLoopback, ...provider.env, PUBLIC_URL: 'https://console.example' })
    const get = (path: string, cookie = '') =>
      fetch(`${secure.url}${path}`, { redirect: 'manual', headers: { cookie, ...newAddress() } })
    const { headers } = await get('/auth/oidc/start')

    const [line = '', ...others] = headers.getSetCookie()

    expect(others).toEqual([])
    expect(line).toMatch(/^__Host-ent_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
    const value = /=([^;]+)/.exec(line)?.[1]
    const state = new URL(headers.get('location') as string).searchParams.get('state')
    const path = `/auth/oidc/callback?code=1&state=${state}&iss=${encodeURIComponent(provider.issuer)}`
    for (const planted of ['__Secure-ent_oidc', 'ent_oidc']) {
      const refused = await get(path, `${planted}=${value}`)
      expect(await refused.text(), planted).toContain('not started in this browser')
      expect(refused.headers.getSetCookie()).toEqual([
        '__Host-ent_oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      ])
    }
    // This request reaches the provider, which does not know the code.
    expect(await (await get(path, `__Host-ent_oidc=${value}`)).text()).toContain('does not belong to this sign-in')
  })

  it('signs the browser in for twelve hours, and returns to the page where it began', async () => {
    const browser = new OidcBrowser(service)

    const { status, location, headers } = await browser.signIn(provider, provider.add(ada), '/account?a=b#c')

    expect({ status, location }).toEqual({ status: 303, location: `${service.url}/account?a=b#c` })
    expect(headers.getSetCookie()).toEqual([
      'ent_oidc=; Path=/auth/oidc; Max-Age=0; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^ent_user=usr_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^ent_mark=/),
    ])
    const { body } = await browser.pages.graphql(readMe)
    expect(body.data.user).toMatchObject({ email: 'ada@example.org', displayName: 'Ada' })
    const [session] = await service.database.prisma.userSession.findMany({ where: { userId: body.data.user.userId } })
    expect((session?.expiresAt.getTime() ?? 0) - (session?.createdAt.getTime() ?? 0)).toBe(12 * 3_600_000)
  })

  it('ends its console sessions after twelve hours, together with the sign-in', async () => {
    const browser = new OidcBrowser(service)
    await browser.signIn(provider, provider.add(ada))
    const create = 'mutation { createOrganization(input: { name: "Mine" }) { organizationId } }'
    const { body } = await browser.pages.graphql(create)
    const { organizationId } = body.data.createOrganization

    const entered = await browser.pages.enter(organizationId)

    const leftMs = Date.parse(entered.body.data.signInToOrganization.expiresAt) - Date.now()
    expect(leftMs).toBeGreaterThan(11.9 * 3_600_000)
    expect(leftMs).toBeLessThan(12.1 * 3_600_000)
  })

  it("finds the person's account by issuer and subject, and stores a new e-mail address", async () => {
    const subject = provider.add(ada)
    const [first, later] = [new OidcBrowser(service), new OidcBrowser(service)]
    await first.signIn(provider, subject)
    const known = (await first.pages.graphql(readMe)).body.data.user
    provider.change(subject, { name: 'Ada', email: 'lovelace@example.org' })

    await later.signIn(provider, subject)

    expect((await later.pages.graphql(readMe)).body.data.user).toEqual({ ...known, email: 'lovelace@example.org' })
  })

  it('is never linked to a local account by its e-mail', async () => {
    const local = await signUp(service)
    const browser = new OidcBrowser(service)

    await browser.signIn(provider, provider.add({ name: 'Ada', email: local.email }))

    const { body } = await browser.pages.graphql(readMe)
    expect(body.data.user.email).toBe(local.email)
    expect(body.data.user.userId).not.toBe(local.userId)
  })

  it('creates one account when someone signs in twice at once', async () => {
    const subject = provider.add(ada)
    const browsers = Array.from({ length: 4 }, () => new OidcBrowser(service))
    const backs: string[] = []
    for (const browser of browsers) {
      backs.push(await browser.visit(provider, subject, (await browser.start()).location as string))
    }

    await Promise.all(browsers.map((browser, index) => browser.get(backs[index] as string)))

    const answers = await Promise.all(browsers.map((browser) => browser.pages.graphql(readMe)))
    expect(new Set(answers.map(({ body }) => body.data.user.userId)).size).toBe(1)
  })

  it('requests the userinfo endpoint only for claims that the ID token lacks', async () => {
    const complete = await startProvider({ inIdToken: true })
    const other = await startService({ ...trustedLoopback, ...complete.env })
    const browser = new OidcBrowser(other)
    provider.serverRequests.length = 0

    await browser.signIn(complete, complete.add({ ...ada, groups: [] }))
    await new OidcBrowser(service).signIn(provider, provider.add(ada))

    expect((await browser.pages.graphql(readMe)).body.data.user).toMatchObject({ displayName: 'Ada' })
    expect(complete.serverRequests).not.toContain('/me')
    expect(provider.serverRequests).toContain('/me')
  })

  it('creates a new account for a person who deleted theirs', async () => {
    const subject = provider.add(ada)
    const [first, later] = [new OidcBrowser(service), new OidcBrowser(service)]
    await first.signIn(provider, subject)
    const { userId } = (await first.pages.graphql(readMe)).body.data.user
    await first.pages.graphql('mutation { deleteUser }')
    await service.database.pool.query(
      `update ended_identity set ended_at = ended_at - interval '2 seconds' where subject = $1`,
      [subject],
    )

    await later.signIn(provider, subject)

    expect((await later.pages.graphql(readMe)).body.data.user.userId).not.toBe(userId)
  })
})

describe('a person who was not invited', () => {
  it('has an account after the sign-in, but can create an organization only after accepting an invite', async () => {
    const browser = new OidcBrowser(serviceByInvitation)
    await browser.signIn(provider, provider.add(ada))
    const create = 'mutation { createOrganization(input: { name: "Mine" }) { organizationId } }'

    const refused = await browser.pages.graphql(create)

    expect(refused.body.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      details: { field: 'organizations', value: 0 },
    })
    const admin = await serviceByInvitation.organization()
    const { body } = await admin.rest('POST', '/org/invites', { role: 'viewer' })
    const join = 'mutation ($input: JoinOrganizationInput!) { joinOrganization(input: $input) { organizationId } }'
    await browser.pages.graphql(join, { input: { invite: body.link.split('#')[1] } })
    expect((await browser.pages.graphql(create)).body.errors).toBeUndefined()
  })
})

describe('a sign-in is refused, with a page that says what to do next,', () => {
  it('without the cookie that was set when it began', async () => {
    const { browser, back } = await signInAtProvider()
    browser.kept = undefined

    await expectRefused(browser, back, /not started in this browser/)
  })

  it('with an altered cookie', async () => {
    const { browser, back } = await signInAtProvider()
    const real = browser.kept as string
    browser.kept = `${real.slice(0, -4)}AAAA`

    await expectRefused(browser, back, /not started in this browser/)
  })

  it('when a state and code are used for the second time', async () => {
    const { browser, back } = await signInAtProvider()
    const cookie = browser.kept as string
    expect((await browser.get(back.href)).status).toBe(303)
    const thief = new OidcBrowser(service)
    thief.kept = cookie

    await expectRefused(thief, back, /does not belong to this sign-in/)
  })

  it('with the state of another sign-in', async () => {
    const [{ browser }, other] = [await signInAtProvider(), await signInAtProvider()]

    await expectRefused(browser, other.back, /does not belong to this sign-in/)
  })

  it("with its own state, but another person's code", async () => {
    const [{ browser, back }, other] = [await signInAtProvider(), await signInAtProvider()]
    back.searchParams.set('code', other.back.searchParams.get('code') as string)

    await expectRefused(browser, back, /does not belong to this sign-in/)
  })

  it('with an ID token for another nonce', async () => {
    const browser = new OidcBrowser(service)
    const url = new URL((await browser.start()).location as string)
    url.searchParams.set('nonce', 'another')
    const back = await browser.visit(provider, provider.add(ada), url.href)

    await expectRefused(browser, back, /does not belong to this sign-in/)
  })

  it('from another issuer', async () => {
    const { browser, back } = await signInAtProvider()
    expect(back.searchParams.get('iss')).toBe(provider.issuer)
    back.searchParams.set('iss', 'https://elsewhere.example')

    await expectRefused(browser, back, /does not belong to this sign-in/)
  })

  it('when the provider does not let the person in', async () => {
    const browser = new OidcBrowser(service)
    const back = await browser.visit(provider, null, (await browser.start()).location as string)

    await expectRefused(browser, back, /did not let you in/)
  })

  it('with a line in the log; a program gets the usual error instead of a page', async () => {
    const answer = await send(`${service.url}/auth/oidc/callback?code=1&state=2`, 'GET')

    expect(answer.status).toBe(401)
    expect(answer.body.error.code).toBe('UNAUTHORIZED')
    const requestId = answer.headers.get('x-request-id')
    expect(log.find((line) => line.requestId === requestId)).toMatchObject({
      msg: 'a sign-in with OpenID Connect failed',
      status: 401,
    })
  })

  it('at an address that the service does not recognize as its own', async () => {
    const response = await new OidcBrowser(service).get('/auth/oidc/start', { 'x-forwarded-host': 'evil.example' })

    expect(response.status).toBe(401)
    expect(response.text).toContain('PUBLIC_URL')
  })

  it('after 60 starts or 60 callbacks from one address in a minute', async () => {
    const browser = new OidcBrowser(service)
    for (const path of ['start', 'callback']) {
      const statuses: number[] = []
      for (let n = 0; n < 61; n++) statuses.push((await browser.get(`/auth/oidc/${path}`)).status)
      expect(statuses.slice(0, 60)).not.toContain(429)
      expect(statuses[60]).toBe(429)
    }
  })
})

describe('a provider that cannot be reached', () => {
  it('is reported to the person at once, and requested again only after half a minute', async () => {
    const own = await startProvider()
    own.away = true
    const lines: LogEntry[] = []
    const alone = await startService({ ...trustedLoopback, ...own.env, LOG_LEVEL: 'warn' }, lines)
    const browser = new OidcBrowser(alone)

    const first = await browser.start()
    own.away = false
    const second = await browser.start()

    expect([first.status, second.status]).toEqual([503, 503])
    expect(second.text).toMatch(/cannot be reached.*Try again in a minute/)
    expect(second.headers.get('retry-after')).toBe('1')
    expect(own.serverRequests).toEqual([])
    const outageLines = lines.filter(({ msg }) =>
      msg.startsWith('the identity provider (OIDC_ISSUER) cannot be reached'),
    )
    expect(outageLines).toHaveLength(1)
  })

  it('causes 503 for a person who returns from it, and does not sign them in', async () => {
    const own = await startProvider()
    const alone = await startService({ ...trustedLoopback, ...own.env })
    const browser = new OidcBrowser(alone)
    const back = await browser.visit(own, own.add(ada), (await browser.start()).location as string)
    own.away = true

    const { status, text } = await browser.get(back)

    expect(status).toBe(503)
    expect(text).toContain('cannot be reached')
    expect(browser.pages.cookies).toEqual(new Map())
  })

  it('causes 503, as does a provider that names another issuer', async () => {
    const own = await startProvider()
    const alone = await startService({
      ...trustedLoopback,
      ...own.env,
      OIDC_ISSUER: own.issuer.replace('localhost', '127.0.0.1'),
    })

    expect((await new OidcBrowser(alone).start()).status).toBe(503)
  })
})

describe('without a provider', () => {
  it('the routes of a sign-in with OpenID Connect do not exist', async () => {
    const plain = await startService(trustedLoopback)

    expect((await send(`${plain.url}/auth/oidc/start`, 'GET')).status).toBe(404)
    expect((await send(`${plain.url}/auth/oidc/callback`, 'GET')).status).toBe(404)
    const { body } = await send(`${plain.url}/service`, 'GET', undefined, newAddress())
    expect(body).toMatchObject({ oidc: null, local_sign_in: true })
  })
})

describe('GET /service', () => {
  it("includes the provider's name, for the sign-in button", async () => {
    const { body } = await send(`${service.url}/service`, 'GET', undefined, newAddress())

    expect(body).toMatchObject({ oidc: { name: 'Acme Login' }, local_sign_in: true })
  })
})

describe('the page after the sign-in', () => {
  const origin = 'https://ours.example'

  it.each(['/', '/o/1/plans?q=a%20b#top', '/%2F/evil.example', '/a?to=//evil.example'])('is %s if requested', (to) => {
    expect(localAddress(to, origin)).toBe(origin + to)
  })

  it.each([
    undefined,
    ['/a', '/b'],
    '',
    'account',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/a\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    '@evil.example',
    '.evil.example',
    '/auth/oidc/start',
    '/a/../auth/oidc/start',
    `/${'a'.repeat(2_000)}`,
  ])('is the start page if the requested page is %j', (to) => {
    expect(localAddress(to, origin)).toBe(`${origin}/`)
  })

  it('is on our host even if the requested path contains // and another host', () => {
    expect(new URL(localAddress('/.//evil.example', origin)).host).toBe('ours.example')
  })

  it('is the start page if the sign-in was started with the address of another host', async () => {
    const browser = new OidcBrowser(service)

    const { location } = await browser.signIn(provider, provider.add({ name: newId() }), '//evil.example')

    expect(location).toBe(`${service.url}/`)
  })
})
