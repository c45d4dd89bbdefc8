import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { startPatientService } from '../support/patient-service.ts'
import { newAddress, personOf, signUp, trustedLoopback } from '../support/person.ts'
import { untilOthersWaitFor } from '../support/race.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { send } from '../support/service.ts'

const service = await startPatientService(trustedLoopback)
const other = await startPatientService(trustedLoopback)

const post = (path: string, body: unknown, headers = newAddress()) => send(service.url + path, 'POST', body, headers)
const newEmail = () => `${newId()}@Example.org`

describe('POST /user/sign-up', () => {
  it('creates an account and answers with a token valid for an hour', async () => {
    const email = newEmail()

    const answer = await post('/user/sign-up', { email, password: 'correct horse', display_name: 'Ada' })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ token: expect.any(String), expires_at: timestamp, user_id: ulid })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(Date.parse(answer.body.expires_at) - Date.now()).toBeGreaterThan(3_590_000 - 10_000)
    expect(Date.parse(answer.body.expires_at) - Date.now()).toBeLessThanOrEqual(3_601_000)
    const person = personOf(service, { ...answer.body, userId: answer.body.user_id, email, password: '' })
    expect((await person.rest('GET', '/user')).body).toEqual({
      user_id: answer.body.user_id,
      email,
      display_name: 'Ada',
      created_at: timestamp,
      updated_at: timestamp,
    })
  })

  it('refuses an e-mail address that is already taken, ignoring case', async () => {
    const { email } = await signUp(service)
    const again = email.toUpperCase()

    const answer = await post('/user/sign-up', { email: again, password: 'another horse', display_name: 'Eve' })

    expectRefusal(answer, 'CONFLICT', { field: 'email', value: again })
  })

  it('creates one account when two people sign up with one e-mail at once', async () => {
    const body = { email: newEmail(), password: 'correct horse', display_name: 'Ada' }

    const answers = await Promise.all([post('/user/sign-up', body), post('/user/sign-up', body)])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('reports each invalid field with a detail, and ignores unknown fields', async () => {
    const wrong = await post('/user/sign-up', { email: 'nobody', password: 'short', display_name: '', extra: 1 })
    const empty = await post('/user/sign-up', {})
    const long = await post('/user/sign-up', {
      email: newEmail(),
      password: 'x'.repeat(1025),
      display_name: 'A',
      extra: 1,
    })

    expectInvalid(wrong, ['email', /e-mail address/], ['password', /8 to 1024/], ['display_name', /1 to 255/])
    expectInvalid(empty, ['email', /required/], ['password', /required/], ['display_name', /required/])
    expectInvalid(long, ['password', /8 to 1024/])
  })

  it.each(['correct\u0000horse', 'correct\ud800horse'])(
    'refuses %j as a password or an invite, as do all other routes that take one',
    async (odd) => {
      const person = await signUp(service)
      const { email, password } = person
      const account = { email: newEmail(), password, display_name: 'Ada' }
      const said = /must not contain U\+0000/

      expectInvalid(await post('/user/sign-up', { ...account, password: odd }), ['password', said])
      expectInvalid(await post('/user/sign-up', { ...account, invite: odd }), ['invite', said])
      expectInvalid(await post('/user/sign-in', { email, password: odd }), ['password', said])
      const current = { current_password: odd, new_password: 'another horse' }
      expectInvalid(await person.rest('POST', '/user/password', current), ['current_password', said])
      const changed = { current_password: password, new_password: odd }
      expectInvalid(await person.rest('POST', '/user/password', changed), ['new_password', said])
      expectInvalid(await person.rest('POST', '/user/organizations/join', { invite: odd }), ['invite', said])
    },
  )

  it("counts a password's characters in Unicode code points", async () => {
    const body = { email: newEmail(), password: '🐴'.repeat(8), display_name: '🐴' }

    expect((await post('/user/sign-up', body)).status).toBe(201)
    expect((await post('/user/sign-in', body)).status).toBe(200)
    expectInvalid(await post('/user/sign-up', { ...body, password: '🐴'.repeat(7) }), ['password', /8 to 1024/])
  })

  it('stores only an Argon2id hash of the password', async () => {
    const { userId } = await signUp(service, { password: 'a very secret horse' })

    const { rows } = await service.database.pool.query(
      `select u::text || p::text as row from user_account u join user_password p using (user_id) where user_id = $1`,
      [userId],
    )

    expect(rows[0].row).toContain('$argon2id$v=19$m=')
    expect(rows[0].row).not.toContain('secret')
  })
})

