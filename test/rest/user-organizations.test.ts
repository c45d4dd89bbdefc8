import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { ulid } from '../support/matchers.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Answer, send, sharedService, startService } from '../support/service.ts'
import { findUnlistedEntries } from '../support/unlisted-entries.ts'

const service = await sharedService(trustedLoopback)
const other = await startService(trustedLoopback)

async function invite(role = 'viewer') {
  const admin = await service.organization()
  const { body } = await admin.rest('POST', '/org/invites', { role })
  return { admin, inviteId: body.invite_id as string, token: /inv_\w+/.exec(body.link)?.[0] as string }
}

describe('POST /user/organizations', () => {
  it('creates an organization with the caller as its admin', async () => {
    const person = await signUp(service)

    const answer = await person.rest('POST', '/user/organizations', { name: 'Mine', extra: 1 })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ organization_id: ulid, name: 'Mine', member_id: ulid, role: 'admin' })
    expect((await person.rest('GET', '/user/organizations')).body).toEqual({ organizations: [answer.body] })
    expectInvalid(await person.rest('POST', '/user/organizations', { name: '' }), ['name', /1 to 255/])
    expect(await findUnlistedEntries(service.database.pool, answer.body.organization_id)).toEqual([])
  })
})

describe('MAX_ORGANIZATIONS_PER_PERSON', () => {
  const capped = { ...trustedLoopback, MAX_ORGANIZATIONS_PER_PERSON: '3' }
  const refusal = ['CONFLICT', { field: 'organizations', value: 3 }, /operator/] as const

  it('limits how many organizations a person may create, even at once in several processes', async () => {
    const [first, second] = [await startService(capped), await startService(capped)]
    const person = await signUp(first)
    const another = await signUp(second)
    const create = (index: number) =>
      send(
        `${[first, second][index % 2]?.url}/user/organizations`,
        'POST',
        { name: `${index}` },
        { authorization: `Bearer ${person.token}` },
      )

    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => create(index)))

    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(9)
    for (const answer of refused) expectRefusal(answer, ...refusal)
    expect((await person.rest('GET', '/user/organizations')).body.organizations).toHaveLength(3)
    expect((await another.rest('POST', '/user/organizations', { name: 'Theirs' })).status).toBe(201)
  })

  it('counts organizations that the person has left, but not those they joined, and also applies in GraphQL', async () => {
    const service = await startService(capped)
    const person = await signUp(service)
    const mutation = 'mutation { createOrganization(input: { name: "Mine" }) { organizationId } }'
    const { token } = await invite()
    expect((await person.rest('POST', '/user/organizations/join', { invite: token })).status).toBe(200)
    const [left] = await Promise.all([1, 2, 3].map(() => person.graphql(mutation)))
    const { organizationId } = (left as Answer).body.data.createOrganization
    await service.member(organizationId, 'admin')
    expect((await person.rest('DELETE', `/user/organizations/${organizationId}`)).status).toBe(204)

    const { body } = await person.graphql(mutation)

    expect(body.errors[0].extensions).toMatchObject({ code: refusal[0], details: refusal[1] })
  })

  it('can be set to unlimited', async () => {
    const service = await startService({ ...trustedLoopback, MAX_ORGANIZATIONS_PER_PERSON: 'unlimited' })
    const person = await signUp(service)

    const answers = await Promise.all(
      Array.from({ length: 11 }, () => person.rest('POST', '/user/organizations', { name: 'Mine' })),
    )

    expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(201))
  })
})

describe('POST /user/organizations/join', () => {
  it('grants the role of the invite and uses it up', async () => {
    const { admin, token } = await invite('developer')
    const [person, late] = [await signUp(service), await signUp(service)]

    const joined = await person.rest('POST', '/user/organizations/join', { invite: token })

    const { member_id: memberId } = joined.body
    expect([joined.status, joined.body]).toEqual([
      200,
      { organization_id: admin.organizationId, name: 'Acme', member_id: ulid, role: 'developer' },
    ])
    expect((await admin.rest('GET', `/org/members/${memberId}`)).body).toMatchObject({
      member_id: memberId,
      user_id: person.userId,
      service_account_id: null,
      email: person.email,
      display_name: 'Ada',
      role: 'developer',
      status: 'active',
    })
    expect((await admin.rest('GET', '/org/invites')).body).toEqual({ invites: [], has_more: false })
    expectRefusal(await late.rest('POST', '/user/organizations/join', { invite: token }), 'NOT_FOUND', {
      resource: 'invite',
      id: null,
    })
    expect(await findUnlistedEntries(service.database.pool, admin.organizationId)).toEqual([])
  })

  it('is refused in the same way for unknown, malformed, expired and revoked invites, without echoing them', async () => {
    const person = await signUp(service)
    const expired = await invite()
    await service.database.pool.query('update invite set expires_at = now() where invite_id = $1', [expired.inviteId])
    const revoked = await invite()
    await revoked.admin.rest('DELETE', `/org/invites/${revoked.inviteId}`)
    const { newToken } = await import('../../src/access/token.ts')

    for (const token of [newToken('inv').text, 'inv_junk', '', expired.token, revoked.token]) {
      const answer = await person.rest('POST', '/user/organizations/join', { invite: token })
      expectRefusal(answer, 'NOT_FOUND', { resource: 'invite', id: null })
      if (token) expect(JSON.stringify(answer.body)).not.toContain(token)
    }
    expectInvalid(await person.rest('POST', '/user/organizations/join', {}), ['invite', /required/])
  })

  it('does not use up the invite if the caller is already a member', async () => {
    const { admin, token } = await invite()
    const person = await signUp(service)
    await addMember(admin, person, 'support')

    const answer = await person.rest('POST', '/user/organizations/join', { invite: token })

    expectRefusal(answer, 'CONFLICT', { field: 'user_id', value: person.userId })
    expect((await admin.rest('GET', '/org/invites')).body.invites).toHaveLength(1)
  })

  it('admits only one of two people who join with one invite at once, through two processes', async () => {
    for (let round = 0; round < 5; round++) {
      const { token } = await invite()
      const [first, second] = [await signUp(service), await signUp(other)]

      const answers = await Promise.all(
        [first, second].map((person) => person.rest('POST', '/user/organizations/join', { invite: token })),
      )

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    }
  })
})

