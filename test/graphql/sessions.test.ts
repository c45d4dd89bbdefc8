import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { addMember, Browser, newAddress, type Person, signUp, trustedLoopback } from '../support/person.ts'
import { expectSameRefusal } from '../support/refusal.ts'
import { send, sharedService, startService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)
const other = await startService(trustedLoopback)

/** A browser in which the person is signed in personally and to these organizations. */
async function signInBrowser(person: Person, ...organizationIds: string[]): Promise<Browser> {
  const browser = new Browser(service)
  await browser.signIn(person)
  for (const id of organizationIds) await browser.enter(id)
  return browser
}

async function createOwner(...names: string[]) {
  const person = await signUp(service)
  const organizationIds: string[] = []
  for (const name of names) {
    const { body } = await person.rest('POST', '/user/organizations', { name })
    organizationIds.push(body.organization_id)
  }
  return { person, organizationIds, organizationId: organizationIds[0] as string }
}

const nameOf = (browser: Browser, organizationId: string, headers = {}) =>
  browser.graphql('{ organization { name } }', {}, { organizationId, headers })

const codesOf = ({ body }: { body: { errors?: { extensions: { code: string } }[] } }) =>
  body.errors?.map(({ extensions }) => extensions.code)

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('signIn', () => {
  it('sets a cookie that lasts 7 days, and returns no token', async () => {
    const person = await signUp(service)
    const browser = new Browser(service)

    const answer = await browser.signIn(person)

    expect(answer.body).toEqual({ data: { signIn: { userId: person.userId } } })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^ent_user=usr_\w{49}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^ent_mark=/),
    ])
    expect((await browser.graphql('{ user { userId email } viewer { user { userId } role labels } }')).body).toEqual({
      data: {
        user: { userId: person.userId, email: person.email },
        viewer: { user: { userId: person.userId }, role: null, labels: [] },
      },
    })
  })

  it('stores only a hash of the session token', async () => {
    const person = await signUp(service)
    const browser = await signInBrowser(person)
    const { rows } = await service.database.pool.query('select s::text as row from user_session s where user_id = $1', [
      person.userId,
    ])

    expect(rows).toHaveLength(1)
    expect(rows[0].row).not.toContain(browser.cookies.get('ent_user'))
  })

  it('reads the fields of its answer as the person who signed in', async () => {
    const { person, organizationId } = await createOwner('Mine')

    const answer = await new Browser(service).graphql(
      'mutation ($input: SignInInput!) { signIn(input: $input) { organizations { organizationId name role } } }',
      { input: { email: person.email, password: person.password } },
    )

    expect(answer.body).toEqual({
      data: { signIn: { organizations: [{ organizationId, name: 'Mine', role: 'ADMIN' }] } },
    })
  })

  it('refuses a wrong password as REST does', async () => {
    const person = await signUp(service)

    const answer = await new Browser(service).signIn({ ...person, password: 'wrong horse' })
    const rest = await send(`${service.url}/user/sign-in`, 'POST', { ...person, password: 'wrong horse' }, newAddress())

    expect(rest.status).toBe(401)
    expectSameRefusal(answer, rest)
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('cookies', () => {
  it('of an organization give access to that organization, and to no other', async () => {
    const { person, organizationIds } = await createOwner('One', 'Two')
    const [one = '', two = ''] = organizationIds
    const browser = await signInBrowser(person, one, two)

    expect((await nameOf(browser, one)).body).toEqual({ data: { organization: { name: 'One' } } })
    expect((await nameOf(browser, two)).body).toEqual({ data: { organization: { name: 'Two' } } })
    expect(codesOf(await nameOf(browser, newId()))).toEqual(['UNAUTHORIZED'])
    expect(codesOf(await browser.graphql('{ organization { name } }'))).toEqual(['UNAUTHORIZED'])

    // Stores one organization's session under the cookie name of the other organization.
    browser.cookies.set(`ent_session_${two}`, browser.cookies.get(`ent_session_${one}`) as string)
    expect(codesOf(await nameOf(browser, two))).toEqual(['UNAUTHORIZED'])
  })

  it('identify the member, and are recorded in the audit log as a console session', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)

    const answer = await browser.graphql(
      '{ viewer { member { userId displayName role } user { userId } role labels } }',
      {},
      { organizationId },
    )
    await browser.graphql(
      'mutation { createFeature(input: { key: "sso", name: "SSO", kind: FLAG }) { key } }',
      {},
      { organizationId },
    )

    expect(answer.body.data.viewer).toEqual({
      member: { userId: person.userId, displayName: 'Ada', role: 'ADMIN' },
      user: { userId: person.userId },
      role: 'ADMIN',
      labels: expect.arrayContaining(['org:audit:read', 'entitlements:read']),
    })
    const { rows } = await service.database.pool.query(
      `select auth_type, key_prefix from audit_event where organization_id = $1 and route = '/org/features'`,
      [organizationId],
    )
    const token = browser.cookies.get(`ent_session_${organizationId}`)
    expect(rows).toEqual([{ auth_type: 'member_session', key_prefix: token?.slice(0, 12) }])
  })

  it.each([
    ['from a foreign page', { origin: 'https://evil.example' }],
    ['from a page of the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['with an Origin of null', { origin: 'null' }],
  ])('are ignored in a request %s', async (_what, headers) => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)
    const options = { organizationId, headers }

    const write = await browser.graphql('mutation { updateOrganization(input: { name: "X" }) { name } }', {}, options)
    const personal = await browser.graphql(
      'mutation { updateUser(input: { displayName: "X" }) { userId } }',
      {},
      options,
    )
    const signIn = await browser.graphql(
      'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }',
      { input: { email: person.email, password: person.password } },
      options,
    )

    for (const answer of [write, personal, signIn]) {
      expect(codesOf(answer)).toEqual(['UNAUTHORIZED'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await nameOf(browser, organizationId)).body.data.organization.name).toBe('Mine')
  })

  it('are ignored without an Origin, and not accepted from a form', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)
    const query = 'mutation { updateOrganization(input: { name: "X" }) { name } }'
    const headers = { cookie: browser.cookieHeader, 'x-organization-id': organizationId }

    const withoutOrigin = await send(`${service.url}/graphql`, 'POST', { query }, headers)
    const form = await send(`${service.url}/graphql`, 'POST', `query=${encodeURIComponent(query)}`, {
      ...headers,
      origin: service.url,
      'content-type': 'application/x-www-form-urlencoded',
    })
    const text = await send(`${service.url}/graphql`, 'POST', JSON.stringify({ query }), {
      ...headers,
      origin: service.url,
      'content-type': 'text/plain',
    })

    expect(codesOf(withoutOrigin)).toEqual(['UNAUTHORIZED'])
    expect([form.status, codesOf(form)]).toEqual([415, ['UNSUPPORTED_MEDIA_TYPE']])
    expect([text.status, codesOf(text)]).toEqual([415, ['UNSUPPORTED_MEDIA_TYPE']])
    expect((await nameOf(browser, organizationId)).body.data.organization.name).toBe('Mine')
  })

  it('are ignored beside an API key or a Bearer token, which together are refused with 401', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)
    const stranger = await service.organization()
    const asking = (headers: Record<string, string>) =>
      browser.graphql('{ organization { name } user { userId } }', {}, { organizationId, headers })

    const byKey = await asking({ 'x-api-key': stranger.key })
    const byToken = await asking({ authorization: `Bearer ${person.token}` })
    const both = await asking({ 'x-api-key': stranger.key, authorization: `Bearer ${person.token}` })
    const badKey = await asking({ 'x-api-key': 'ent_junk' })

    expect(byKey.body.data).toEqual({ organization: { name: 'Acme' }, user: null })
    expect(byToken.body.data).toEqual({ organization: null, user: { userId: person.userId } })
    expect([both.status, codesOf(both)]).toEqual([401, ['UNAUTHORIZED']])
    expect(badKey.body.data).toEqual({ organization: null, user: null })
  })

  it('are not accepted by REST', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const { cookieHeader } = await signInBrowser(person, organizationId)
    const headers = {
      cookie: cookieHeader,
      origin: service.url,
      'x-organization-id': organizationId,
      'content-type': 'application/json',
    }

    expect((await send(`${service.url}/org`, 'GET', undefined, headers)).status).toBe(401)
    expect((await send(`${service.url}/user`, 'GET', undefined, headers)).status).toBe(401)
    expect((await send(`${service.url}/user/organizations`, 'POST', { name: 'X' }, headers)).status).toBe(401)
  })
})

