import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { newId, newUserId } from '../../src/core/ids.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { ulid } from '../support/matchers.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { personOf, signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type LogEntry, startService } from '../support/service.ts'

const issuer = await startIssuer()
const service = await startService({ ...trustedLoopback, ...issuer.env })
const serviceByInvitation = await startService({ ...trustedLoopback, ...issuer.env, SIGN_UP: 'invited' })

const personWithBearer = (token: string, at = service) => personOf(at, { userId: '', email: '', password: '', token })
const personWithToken = async (claims: Record<string, unknown> = {}, at = service) =>
  personWithBearer(await issuer.token({ sub: newId(), ...claims }), at)

const personOfIssuer = async (of: Issuer, at = service) => personWithBearer(await of.token({ sub: newId() }), at)

describe('a token of the external issuer', () => {
  it('creates an account with its first request, and finds that account with later ones', async () => {
    const sub = newId()
    const first = await personWithToken({ sub, email: 'bob@example.org', name: 'Bob' })
    const later = await personWithToken({ sub })

    const { body } = await first.rest('GET', '/user')

    expect(body).toMatchObject({ user_id: ulid, email: 'bob@example.org', display_name: 'Bob' })
    expect((await later.rest('GET', '/user')).body).toEqual(body)
    expect((await later.rest('POST', '/user/organizations', { name: 'Mine' })).body).toMatchObject({ role: 'admin' })
  })

  it('creates one account when its first two requests run at once', async () => {
    const person = await personWithToken()

    const answers = await Promise.all([person.rest('GET', '/user'), person.rest('GET', '/user')])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.user_id).toBe(answers[1]?.body.user_id)
  })

  it('is never linked to a local account by its e-mail', async () => {
    const local = await signUp(service)

    const outside = await personWithToken({ email: local.email, email_verified: true })

    const { body } = await outside.rest('GET', '/user')
    expect(body.email).toBe(local.email)
    expect(body.user_id).not.toBe(local.userId)
    expect((await local.rest('GET', '/user')).body.user_id).toBe(local.userId)
  })

  it('is accepted in GraphQL too', async () => {
    const person = await personWithToken({ name: 'Bob' })

    expect((await person.graphql('{ user { displayName } }')).body).toEqual({ data: { user: { displayName: 'Bob' } } })
  })

  it.each([
    ['another audience', { aud: 'elsewhere' }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['an end in the past', { exp: Math.floor(Date.now() / 1000) - 60 }, {}],
    ['no end', { exp: undefined }, {}],
    ['no subject', { sub: undefined }, {}],
    ['an empty subject', { sub: '' }, {}],
    ['a key that the issuer does not have', {}, { key: 'unknown' as const }],
  ])('is refused with %s', async (_what, claims, options) => {
    const token = await issuer.token({ sub: newId(), ...claims }, options)

    expectRefusal(await personWithBearer(token).rest('GET', '/user'), 'UNAUTHORIZED', null)
  })

  it('is refused when it is signed with a shared secret', async () => {
    const token = await new SignJWT({ iss: issuer.env.AUTH_ISSUER, aud: 'entitlements', sub: 'x' })
      .setProtectedHeader({ alg: 'HS256', kid: 'own' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('a secret of thirty-two characters'))

    expectRefusal(await personWithBearer(token).rest('GET', '/user'), 'UNAUTHORIZED', null)
  })

  it("causes no further request for the issuer's keys once they are known", async () => {
    await (await personWithToken()).rest('GET', '/user')
    const before = issuer.keyRequests

    for (let n = 0; n < 5; n++) await (await personWithToken()).rest('GET', '/user')

    expect(issuer.keyRequests).toBe(before)
  })

  it('issued before its account was deleted creates no new account, but a later token does', async () => {
    const sub = newId()
    const person = await personWithToken({ sub })
    const { user_id: userId } = (await person.rest('GET', '/user')).body

    expect((await person.rest('DELETE', '/user')).status).toBe(204)

    expectRefusal(await person.rest('GET', '/user'), 'UNAUTHORIZED', null)
    const later = await personWithToken({ sub, iat: Math.floor(Date.now() / 1000) + 2 })
    const { body } = await later.rest('GET', '/user')
    expect(body.user_id).not.toBe(userId)
  })

  it('creates a user id that cannot be derived from issuer and subject, or from ids created at the same moment', async () => {
    const elsewhere = await startService({
      ...trustedLoopback,
      ...issuer.env,
      DATABASE_URL: await createOwnDatabase(),
    })
    const sub = newId()

    const ids = await Promise.all(
      [service, elsewhere].map(
        async (at) => (await (await personWithToken({ sub }, at)).rest('GET', '/user')).body.user_id,
      ),
    )

    expect(ids[0].slice(10)).not.toBe(ids[1].slice(10))
    expect(
      Array.from({ length: 50 }, newUserId).some((id, n, all) => id.slice(0, 24) === all[n - 1]?.slice(0, 24)),
    ).toBe(false)
  })

  it('belongs to an account that has no password to change', async () => {
    const person = await personWithToken()

    const answer = await person.rest('POST', '/user/password', {
      current_password: 'x',
      new_password: 'better battery',
    })

    expectRefusal(answer, 'VALIDATION_ERROR', {
      fields: [{ path: 'current_password', message: expect.stringMatching(/signs in with an identity provider/) }],
    })
  })
})

describe('with SIGN_UP=invited, an external identity without an account', () => {
  it('may only join an organization, and then has an account', async () => {
    const admin = await serviceByInvitation.organization()
    const { body: invite } = await admin.rest('POST', '/org/invites', { role: 'support' })
    const person = await personWithToken({ name: 'Bob' }, serviceByInvitation)

    expectRefusal(await person.rest('GET', '/user'), 'UNAUTHORIZED', null)
    expectRefusal(await person.rest('POST', '/user/organizations', { name: 'Mine' }), 'UNAUTHORIZED', null)
    expectRefusal(await person.rest('POST', '/user/organizations/join', { invite: 'inv_junk' }), 'NOT_FOUND', {
      resource: 'invite',
      id: null,
    })
    expectRefusal(await person.rest('GET', '/user'), 'UNAUTHORIZED', null)

    const token = /inv_\w+/.exec(invite.link)?.[0]
    const joined = await person.rest('POST', '/user/organizations/join', { invite: token })

    expect(joined.body).toEqual({
      organization_id: admin.organizationId,
      name: 'Acme',
      member_id: ulid,
      role: 'support',
    })
    expect((await person.rest('GET', '/user')).body.display_name).toBe('Bob')
    expect((await person.rest('POST', '/user/organizations', { name: 'Mine' })).status).toBe(201)
  })

  it('finds its earlier actions in its own log once it has an account', async () => {
    const person = await personWithToken({}, serviceByInvitation)
    await person.rest('POST', '/user/organizations/join', { invite: 'inv_junk' })
    const tokens = await Promise.all(Array.from({ length: 5 }, newInvite))

    const answers = await Promise.all(
      tokens.map((invite) => person.rest('POST', '/user/organizations/join', { invite })),
    )

    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const { audit_events: entries } = (await person.rest('GET', '/user/audit-events')).body
    expect(entries.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200, 200, 200, 404])
  })

  it('is recorded under a pseudonym of this service until its account exists', async () => {
    const person = await personWithToken({ sub: `lonely-${newId()}` }, serviceByInvitation)
    const { headers } = await person.rest('POST', '/user/organizations/join', { invite: 'inv_junk' })
    const admin = await serviceByInvitation.organization()
    const ownersOf = async () =>
      (
        await serviceByInvitation.database.pool.query(
          'select user_id, status from user_audit_event where request_id = $1',
          [headers.get('x-request-id')],
        )
      ).rows

    const [before] = await ownersOf()
    const added = await admin.rest('POST', '/org/members', { user_id: before.user_id, role: 'viewer' })
    await person.rest('POST', '/user/organizations/join', { invite: await newInvite() })

    expect(before).toEqual({ user_id: expect.stringMatching(/^unknown_[\w-]{43}$/), status: 404 })
    expectRefusal(added, 'NOT_FOUND', { resource: 'user', id: before.user_id })
    const { user_id: userId } = (await person.rest('GET', '/user')).body
    expect(userId).toEqual(ulid)
    expect(await ownersOf()).toEqual([{ user_id: userId, status: 404 }])
  })

  it('loses no log entries of requests that run while its account is created', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await personWithToken({}, serviceByInvitation)
      const join = (invite: string | undefined) => person.rest('POST', '/user/organizations/join', { invite })
      const [one, two] = [await newInvite(), await newInvite()]

      const answers = await Promise.all([
        ...['inv_a', 'inv_b', one, 'inv_c', two, 'inv_d'].map(join),
        person.rest('POST', '/user/organizations/join', '{'),
      ])

      const { audit_events: entries } = (await person.rest('GET', '/user/audit-events')).body
      const statuses = (list: { status: number }[]) => list.map(({ status }) => status).toSorted()
      expect(statuses(entries)).toEqual(statuses(answers))
      expect(statuses(answers)).toEqual([200, 200, 400, 404, 404, 404, 404])
    }
  })

  async function newInvite(): Promise<string | undefined> {
    const admin = await serviceByInvitation.organization()
    const { body } = await admin.rest('POST', '/org/invites', { role: 'support' })
    return /inv_\w+/.exec(body.link)?.[0]
  }
})