describe('POST /user/sign-in', () => {
  it('answers with a token, ignoring the case of the e-mail address', async () => {
    const person = await signUp(service)

    const answer = await post('/user/sign-in', { email: person.email.toUpperCase(), password: person.password })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ token: expect.any(String), expires_at: timestamp, user_id: person.userId })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('gives a wrong e-mail and a wrong password the same answer', async () => {
    const { email } = await signUp(service)

    const wrongPassword = await post('/user/sign-in', { email, password: 'wrong horse' })
    const wrongEmail = await post('/user/sign-in', { email: newEmail(), password: 'wrong horse' })

    expectRefusal(wrongPassword, 'UNAUTHORIZED', null)
    expectRefusal(wrongEmail, 'UNAUTHORIZED', null)
    expect(wrongEmail.body.error.message).toBe(wrongPassword.body.error.message)
  })

  it('takes as long for a wrong e-mail as for a wrong password', async () => {
    const { email } = await signUp(service)
    const timeOf = async (body: object) => {
      const start = performance.now()
      await post('/user/sign-in', { ...body, password: 'wrong horse' })
      return performance.now() - start
    }

    // Alternates between both, so that other work on the machine slows both equally, and takes the fastest of many rounds. If
    // no password were hashed, a wrong e-mail would be answered in a hundredth of the time.
    let [wrongPassword, wrongEmail] = [Infinity, Infinity]
    for (let round = 0; round < 12; round++) {
      wrongPassword = Math.min(wrongPassword, await timeOf({ email }))
      wrongEmail = Math.min(wrongEmail, await timeOf({ email: newEmail() }))
    }

    expect(wrongEmail).toBeGreaterThan(wrongPassword * 0.2)
    expect(wrongPassword).toBeGreaterThan(wrongEmail * 0.2)
  })

  it('allows 8 attempts a minute for an e-mail address from a network address, over all processes', async () => {
    const person = await signUp(service)
    const address = newAddress()
    const attempt = (at: string, headers = address) =>
      send(`${at}/user/sign-in`, 'POST', { email: person.email, password: 'wrong horse' }, headers)

    const answers = []
    for (let n = 0; n < 8; n++) answers.push(await attempt(n % 2 ? service.url : other.url))
    const ninth = await send(`${other.url}/user/sign-in`, 'POST', person, address)
    const upperCase = await send(
      `${service.url}/user/sign-in`,
      'POST',
      { email: person.email.toUpperCase(), password: person.password },
      address,
    )
    const elsewhere = await send(`${service.url}/user/sign-in`, 'POST', person, newAddress())

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(401))
    const seconds = ninth.body.error.details.retry_after_seconds
    expectRefusal(ninth, 'RATE_LIMITED', { retry_after_seconds: seconds })
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(ninth.headers.get('retry-after')).toBe(String(seconds))
    expect(upperCase.status).toBe(429)
    expect(elsewhere.status).toBe(200)
  })

  it('allows 60 attempts a minute from a network address, including sign-ups', async () => {
    const address = newAddress()
    const attempts = Array.from({ length: 60 }, (_, n) =>
      n % 10
        ? post('/user/sign-in', { email: newEmail(), password: 'wrong horse' }, address)
        : post('/user/sign-up', { email: newEmail(), password: 'correct horse', display_name: 'A' }, address),
    )

    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    const next = await post(
      '/user/sign-up',
      { email: newEmail(), password: 'correct horse', display_name: 'A' },
      address,
    )

    expect(statuses.filter((status) => status === 429)).toEqual([])
    expect(next.status).toBe(429)
  })
})

describe('the Bearer token', () => {
  it.each([
    ['without an Authorization header', {}],
    ['with another scheme', { authorization: 'Basic abc' }],
    ['with text that is not a token', { authorization: 'Bearer junk' }],
    [
      'with an unsigned token',
      { authorization: `Bearer ${toUnsignedToken({ iss: 'entitlements-service', sub: 'x', exp: 9e9 })}` },
    ],
  ])('is required: a request %s is refused', async (_what, headers: Record<string, string>) => {
    expectRefusal(await send(`${service.url}/user`, 'GET', undefined, headers), 'UNAUTHORIZED', null)
  })

  it('is the only credential for /user: neither a key nor a cookie is accepted', async () => {
    const { key } = await service.organization()

    const byKey = await send(`${service.url}/user`, 'GET', undefined, { 'x-api-key': key })
    const byCookie = await send(`${service.url}/user`, 'GET', undefined, { cookie: `ent_user=${key}` })

    expectRefusal(byKey, 'UNAUTHORIZED', null)
    expectRefusal(byCookie, 'UNAUTHORIZED', null)
  })

  it('expires after an hour, by the clock of the database', async () => {
    const person = await signUp(service)
    const { createUserTokens } = await import('../../src/access/user-token.ts')
    const { createVault } = await import('../../src/core/vault.ts')
    const tokens = createUserTokens(createVault(new Uint8Array(32).fill(7)))
    const hourAgo = new Date(Date.now() - 3_600_000)
    const { userId } = person
    const { tokenGeneration } = await service.database.prisma.userAccount.findUniqueOrThrow({ where: { id: userId } })
    const subject = { userId, tokenGeneration }
    const ended = await tokens.issue(subject, new Date(hourAgo.getTime() - 5_000))
    const alive = await tokens.issue(subject, new Date(hourAgo.getTime() + 30_000))

    expect((await personOf(service, { ...person, token: ended.token }).rest('GET', '/user')).status).toBe(401)
    expect((await personOf(service, { ...person, token: alive.token }).rest('GET', '/user')).status).toBe(200)
  })
})

