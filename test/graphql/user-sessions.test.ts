import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { startPatientService } from '../support/patient-service.ts'
import { addMember, Browser, type Person, signUp, trustedLoopback } from '../support/person.ts'
import { untilOthersWaitFor } from '../support/race.ts'
import { expectRefusal } from '../support/refusal.ts'
import { vendor } from '../support/vendor.ts'

const service = await startPatientService(trustedLoopback)

type Session = { id: string; ip: string; userAgent: string | null; current: boolean; lastUsedAt: string }

async function signInBrowser(person: Person, headers: Record<string, string> = {}): Promise<Browser> {
  const browser = new Browser(service)
  const { email, password } = person
  const signIn = 'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }'
  await browser.graphql(signIn, { input: { email, password } }, { headers })
  return browser
}

async function listSessions(browser: Browser): Promise<Session[]> {
  const { body } = await browser.graphql('{ user { sessions { id createdAt lastUsedAt ip userAgent current } } }')
  return body.data.user.sessions
}

const end = (browser: Browser, id: string) =>
  browser.graphql('mutation ($input: EndSessionInput!) { endSession(input: $input) }', { input: { id } })

async function isSignedIn(browser: Browser): Promise<boolean> {
  const { body } = await browser.graphql('{ user { userId } }')
  return !body.errors
}

async function isInside(browser: Browser, organizationId: string): Promise<boolean> {
  const { body } = await browser.graphql('{ organization { name } }', {}, { organizationId })
  return !body.errors
}

describe('the sessions of a person', () => {
  it('are listed newest first, with the address and browser of each', async () => {
    const person = await signUp(service)
    await signInBrowser(person, { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'A' })
    const laptop = await signInBrowser(person, { 'x-forwarded-for': '203.0.113.10', 'user-agent': 'é'.repeat(600) })

    const sessions = await listSessions(laptop)
    const { body } = await person.rest('GET', '/user/sessions')

    const about = { id: ulid, createdAt: timestamp, lastUsedAt: timestamp }
    expect(sessions).toEqual([
      { ...about, ip: '203.0.113.10', userAgent: `${'é'.repeat(511)}…`, current: true },
      { ...about, ip: '203.0.113.9', userAgent: 'A', current: false },
    ])
    expect(body.sessions).toEqual(
      sessions.map(({ id, ip, userAgent }) => ({
        ...{ id, created_at: timestamp, last_used_at: timestamp, ip, user_agent: userAgent, current: false },
      })),
    )
  })

  it("include console sessions opened with a token, but not those opened under a browser's sign-in", async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const browser = await signInBrowser(person)
    await browser.enter(mine.organization_id)
    await person.rest('POST', `/user/organizations/${mine.organization_id}/sign-in`, undefined, {
      'user-agent': 'script',
    })

    const sessions = await listSessions(browser)

    expect(sessions).toMatchObject([{ userAgent: 'script', current: false }, { current: true }])
  })

  it('show when they were last used, including uses of their console sessions', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const phone = await signInBrowser(person)
    await phone.enter(mine.organization_id)
    const browser = await signInBrowser(person)
    const used = (table: string, ago: string, isOfPhone: boolean) =>
      service.database.pool.query(
        `update ${table} set last_used_at = now() - $2::interval
          where user_id = $1 and (user_session_id = (select min(user_session_id) from user_session where user_id = $1)) = $3`,
        [person.userId, ago, isOfPhone],
      )
    await used('user_session', '2 days', false)

    const hoursAgo = async () => {
      // The use of the phone's sign-in is recorded half a second after the requests above, so each attempt sets the time.
      await used('user_session', '2 days', true)
      await used('console_session', '3 hours', true)
      const sessions = await listSessions(browser)
      return sessions.map(({ lastUsedAt }) => Math.round((Date.now() - Date.parse(lastUsedAt)) / 3_600_000))
    }

    await expect.poll(hoursAgo).toEqual([0, 3])
  })

  it('are not listed after they have expired, and then cannot be ended', async () => {
    const person = await signUp(service)
    const [browser, phone] = [await signInBrowser(person), await signInBrowser(person)]
    const [late] = await listSessions(phone)
    await service.database.pool.query('update user_session set expires_at = now() where user_session_id = $1', [
      late?.id,
    ])

    expect(await listSessions(browser)).toMatchObject([{ current: true }])
    const { body } = await end(browser, late?.id as string)
    expect(body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  })

  it('are at most 100: when another begins, the oldest ends together with its console sessions', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const oldest = await signInBrowser(person)
    await oldest.enter(mine.organization_id)
    await service.database.pool.query(
      `insert into user_session (user_session_id, user_id, session_hash, created_at, expires_at)
       select '7' || lpad(n::text, 25, '0'), $1, sha256(($1 || n)::bytea), now(), now() + interval '1 day'
         from generate_series(1, 99) n`,
      [person.userId],
    )
    expect(await listSessions(oldest)).toHaveLength(100)

    await signInBrowser(person)

    expect(await isSignedIn(oldest)).toBe(false)
    expect(await isInside(oldest, mine.organization_id)).toBe(false)
    expect((await person.rest('GET', '/user/sessions')).body.sessions).toHaveLength(100)
  })

  it('limit how long the console sessions opened under them last', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const browser = await signInBrowser(person)
    await service.database.pool.query(
      `update user_session set expires_at = now() + interval '1 hour' where user_id = $1`,
      [person.userId],
    )

    const { body } = await browser.enter(mine.organization_id)

    const minutes = (Date.parse(body.data.signInToOrganization.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeLessThanOrEqual(61)
  })
})