describe('an external issuer', () => {
  it('affects only the people who sign in with it when it does not answer', async () => {
    const silent = await startIssuer()
    const there = await startService({ ...trustedLoopback, ...silent.env })
    const local = await signUp(there)
    silent.hang()

    const answer = await personWithBearer(await silent.token({ sub: 'x' }), there).rest('GET', '/user')

    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    expect((await local.rest('GET', '/user')).status).toBe(200)
  })

  it.each<[string, (at: Issuer) => void]>([
    ['that refuses requests', (at) => at.answer(500, '{}')],
    ['whose answer is not a key set', (at) => at.answer(200, '<html>')],
    ['with more than a hundred keys', (at) => at.recover(100)],
    ['with keys of more than 256 KiB', (at) => at.answer(200, `{"keys":[],"more":"${'x'.repeat(300_000)}"}`)],
  ])('%s gets one request for its keys, however many tokens arrive, and the log has one line', async (_which, fail) => {
    const failing = await startIssuer()
    fail(failing)
    const log: LogEntry[] = []
    const there = await startService({ ...trustedLoopback, ...failing.env, LOG_LEVEL: 'info' }, log)
    const token = await failing.token({ sub: newId() })

    const answers = await Promise.all(
      Array.from({ length: 40 }, () => personWithBearer(token, there).rest('GET', '/user')),
    )
    answers.push(await personWithBearer(token, there).rest('GET', '/user'))

    for (const answer of answers) expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    expect(failing.keyRequests).toBe(1)
    expect(log.filter(({ level, msg }) => level >= 40 && /identity provider/.test(msg))).toHaveLength(1)
  })

  it('that fails locks out nobody whose token is signed with a key that the service already knows', async () => {
    const failing = await startIssuer()
    const there = await startService({ ...trustedLoopback, ...failing.env })
    const known = await personOfIssuer(failing, there)
    expect((await known.rest('GET', '/user')).status).toBe(200)
    failing.answer(500, '{}')

    const unknown = personWithBearer(await failing.token({ sub: newId() }, { key: 'unknown' }), there)

    expectRefusal(await unknown.rest('GET', '/user'), 'UNAUTHORIZED', null)
    expect((await known.rest('GET', '/user')).status).toBe(200)
    expect(failing.keyRequests).toBe(1)
  })

  it.each(['AUTH_JWKS_URL', 'AUTH_ISSUER', 'AUTH_AUDIENCE'])('cannot be configured by %s alone', async (name) => {
    await expect(startService({ [name]: issuer.env[name] as string })).rejects.toThrow(/go together/)
  })
})