describe('PATCH /user', () => {
  it('changes the name, and keeps updated_at when the name stays the same', async () => {
    const person = await signUp(service)
    const before = (await person.rest('GET', '/user')).body

    const same = await person.rest('PATCH', '/user', { display_name: 'Ada', unknown: true })
    const changed = await person.rest('PATCH', '/user', { display_name: 'Countess' })

    expect([same.status, same.body]).toEqual([200, before])
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...before, display_name: 'Countess', updated_at: expect.not.stringContaining(before.updated_at) },
    ])
    expectInvalid(await person.rest('PATCH', '/user', { display_name: null }), ['display_name', /1 to 255/])
  })
})

describe('POST /user/password', () => {
  it('ends every token of the person, in every process', async () => {
    const person = await signUp(service)
    const body = { current_password: person.password, new_password: 'better battery' }

    const answer = await person.rest('POST', '/user/password', body)

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await person.rest('GET', '/user')).status).toBe(401)
    expect((await personOf(other, person).rest('GET', '/user')).status).toBe(401)
    expect((await post('/user/sign-in', person)).status).toBe(401)
    const again = await post('/user/sign-in', { email: person.email, password: 'better battery' })
    expect((await personOf(service, { ...person, token: again.body.token }).rest('GET', '/user')).status).toBe(200)
  })

  it('changes nothing when the current password is wrong', async () => {
    const person = await signUp(service)

    const answer = await person.rest('POST', '/user/password', {
      current_password: 'no',
      new_password: 'better battery',
    })

    expectInvalid(answer, ['current_password', /is not the password/])
    expect((await person.rest('GET', '/user')).status).toBe(200)
    expect((await post('/user/sign-in', person)).status).toBe(200)
  })
})

describe('DELETE /user', () => {
  it('ends the account, its tokens and its memberships', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    const { body: member } = await admin.rest('POST', '/org/members', { user_id: person.userId, role: 'viewer' })

    const answer = await person.rest('DELETE', '/user')

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await person.rest('GET', '/user')).status).toBe(401)
    expect((await post('/user/sign-in', person)).status).toBe(401)
    expectRefusal(await admin.rest('GET', `/org/members/${member.member_id}`), 'NOT_FOUND', {
      resource: 'member',
      id: member.member_id,
    })
    expect((await post('/user/sign-up', { ...person, display_name: 'New' })).status).toBe(201)
  })

  it('is refused if an organization would be left without an admin', async () => {
    const person = await signUp(service)
    const { body: organization } = await person.rest('POST', '/user/organizations', { name: 'Mine' })

    const answer = await person.rest('DELETE', '/user')

    expectRefusal(answer, 'CONFLICT', { field: 'member_id', value: organization.member_id })
    expect((await person.rest('GET', '/user')).status).toBe(200)
    expect((await person.rest('GET', '/user/organizations')).body.organizations).toHaveLength(1)
  })

  it('succeeds even if a membership is removed at the same moment', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    const { body: member } = await admin.rest('POST', '/org/members', { user_id: person.userId, role: 'viewer' })
    const holder = await service.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from organization where organization_id = $1 for no key update', [admin.organizationId])

    const removal = admin.rest('DELETE', `/org/members/${member.member_id}`)
    await untilOthersWaitFor(holder)
    const deletion = person.rest('DELETE', '/user')
    await untilOthersWaitFor(holder, 2)
    await holder.query('commit')
    holder.release()

    expect([(await removal).status, (await deletion).status]).toEqual([204, 204])
    expect((await person.rest('GET', '/user')).status).toBe(401)
  })
})

function toUnsignedToken(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part(payload)}.`
}