describe('a console session ends', () => {
  it.each([
    ['after 12 hours without use', `last_used_at = now() - interval '12 hours 1 second'`],
    ['after 7 days', `expires_at = now()`],
  ])('%s', async (_when, change) => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)
    await service.database.pool.query(`update console_session set ${change} where organization_id = $1`, [
      organizationId,
    ])

    expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
  })

  it('in every process when the member is disabled, and stays ended when the member is enabled again', async () => {
    const { organizationId, person: owner } = await createOwner('Mine')
    const admin = await service.member(organizationId, 'admin')
    const person = await signUp(service)
    const memberId = await addMember(admin, person, 'viewer')
    const browser = new Browser(other)
    await browser.signIn(person)
    await browser.enter(organizationId)
    expect((await nameOf(browser, organizationId)).body.data.organization.name).toBe('Mine')

    await admin.rest('PATCH', `/org/members/${memberId}`, { status: 'disabled' })
    expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
    await admin.rest('PATCH', `/org/members/${memberId}`, { status: 'active' })
    expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
    expect(owner.userId).not.toBe(person.userId)
  })

  it('when the person signs out of the organization, while the personal sign-in continues', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)
    const token = browser.cookies.get(`ent_session_${organizationId}`) as string

    const answer = await browser.graphql(
      'mutation ($input: SignOutOfOrganizationInput!) { signOutOfOrganization(input: $input) }',
      { input: { organizationId } },
    )

    expect(answer.body).toEqual({ data: { signOutOfOrganization: organizationId } })
    expect(browser.cookies.has(`ent_session_${organizationId}`)).toBe(false)
    browser.cookies.set(`ent_session_${organizationId}`, token)
    expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
    expect((await browser.graphql('{ user { userId } }')).body.data.user.userId).toBe(person.userId)
  })

  it('when the person leaves the organization', async () => {
    const { person, organizationId } = await createOwner('Mine')
    await service.member(organizationId, 'admin')
    const browser = new Browser(service)
    await browser.signIn(person)
    await browser.enter(organizationId)
    const token = browser.cookies.get(`ent_session_${organizationId}`) as string

    const answer = await browser.graphql(
      'mutation ($input: LeaveOrganizationInput!) { leaveOrganization(input: $input) }',
      { input: { organizationId } },
    )

    expect(answer.body).toEqual({ data: { leaveOrganization: organizationId } })
    expect(browser.cookies.has(`ent_session_${organizationId}`)).toBe(false)
    browser.cookies.set(`ent_session_${organizationId}`, token)
    expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
  })

  it('at signOut together with the personal sign-in, but not in another browser', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const [browser, laptop] = [await signInBrowser(person, organizationId), await signInBrowser(person, organizationId)]
    const cookies = new Map(browser.cookies)

    const answer = await browser.graphql('mutation { signOut }')

    expect(answer.body).toEqual({ data: { signOut: person.userId } })
    expect([...browser.cookies.keys()]).toEqual(['ent_mark'])
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
    expect(codesOf(await browser.graphql('{ user { userId } }'))).toEqual(['UNAUTHORIZED'])
    expect((await nameOf(laptop, organizationId)).body.data.organization.name).toBe('Mine')
  })

  it('when the password changes, together with every sign-in of the person', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const browsers = [await signInBrowser(person, organizationId), await signInBrowser(person, organizationId)]

    const answer = await browsers[0]?.graphql(
      'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { userId } }',
      { input: { currentPassword: person.password, newPassword: 'better battery' } },
    )

    expect(answer?.body).toEqual({ data: { changePassword: { userId: person.userId } } })
    for (const browser of browsers) {
      expect(codesOf(await nameOf(browser, organizationId))).toEqual(['UNAUTHORIZED'])
      expect(codesOf(await browser.graphql('{ user { userId } }'))).toEqual(['UNAUTHORIZED'])
    }
    expect((await person.rest('GET', '/user')).status).toBe(401)
  })

  it('later if it is used, because each use renews its 12 hours', async () => {
    const { person, organizationId } = await createOwner('Mine')
    const browser = await signInBrowser(person, organizationId)
    const { pool } = service.database
    await pool.query(
      `update console_session set last_used_at = now() - interval '11 hours' where organization_id = $1`,
      [organizationId],
    )

    await nameOf(browser, organizationId)

    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select last_used_at > now() - interval '1 minute' as used from console_session where organization_id = $1`,
          [organizationId],
        )
        return rows[0].used
      })
      .toBe(true)
  })
})

describe('the personal sign-in of a browser', () => {
  it('ends after 7 days', async () => {
    const person = await signUp(service)
    const browser = await signInBrowser(person)
    await service.database.pool.query('update user_session set expires_at = now() where user_id = $1', [person.userId])

    expect(codesOf(await browser.graphql('{ user { userId } }'))).toEqual(['UNAUTHORIZED'])
  })
})

describe('evals from the console', () => {
  it('are answered, counted and limited like evals with a key', async () => {
    const limited = await startService({ ...trustedLoopback, EVAL_MONTHLY_ALLOTMENT: '3' })
    const person = await signUp(limited)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const organizationId = mine.organization_id
    const admin = await limited.member(organizationId, 'admin')
    await admin.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
    const browser = new Browser(limited)
    await browser.signIn(person)
    await browser.enter(organizationId)
    const check = () =>
      browser.graphql(
        '{ check(subscriberId: "acme", feature: "sso") { feature allowed source } }',
        {},
        { organizationId },
      )

    const answers = [await check(), await check()]
    const byKey = await admin.rest('GET', '/org/subscribers/acme/entitlements')
    const exhausted = await check()
    const unknown = await browser.graphql('{ entitlements(subscriberId: "nobody") { plan } }', {}, { organizationId })

    for (const { body } of answers) {
      expect(body).toEqual({ data: { check: { feature: 'sso', allowed: false, source: 'NONE' } } })
    }
    expect(byKey.status).toBe(200)
    expect(exhausted.body.errors).toMatchObject([
      { extensions: { code: 'CONFLICT', details: { field: 'evals', value: 3 } } },
    ])
    expect(codesOf(unknown)).toEqual(['NOT_FOUND'])
    expect((await admin.rest('GET', '/org/eval-usage')).body.used).toBe(3)
  })

  it('use the role that the member has at the time of each request', async () => {
    const { organizationId } = await createOwner('Mine')
    const admin = await service.member(organizationId, 'admin')
    const person = await signUp(service)
    const memberId = await addMember(admin, person, 'evaluator')
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
    const browser = await signInBrowser(person, organizationId)
    const read = () =>
      browser.graphql('{ entitlements(subscriberId: "acme") { plan } plans { key } }', {}, { organizationId })

    const asEvaluator = await read()
    await admin.rest('PATCH', `/org/members/${memberId}`, { role: 'viewer' })
    const asViewer = await read()

    expect(asEvaluator.body.data).toEqual({ entitlements: { plan: null }, plans: null })
    expect(codesOf(asEvaluator)).toEqual(['FORBIDDEN'])
    expect(asViewer.body).toEqual({ data: { entitlements: { plan: null }, plans: [] } })
  })
})
