import { describe, expect, it } from 'vitest'
import { startProvider } from '../support/oidc.ts'
import { OidcBrowser } from '../support/oidc-browser.ts'
import { addMember, Browser, type Person, signUp, trusting } from '../support/person.ts'
import { send, startService } from '../support/service.ts'

const provider = await startProvider()
const service = await startService({ ...trusting, ...provider.env })

/** A person with an organization, whose browser is signed in there. */
async function inside(): Promise<{ person: Person; organizationId: string; browser: Browser }> {
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

/** What a browser with these cookies may do in the organization: the code of the refusal of a read and of a write, or null. */
async function mayActIn(organizationId: string, browser: Browser): Promise<(string | null)[]> {
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

describe('a console session counts only with the sign-in under which it was opened', () => {
  it('does not count without a sign-in', async () => {
    const { organizationId, browser } = await inside()

    expect(await mayActIn(organizationId, browser)).toEqual(allowed)
    expect(await mayActIn(organizationId, browserWith(sessionIn(browser.cookies, organizationId)))).toEqual(refused)
    expect(await mayActIn(organizationId, browser)).toEqual(allowed)
  })

  it("nor with another person's, also of a member", async () => {
    const { organizationId, browser } = await inside()
    const other = await inside()
    await addMember(await service.member(organizationId, 'admin'), other.person, 'admin')
    const session = sessionIn(browser.cookies, organizationId)

    expect(await mayActIn(organizationId, browserWith(signInOf(other.browser.cookies), session))).toEqual(refused)
  })

  it("nor with the same person's in another browser", async () => {
    const { person, organizationId, browser } = await inside()
    const phone = new Browser(service)
    await phone.signIn(person)
    const session = sessionIn(browser.cookies, organizationId)

    expect(await mayActIn(organizationId, browserWith(signInOf(phone.cookies), session))).toEqual(refused)
  })

  it.each(['', 'x', 'usr_x', `usr_${'0'.repeat(49)}`])('nor with %j in its place', async (value) => {
    const { organizationId, browser } = await inside()
    const session = sessionIn(browser.cookies, organizationId)

    expect(await mayActIn(organizationId, browserWith(['ent_user', value], session))).toEqual(refused)
  })

  it('nor once that has expired', async () => {
    const { person, organizationId, browser } = await inside()
    await service.database.pool.query('update user_session set expires_at = now() where user_id = $1', [person.userId])

    expect(await mayActIn(organizationId, browser)).toEqual(refused)
  })

  it('counts without a sign-in only if it was opened with a token', async () => {
    const { person, organizationId, browser } = await inside()
    const headers = { origin: service.url, 'content-type': 'application/json' }
    const script = new Browser(service)
    script.keep(await person.rest('POST', `/user/organizations/${organizationId}/sign-in`, undefined, headers))
    const session = sessionIn(script.cookies, organizationId)

    expect(await mayActIn(organizationId, script)).toEqual(allowed)
    for (const cookies of [browser.cookies, (await inside()).browser.cookies]) {
      expect(await mayActIn(organizationId, browserWith(signInOf(cookies), session))).toEqual(refused)
    }
    expect(await mayActIn(organizationId, browserWith(['ent_user', ''], session))).toEqual(refused)
  })
})

describe('a sign-in in a browser in which somebody is signed in', () => {
  /** Signs in with a password, up, or at the provider. */
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
    const { person, organizationId, browser } = await inside()
    const before = new Map(browser.cookies)

    const after = await signIn(before)

    expect(after.get('ent_user')).toMatch(/^usr_/)
    expect(after.get('ent_user')).not.toBe(before.get('ent_user'))
    expect(await countSessions(person)).toBe(0)
    expect(await mayActIn(organizationId, browserWith(...before))).toEqual(refused)
    expect(await mayActIn(organizationId, browserWith(...after))).toEqual(refused)
    expect(await mayActIn(organizationId, browserWith(...after, sessionIn(before, organizationId)))).toEqual(refused)
  })

  it('removes the cookies of their console sessions from the browser', async () => {
    const { browser } = await inside()

    await browser.signIn(await signUp(service))

    expect([...browser.cookies.keys()].toSorted()).toEqual(['ent_mark', 'ent_user'])
  })

  it('ends a session there that was opened with a token', async () => {
    const person = await signUp(service)
    const { body } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const path = `/user/organizations/${body.organization_id}/sign-in`
    const own = { origin: service.url, 'content-type': 'application/json' }
    const browser = new Browser(service)
    browser.keep(await person.rest('POST', path, undefined, own))
    const before = new Map(browser.cookies)

    await browser.signIn(await signUp(service))

    expect(await countSessions(person)).toBe(0)
    expect(await mayActIn(body.organization_id, browserWith(...before))).toEqual(refused)
  })

  it('leaves the sessions of other browsers alone', async () => {
    const { person, organizationId, browser } = await inside()
    const phone = new Browser(service)
    await phone.signIn(person)
    await phone.enter(organizationId)

    await browser.signIn(await signUp(service))

    expect(await mayActIn(organizationId, phone)).toEqual(allowed)
  })

  it('begins new ones, also for the same person', async () => {
    const { person, organizationId, browser } = await inside()

    await browser.signIn(person)
    await browser.enter(organizationId)

    expect(await mayActIn(organizationId, browser)).toEqual(allowed)
    expect(await countSessions(person)).toBe(2)
  })

  it('ends nothing if it fails', async () => {
    const { person, organizationId, browser } = await inside()

    await browser.signIn({ ...person, password: 'wrong horse' })

    expect(await mayActIn(organizationId, browser)).toEqual(allowed)
  })

  it('lets nothing else in its document act for the previous person', async () => {
    const { person, organizationId, browser } = await inside()
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

  it('cannot be made by a page of another site', async () => {
    const { organizationId, browser } = await inside()
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

    expect(await mayActIn(organizationId, browser)).toEqual(allowed)
  })
})