describe('endSession', () => {
  it('ends the sign-in and the console sessions of one browser, and of no other', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const [laptop, phone] = [await signInBrowser(person), await signInBrowser(person)]
    for (const browser of [laptop, phone]) await browser.enter(mine.organization_id)
    const lost = (await listSessions(laptop)).find(({ current }) => !current) as Session

    const { body } = await end(laptop, lost.id)

    expect(body).toEqual({ data: { endSession: lost.id } })
    expect([await isSignedIn(phone), await isInside(phone, mine.organization_id)]).toEqual([false, false])
    expect([await isSignedIn(laptop), await isInside(laptop, mine.organization_id)]).toEqual([true, true])
    const { body: log } = await person.rest('GET', `/user/audit-events?params[id]=${lost.id}`)
    expect(log.audit_events).toMatchObject([
      { method: 'DELETE', route: '/user/sessions/{id}', params: { id: lost.id }, status: 204, details: null },
    ])
  })

  it("is 404 for another person's session, for an ended session, and for a malformed id", async () => {
    const [person, other] = [await signUp(service), await signUp(service)]
    const [theirs] = await listSessions(await signInBrowser(other))
    const browser = await signInBrowser(person)
    const [own] = await listSessions(browser)

    for (const id of [theirs?.id, newId(), 'x']) {
      expectRefusal(await person.rest('DELETE', `/user/sessions/${id}`), 'NOT_FOUND', { resource: 'session', id })
    }
    expect((await person.rest('DELETE', `/user/sessions/${own?.id}`)).status).toBe(204)
    expectRefusal(await person.rest('DELETE', `/user/sessions/${own?.id}`), 'NOT_FOUND', {
      resource: 'session',
      id: own?.id,
    })
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('ends a console session that was opened with a token', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    await person.rest('POST', `/user/organizations/${mine.organization_id}/sign-in`)
    const [session] = (await person.rest('GET', '/user/sessions')).body.sessions

    expect((await person.rest('DELETE', `/user/sessions/${session.id}`)).status).toBe(204)

    expect(await service.database.prisma.consoleSession.count({ where: { userId: person.userId } })).toBe(0)
  })

  it('waits for running writes of the session, and prevents later ones', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    await addMember(admin, person, 'admin')
    await vendor(admin).subscriber('acme')
    const phone = await signInBrowser(person)
    await phone.enter(admin.organizationId)
    const [session] = await listSessions(phone)
    const rename = (name: string) =>
      phone.graphql(
        `mutation { updateSubscriber(input: { subscriberId: "acme", name: "${name}" }) { name } }`,
        {},
        admin,
      )
    const client = await service.database.pool.connect()
    await client.query('begin')
    await client.query(`select 1 from subscriber where organization_id = $1 and subscriber_id = 'acme' for update`, [
      admin.organizationId,
    ])

    const running = rename('one')
    await untilOthersWaitFor(client)
    const ended = person.rest('DELETE', `/user/sessions/${session?.id}`)
    await untilOthersWaitFor(client, 2)
    const later = rename('two')
    await untilOthersWaitFor(client, 3)
    await client.query('commit')
    client.release()

    expect((await running).body.data).toEqual({ updateSubscriber: { name: 'one' } })
    expect((await ended).status).toBe(204)
    expect((await later).body.errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }])
    expect((await admin.rest('GET', '/org/subscribers/acme')).body.name).toBe('one')
  })
})

describe('endOtherSessions', () => {
  it('keeps the session of the calling browser, including its console sessions', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const [laptop, phone] = [await signInBrowser(person), await signInBrowser(person)]
    for (const browser of [laptop, phone]) await browser.enter(mine.organization_id)
    await person.rest('POST', `/user/organizations/${mine.organization_id}/sign-in`)
    expect(await listSessions(laptop)).toHaveLength(3)

    const { body } = await laptop.graphql('mutation { endOtherSessions }')

    expect(body).toEqual({ data: { endOtherSessions: person.userId } })
    expect(await listSessions(laptop)).toMatchObject([{ current: true }])
    expect([await isSignedIn(phone), await isInside(phone, mine.organization_id)]).toEqual([false, false])
    expect(await isInside(laptop, mine.organization_id)).toBe(true)
  })

  it("ends all sessions of the person when called with a token, but not the token or other people's sessions", async () => {
    const [person, other] = [await signUp(service), await signUp(service)]
    const [laptop, theirs] = [await signInBrowser(person), await signInBrowser(other)]

    expect((await person.rest('DELETE', '/user/sessions')).status).toBe(204)

    expect(await isSignedIn(laptop)).toBe(false)
    expect(await isSignedIn(theirs)).toBe(true)
    expect((await person.rest('GET', '/user/sessions')).body).toEqual({ sessions: [] })
    const { body: log } = await person.rest('GET', '/user/audit-events?limit=1')
    expect(log.audit_events).toMatchObject([{ method: 'DELETE', route: '/user/sessions', params: {}, status: 204 }])
  })
})
