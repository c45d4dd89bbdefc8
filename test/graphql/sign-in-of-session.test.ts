import { describe, expect, it } from 'vitest'
import { startProvider } from '../support/oidc.ts'
import { OidcBrowser } from '../support/oidc-browser.ts'
import { addMember, Browser, type Person, signUp, trustedLoopback } from '../support/person.ts'
import { send, startService } from '../support/service.ts'

const provider = await startProvider()
const service = await startService({ ...trustedLoopback, ...provider.env })

/** Creates a person with an organization, and signs their browser in to it. */
async function openConsole(): Promise<{ person: Person; organizationId: string; browser: Browser }> {
  const person = await signUp(service)
  const { body } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
  const browser = new Browser(service)
  await browser.signIn(person)
  await browser.enter(body.organization_id)
  return { person, organizationId: body.organization_id, browser }
}

type Cookies = ReadonlyMap<string, string>

/** A browser that has exactly these cookies. */
function browserWith(...cookies: [string, string][]): Browser {
  const browser = new Browser(service)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

/** The codes with which the organization refuses a read and a write of this browser; null for an answer. */
async function refusalsIn(organizationId: string, browser: Browser): Promise<(string | null)[]> {
  const queries = ['{ organization { name } }', 'mutation { updateOrganization(input: { name: "Theirs" }) { name } }']
  const codes: (string | null)[] = []
  for (const query of queries) {
    const { body } = await browser.graphql(query, {}, { organizationId })
    codes.push(body.errors?.[0].extensions.code ?? null)
  }
  return codes
}

const [allowed, refused] = [
  [null, null],
  ['UNAUTHORIZED', 'UNAUTHORIZED'],
]

async function countSessions({ userId }: Pick<Person, 'userId'>): Promise<number> {
  const where = { userId }
  const { userSession, consoleSession } = service.database.prisma
  return (await userSession.count({ where })) + (await consoleSession.count({ where }))
}

function sessionIn(cookies: Cookies, organizationId: string): [string, string] {
  const name = `ent_session_${organizationId}`
  return [name, cookies.get(name) as string]
}

const signInOf = (cookies: Cookies): [string, string] => ['ent_user', cookies.get('ent_user') as string]

describe('a console session', () => {
  it('is refused without the personal sign-in', async () => {
    const { organizationId, browser } = await openConsole()

    expect(await refusalsIn(organizationId, browser)).toEqual(allowed)
    expect(await refusalsIn(organizationId, browserWith(sessionIn(browser.cookies, organizationId)))).toEqual(refused)
    expect(await refusalsIn(organizationId, browser)).toEqual(allowed)
  })

  it('is refused with the sign-in of another person, even if that person is a member, too', async () => {
    const { organizationId, browser } = await openConsole()
    const other = await openConsole()
    await addMember(await service.member(organizationId, 'admin'), other.person, 'admin')
    const session = sessionIn(browser.cookies, organizationId)

    expect(await refusalsIn(organizationId, browserWith(signInOf(other.browser.cookies), session))).toEqual(refused)
  })

  it("is refused with the same person's sign-in in another browser", async () => {
    const { person, organizationId, browser } = await openConsole()
    const phone = new Browser(service)
    await phone.signIn(person)
    const session = sessionIn(browser.cookies, organizationId)

    expect(await refusalsIn(organizationId, browserWith(signInOf(phone.cookies), session))).toEqual(refused)
  })

  it.each(['', 'x', 'usr_x', `usr_${'0'.repeat(49)}`])('is refused with %j in place of a sign-in', async (value) => {
    const { organizationId, browser } = await openConsole()
    const session = sessionIn(browser.cookies, organizationId)

    expect(await refusalsIn(organizationId, browserWith(['ent_user', value], session))).toEqual(refused)
  })

  it('is refused once its sign-in has expired', async () => {
    const { person, organizationId, browser } = await openConsole()
    await service.database.pool.query('update user_session set expires_at = now() where user_id = $1', [person.userId])

    expect(await refusalsIn(organizationId, browser)).toEqual(refused)
  })

  it('is accepted without a sign-in only if it was opened with a token', async () => {
    const { person, organizationId, browser } = await openConsole()
    const headers = { origin: service.url, 'content-type': 'application/json' }
    const script = new Browser(service)
    script.keep(await person.rest('POST', `/user/organizations/${organizationId}/sign-in`, undefined, headers))
    const session = sessionIn(script.cookies, organizationId)

    expect(await refusalsIn(organizationId, script)).toEqual(allowed)
    for (const cookies of [browser.cookies, (await openConsole()).browser.cookies]) {
      expect(await refusalsIn(organizationId, browserWith(signInOf(cookies), session))).toEqual(refused)
    }
    expect(await refusalsIn(organizationId, browserWith(['ent_user', ''], session))).toEqual(refused)
  })
})

describe('a sign-in in a browser in which somebody is already signed in', () => {
  /** Signs in with a password, signs up, or signs in at the provider. */
  const ways: [string, (cookies: Cookies) => Promise<Cookies>][] = [
    [
      'with a password',
      async (cookies) => {
        const browser = browserWith(...cookies)
        await browser.signIn(await signUp(service))
        return browser.cookies
      },
    ],
    [
      'by signing up',
      async (cookies) => {
        const browser = browserWith(...cookies)
        const input = { email: `${crypto.randomUUID()}@example.org`, password: 'correct horse', displayName: 'Eve' }
        await browser.graphql('mutation ($input: SignUpInput!) { signUp(input: $input) { userId } }', { input })
        return browser.cookies
      },
    ],
    [
      'with OpenID Connect',
      async (cookies) => {
        const browser = new OidcBrowser(service)
        for (const [name, value] of cookies) browser.pages.cookies.set(name, value)
        await browser.signIn(provider, provider.add({ name: 'Eve', email: 'eve@example.org' }))
        return browser.pages.cookies
      },
    ],
  ]

  it.each(ways)('ends the sessions of the previous person, %s', async (_way, signIn) => {
    const { person, organizationId, browser } = await openConsole()
    const before = new Map(browser.cookies)

    const after = await signIn(before)

    expect(after.get('ent_user')).toMatch(/^usr_/)
    expect(after.get('ent_user')).not.toBe(before.get('ent_user'))
    expect(await countSessions(person)).toBe(0)
    expect(await refusalsIn(organizationId, browserWith(...before))).toEqual(refused)
    expect(await refusalsIn(organizationId, browserWith(...after))).toEqual(refused)
    expect(await refusalsIn(organizationId, browserWith(...after, sessionIn(before, organizationId)))).toEqual(refused)
  })

  it("removes the cookies of the previous person's console sessions from the browser", async () => {
    const { browser } = await openConsole()

    await browser.signIn(await signUp(service))

    expect([...browser.cookies.keys()].toSorted()).toEqual(['ent_mark', 'ent_user'])
  })

  it('also ends a console session that this browser opened with a token', async () => {
    const person = await signUp(service)
    const { body } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const path = `/user/organizations/${body.organization_id}/sign-in`
    const own = { origin: service.url, 'content-type': 'application/json' }
    const browser = new Browser(service)
    browser.keep(await person.rest('POST', path, undefined, own))
    const before = new Map(browser.cookies)

    await browser.signIn(await signUp(service))

    expect(await countSessions(person)).toBe(0)
    expect(await refusalsIn(body.organization_id, browserWith(...before))).toEqual(refused)
  })

  it('does not end sessions in other browsers', async () => {
    const { person, organizationId, browser } = await openConsole()
    const phone = new Browser(service)
    await phone.signIn(person)
    await phone.enter(organizationId)

    await browser.signIn(await signUp(service))

    expect(await refusalsIn(organizationId, phone)).toEqual(allowed)
  })

  it('begins new sessions even for the same person', async () => {
    const { person, organizationId, browser } = await openConsole()

    await browser.signIn(person)
    await browser.enter(organizationId)

    expect(await refusalsIn(organizationId, browser)).toEqual(allowed)
    expect(await countSessions(person)).toBe(2)
  })

  it('ends nothing if it fails', async () => {
    const { person, organizationId, browser } = await openConsole()

    await browser.signIn({ ...person, password: 'wrong horse' })

    expect(await refusalsIn(organizationId, browser)).toEqual(allowed)
  })

  it('prevents other fields of its document from acting for the previous person', async () => {
    const { person, organizationId, browser } = await openConsole()
    const { email, password } = await signUp(service)

    const { body } = await browser.graphql(
      `mutation ($input: SignInInput!) {
         signIn(input: $input) { userId }
         updateOrganization(input: { name: "Theirs" }) { name }
       }`,
      { input: { email, password } },
      { organizationId },
    )

    expect(body.errors).toMatchObject([{ path: ['updateOrganization'], extensions: { code: 'UNAUTHORIZED' } }])
    expect(await countSessions(person)).toBe(0)
  })

  it('cannot be made from a page of another site', async () => {
    const { organizationId, browser } = await openConsole()
    const { email, password } = await signUp(service)

    await send(
      `${service.url}/graphql`,
      'POST',
      {
        query: 'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }',
        variables: { input: { email, password } },
      },
      { origin: 'https://evil.example', cookie: browser.cookieHeader },
    )

    expect(await refusalsIn(organizationId, browser)).toEqual(allowed)
  })
})