describe('POST /user/organizations/{organization_id}/sign-in', () => {
  const own = { origin: service.url, 'content-type': 'application/json' }

  it('opens a console session of 7 days, whose token is only in a cookie', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })

    const path = `/user/organizations/${mine.organization_id}/sign-in`
    const answer = await person.rest('POST', path, undefined, own)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      session_prefix: expect.stringMatching(/^ses_\w{8}$/),
      expires_at: expect.any(String),
    })
    const [cookie, ...rest] = answer.headers.getSetCookie()
    expect(rest).toEqual([])
    expect(cookie).toMatch(
      new RegExp(
        `^ent_session_${mine.organization_id}=${answer.body.session_prefix}\\w{41}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`,
      ),
    )
    const days = (Date.parse(answer.body.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThanOrEqual(7.001)
  })

  it.each([
    ['no Origin', {}],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['another content type', { origin: service.url, 'content-type': 'text/plain' }],
  ])('sets no cookie with %s', async (_what, headers) => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })

    const answer = await person.rest('POST', `/user/organizations/${mine.organization_id}/sign-in`, undefined, headers)

    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('marks the cookie Secure behind https', async () => {
    const secure = await startService({ ...trustedLoopback, PUBLIC_URL: 'https://console.example/' })
    const person = await signUp(secure)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })

    const answer = await person.rest('POST', `/user/organizations/${mine.organization_id}/sign-in`, undefined, {
      ...own,
      origin: 'https://console.example',
    })

    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/; SameSite=Strict; Secure$/)])
  })

  it('is 404 for people who are disabled or not members, as for an unknown organization', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    const path = `/user/organizations/${admin.organizationId}/sign-in`
    const refusal = ['NOT_FOUND', { resource: 'organization', id: admin.organizationId }] as const

    expectRefusal(await person.rest('POST', path), ...refusal)
    const memberId = await addMember(admin, person, 'viewer')
    await admin.rest('PATCH', `/org/members/${memberId}`, { status: 'disabled' })
    expectRefusal(await person.rest('POST', path), ...refusal)
    expect((await person.rest('GET', '/user/organizations')).body).toEqual({ organizations: [] })

    for (const id of [newId(), 'junk']) {
      const answer = await person.rest('POST', `/user/organizations/${id}/sign-in`)
      expectRefusal(answer, 'NOT_FOUND', { resource: 'organization', id })
    }
  })
})

describe('POST /user/organizations/{organization_id}/sign-out', () => {
  it("ends the person's sessions there, and is 404 without a membership", async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const pathOf = (verb: string, id = mine.organization_id) => `/user/organizations/${id}/${verb}`
    await person.rest('POST', pathOf('sign-in'))

    const answer = await person.rest('POST', pathOf('sign-out'))

    expect([answer.status, answer.body]).toEqual([204, undefined])
    const { rows } = await service.database.pool.query('select 1 from console_session where user_id = $1', [
      person.userId,
    ])
    expect(rows).toEqual([])
    expect((await person.rest('POST', pathOf('sign-out'))).status).toBe(204)
    const unknown = newId()
    expectRefusal(await person.rest('POST', pathOf('sign-out', unknown)), 'NOT_FOUND', {
      resource: 'organization',
      id: unknown,
    })
  })
})

describe('DELETE /user/organizations/{organization_id}', () => {
  const leave = (id: string) => `/user/organizations/${id}`

  it('removes the person, ends their sessions there, and is recorded in both logs', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    const memberId = await addMember(admin, person, 'viewer')
    await person.rest('POST', `${leave(admin.organizationId)}/sign-in`)

    const answer = await person.rest('DELETE', leave(admin.organizationId))

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await person.rest('GET', '/user/organizations')).body.organizations).toEqual([])
    expect((await admin.rest('GET', `/org/members/${memberId}`)).status).toBe(404)
    const { pool } = service.database
    const sessions = await pool.query('select 1 from console_session where user_id = $1', [person.userId])
    expect(sessions.rows).toEqual([])
    const entry = {
      organization_id: admin.organizationId,
      member_id: memberId,
      method: 'DELETE',
      route: '/user/organizations/{organization_id}',
      params: { organization_id: admin.organizationId },
      outcome: 'responded',
      status: 204,
      created_id: null,
    }
    for (const log of ['user_audit_event', 'audit_event']) {
      const { rows } = await pool.query(`select * from ${log} where request_id = $1`, [
        answer.headers.get('x-request-id'),
      ])
      expect(rows).toMatchObject([entry])
    }
    expectRefusal(await person.rest('DELETE', leave(admin.organizationId)), 'NOT_FOUND', {
      resource: 'organization',
      id: admin.organizationId,
    })
  })

  it('is the same 404 for other organizations and for malformed ids', async () => {
    const admin = await service.organization()
    const person = await signUp(service)

    for (const id of [admin.organizationId, newId(), 'nonsense']) {
      expectRefusal(await person.rest('DELETE', leave(id)), 'NOT_FOUND', { resource: 'organization', id })
    }
  })

  it('is refused to the last active admin, but allowed to a disabled admin', async () => {
    const person = await signUp(service)
    const { organization_id: organizationId, member_id: memberId } = (
      await person.rest('POST', '/user/organizations', { name: 'Mine' })
    ).body
    const second = await service.member(organizationId, 'viewer')

    const refused = await person.rest('DELETE', leave(organizationId))

    expectRefusal(refused, 'CONFLICT', { field: 'member_id', value: memberId })
    await service.database.prisma.member.updateMany({ where: { organizationId }, data: { role: 'admin' } })
    await second.rest('PATCH', `/org/members/${memberId}`, { status: 'disabled' })
    expect((await person.rest('DELETE', leave(organizationId))).status).toBe(204)
  })

  it('keeps one admin when the last two leave at once, and removes an admin once if they leave twice at once', async () => {
    const [one, two] = [await signUp(service), await signUp(service)]
    for (let round = 0; round < 5; round++) {
      const admin = await service.organization()
      const { organizationId: id } = admin
      for (const person of [one, two]) {
        await addMember(admin, person, 'admin')
        await person.rest('POST', `${leave(id)}/sign-in`)
      }
      expect((await admin.rest('PATCH', `/org/members/${admin.memberId}`, { status: 'disabled' })).status).toBe(200)

      const answers = await Promise.all([one, two].map((person) => person.rest('DELETE', leave(id))))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])

      const left = answers[0]?.status === 409 ? one : two
      await service.member(id, 'admin')
      const again = await Promise.all([1, 2].map(() => left.rest('DELETE', leave(id))))
      expect(again.map(({ status }) => status).toSorted()).toEqual([204, 404])
    }
  })
})

describe('with SIGN_UP=invited', async () => {
  const closed = await startService({ ...trustedLoopback, SIGN_UP: 'invited' })
  const account = () => ({ email: `${newId()}@example.org`, password: 'correct horse', display_name: 'Ada' })

  it('signing up requires an invite and binds it to the account, and joining uses it up', async () => {
    const { admin, token } = await invite('support')

    const invited = await signUp(closed, { invite: token })
    const outsider = await signUp(service)

    expectRefusal(await outsider.rest('POST', '/user/organizations/join', { invite: token }), 'NOT_FOUND', {
      resource: 'invite',
      id: null,
    })
    expect((await admin.rest('GET', '/org/invites')).body.invites).toHaveLength(1)
    const joined = await invited.rest('POST', '/user/organizations/join', { invite: token })
    expect(joined.body).toMatchObject({ organization_id: admin.organizationId, role: 'support' })
    expect((await admin.rest('GET', '/org/invites')).body.invites).toEqual([])
  })

  it('nobody can sign up without an invite, with an invalid one, or with one that another account has used', async () => {
    const { newAddress } = await import('../support/person.ts')
    const { token } = await invite()
    await signUp(closed, { invite: token })
    const attempt = (extra: object) =>
      send(`${closed.url}/user/sign-up`, 'POST', { ...account(), ...extra }, newAddress())

    expectInvalid(await attempt({}), ['invite', /required/])
    expectRefusal(await attempt({ invite: 'inv_junk' }), 'NOT_FOUND', { resource: 'invite', id: null })
    expectRefusal(await attempt({ invite: token }), 'NOT_FOUND', { resource: 'invite', id: null })
  })

  it('only one of two people who sign up with one invite at once gets an account', async () => {
    const { newAddress } = await import('../support/person.ts')
    const { token } = await invite()

    const answers = await Promise.all(
      [1, 2].map(() => send(`${closed.url}/user/sign-up`, 'POST', { ...account(), invite: token }, newAddress())),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404])
  })

  it('a deleted account frees its invite for anyone who has the link', async () => {
    const { token } = await invite()
    const invited = await signUp(closed, { invite: token })
    await invited.rest('DELETE', '/user')

    expect((await signUp(closed, { invite: token })).userId).not.toBe(invited.userId)
  })
})
