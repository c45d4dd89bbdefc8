import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { entryOf, entryOfRequest, expectEntry, readLog } from '../support/audit.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { type Answer, type Caller, send, startService } from '../support/service.ts'

// In its own database, because creating a trigger locks the whole table.
const service = await startService({ ...trustedLoopback, DATABASE_URL: await createOwnDatabase() })
const identity = { service: 'identity' }

type Person = { userId: string; token: string; as(method: string, path: string, body?: unknown): Promise<Answer> }

let people = 0
async function signUp(): Promise<Person> {
  people += 1
  const body = { email: `p${people}-${newId()}@example.com`, password: 'correct horse', display_name: `P${people}` }
  const answer = await send(`${service.url}/user/sign-up`, 'POST', body, newAddress())
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const { user_id: userId, token } = answer.body
  return {
    userId,
    token,
    as: (method, path, body) => send(`${service.url}${path}`, method, body, { authorization: `Bearer ${token}` }),
  }
}

async function readOwnLog(person: Person, query = '') {
  const { status, body } = await person.as('GET', `/user/audit-events${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.audit_events
}

function userEntry(person: Person, answer: Answer, expected: Record<string, unknown>) {
  const actor = { member_id: null, auth_type: 'jwt', key_prefix: null }
  return entryOfRequest(answer, {
    ...{ user_id: person.userId, organization_id: null, actor, service: 'identity' },
    ...expected,
  })
}

describe('the entry of the organization', () => {
  it('records a new name as a change, and has null details when the name stays the same', async () => {
    const admin = await service.organization()

    await expectEntry(admin, ['PATCH', '/org', { name: 'Globex' }], () => ({
      ...identity,
      route: '/org',
      details: { name: { from: 'Acme', to: 'Globex' } },
    }))
    await expectEntry(admin, ['PATCH', '/org', { name: 'Globex' }], () => ({ ...identity, route: '/org' }))
  })
})

describe('the entry of a member', () => {
  it('records id and role on creation, and changes of role, status and name, but has null details on deletion', async () => {
    const admin = await service.organization()
    const person = await signUp()

    const { body } = await expectEntry(
      admin,
      ['POST', '/org/members', { user_id: person.userId, role: 'viewer' }],
      (answer) => ({
        ...identity,
        route: '/org/members',
        details: { member_id: answer.body.member_id, role: 'viewer' },
        created_id: answer.body.member_id,
      }),
    )
    const one = { ...identity, route: '/org/members/{member_id}', params: { member_id: body.member_id } }
    const path = `/org/members/${body.member_id}`
    const change = { role: 'support', status: 'disabled', display_name: 'New name' }
    await expectEntry(admin, ['PATCH', path, change], () => ({
      ...one,
      details: {
        role: { from: 'viewer', to: 'support' },
        status: { from: 'active', to: 'disabled' },
        display_name: { from: body.display_name, to: 'New name' },
      },
    }))
    await expectEntry(admin, ['PATCH', path, change], () => one)
    await expectEntry(admin, ['DELETE', path], () => one)
  })
})

describe('the entry of an invite', () => {
  it('records id and role, and never the link', async () => {
    const admin = await service.organization()

    const { body } = await expectEntry(
      admin,
      ['POST', '/org/invites', { role: 'viewer', email: 'a@b.c' }],
      (answer) => ({
        ...identity,
        route: '/org/invites',
        details: { invite_id: answer.body.invite_id, role: 'viewer' },
        created_id: answer.body.invite_id,
      }),
    )
    await expectEntry(admin, ['DELETE', `/org/invites/${body.invite_id}`], () => ({
      ...identity,
      route: '/org/invites/{invite_id}',
      params: { invite_id: body.invite_id },
    }))
  })

  it('is also written when someone lists the invites, even if the request is refused', async () => {
    const admin = await service.organization()
    const viewer = await service.member(admin.organizationId, 'viewer')
    const expected = { ...identity, route: '/org/invites' }

    await expectEntry(admin, ['GET', '/org/invites'], () => expected)
    await expectEntry(admin, ['GET', '/org/invites?limit=0'], ({ status }) => ({ ...expected, status }))
    const refused = await viewer.rest('GET', '/org/invites')
    const answer = await admin.graphql('{ a: invites { nodes { link } } b: invites { nodes { link } } }')

    expect(answer.body.errors).toBeUndefined()
    const listed = entryOf(admin, { ...answer, status: 200 }, { ...expected, method: 'GET' })
    const entries = await readLog(admin, '?limit=3')
    expect(entries).toEqual([
      listed,
      listed,
      entryOf(viewer, refused, { ...expected, method: 'GET', outcome: 'rejected' }),
    ])
    expect(refused.status).toBe(403)
  })

  it('must be written before the list of invites shows links; otherwise the list is 503', async () => {
    const admin = await service.organization()
    const { body: invite } = await admin.rest('POST', '/org/invites', { role: 'viewer' })
    const { pool } = service.database
    const name = `refuse_${admin.organizationId.toLowerCase()}`
    await pool.query(`
      create function ${name}() returns trigger language plpgsql as $$ begin raise 'full' using errcode = '53100'; end $$;
      create trigger ${name} before insert on audit_event for each row
        when (new.organization_id = '${admin.organizationId}') execute function ${name}()`)
    try {
      const answer = await admin.rest('GET', '/org/invites')
      const inGraphql = await admin.graphql('{ invites { nodes { link } } }')

      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      expect(inGraphql.body).toMatchObject({
        data: { invites: null },
        errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
      })
      for (const shown of [answer.body, inGraphql.body]) expect(JSON.stringify(shown)).not.toContain(invite.link)
      expect(await admin.rest('GET', '/org/members')).toMatchObject({ status: 200 })
    } finally {
      await pool.query(`drop function ${name}() cascade`)
    }
  })
})

describe('the entry of a service account and its keys', () => {
  it('records ids, name, role and a changed name, and the id, prefix and name of a key, but never the key', async () => {
    const admin = await service.organization()

    const { body: account } = await expectEntry(
      admin,
      ['POST', '/org/service-accounts', { name: 'Backend', role: 'support' }],
      ({ body }) => ({
        ...identity,
        route: '/org/service-accounts',
        details: {
          service_account_id: body.service_account_id,
          member_id: body.member_id,
          name: 'Backend',
          role: 'support',
        },
        created_id: body.service_account_id,
      }),
    )
    const params = { service_account_id: account.service_account_id }
    const path = `/org/service-accounts/${account.service_account_id}`
    const one = { ...identity, route: '/org/service-accounts/{service_account_id}', params }
    await expectEntry(admin, ['PATCH', path, { name: 'Billing' }], () => ({
      ...one,
      details: { name: { from: 'Backend', to: 'Billing' } },
    }))
    await expectEntry(admin, ['PATCH', path, { name: 'Billing' }], () => one)

    const { body: key } = await expectEntry(admin, ['POST', `${path}/api-keys`, { name: 'prod' }], ({ body }) => ({
      ...identity,
      route: '/org/service-accounts/{service_account_id}/api-keys',
      params,
      details: { key_id: body.key_id, key_prefix: body.key.slice(0, 12), name: 'prod' },
      created_id: body.key_id,
    }))
    await expectEntry(admin, ['DELETE', `${path}/api-keys/${key.key_id}`], () => ({
      ...identity,
      route: '/org/service-accounts/{service_account_id}/api-keys/{key_id}',
      params: { ...params, key_id: key.key_id },
    }))
    await expectEntry(admin, ['DELETE', path], () => one)
  })
})

describe("a person's own log", () => {
  let person: Person
  let admin: Caller
  beforeAll(async () => {
    person = await signUp()
    admin = await service.organization()
  })

  it("records that the person created an organization, as the organization's log does", async () => {
    const answer = await person.as('POST', '/user/organizations', { name: 'Mine' })

    const { organization_id, member_id } = answer.body
    const expected = {
      organization_id,
      actor: { member_id, auth_type: 'jwt', key_prefix: null },
      method: 'POST',
      route: '/user/organizations',
      created_id: organization_id,
    }
    expect(answer.status).toBe(201)
    const [own] = await readOwnLog(person)
    expect(own).toEqual(userEntry(person, answer, expected))
    const { rows } = await service.database.pool.query(
      `select audit_event_id, member_id, auth_type, key_prefix, route, outcome, status, details, created_id
         from audit_event where organization_id = $1`,
      [organization_id],
    )
    expect(rows).toEqual([
      {
        audit_event_id: own.id,
        member_id,
        auth_type: 'jwt',
        key_prefix: null,
        route: '/user/organizations',
        outcome: 'responded',
        status: 201,
        details: null,
        created_id: organization_id,
      },
    ])
  })

  it("records joining and signing in, as the organization's log does, and also refused attempts", async () => {
    const { body: invite } = await admin.rest('POST', '/org/invites', { role: 'viewer' })
    const token = invite.link.split('#')[1]
    const before = await readLog(admin)

    const refusedJoin = await person.as('POST', '/user/organizations/join', { invite: 'inv_unknown' })
    const refusedSignIn = await person.as('POST', `/user/organizations/${admin.organizationId}/sign-in`)
    expect([refusedJoin.status, refusedSignIn.status]).toEqual([404, 404])
    expect(await readLog(admin)).toEqual(before)
    const joined = await person.as('POST', '/user/organizations/join', { invite: token })
    const signedIn = await person.as('POST', `/user/organizations/${admin.organizationId}/sign-in`)

    expect([joined.status, signedIn.status]).toEqual([200, 200])
    const memberId = joined.body.member_id
    const join = { method: 'POST', route: '/user/organizations/join' }
    const signIn = {
      method: 'POST',
      route: '/user/organizations/{organization_id}/sign-in',
      params: { organization_id: admin.organizationId },
    }
    const there = {
      organization_id: admin.organizationId,
      actor: { member_id: memberId, auth_type: 'jwt', key_prefix: null },
    }
    const own = await readOwnLog(person, '?limit=4')
    expect(own).toEqual([
      userEntry(person, signedIn, { ...signIn, ...there }),
      userEntry(person, joined, { ...join, ...there, created_id: memberId }),
      userEntry(person, refusedSignIn, signIn),
      userEntry(person, refusedJoin, join),
    ])
    const withoutUser = own.slice(0, 2).map(({ user_id: _, ...entry }: Record<string, unknown>) => entry)
    expect(await readLog(admin, '?limit=2')).toEqual(withoutUser)
    expect(JSON.stringify([own, await readLog(admin)])).not.toContain(token)
  })

  it('records changes and the deletion of the account without details', async () => {
    const other = await signUp()

    const renamed = await other.as('PATCH', '/user', { display_name: 'Renamed' })
    const refused = await other.as('PATCH', '/user', '{')

    expect(await readOwnLog(other)).toEqual([
      userEntry(other, refused, { method: 'PATCH', route: '/user', outcome: 'rejected', status: 400 }),
      userEntry(other, renamed, { method: 'PATCH', route: '/user' }),
    ])
    expect(await other.as('DELETE', '/user')).toMatchObject({ status: 204 })
    const { rows } = await service.database.pool.query(
      `select outcome, status from user_audit_event where user_id = $1 and method = 'DELETE'`,
      [other.userId],
    )
    expect(rows).toEqual([{ outcome: 'responded', status: 204 }])
    expect(await other.as('GET', '/user/audit-events')).toMatchObject({ status: 401 })
  })

  it("accepts the filters and cursors of the organization's log, in both APIs", async () => {
    const all = await readOwnLog(person)
    expect(all).toHaveLength(5)

    expect(await readOwnLog(person, '?route=/user/organizations')).toEqual([all[4]])
    expect(await readOwnLog(person, `?params[organization_id]=${admin.organizationId}`)).toEqual([all[0], all[2]])
    expect(await readOwnLog(person, `?starting_after=${all[2].id}`)).toEqual(all.slice(3))
    expect(await readOwnLog(person, `?actor_member_id=${all[0].actor.member_id}`)).toEqual([all[0], all[1]])
    expect(await person.as('GET', '/user/audit-events?actor=x')).toMatchObject({ status: 422 })

    const query = `{ user { auditEvents(first: 2, filter: { method: POST }) {
      nodes { id userId organizationId actor { memberId authType keyPrefix } } pageInfo { hasNextPage } } } }`
    const { body } = await person.as('POST', '/graphql', { query })
    expect(body).toEqual({
      data: {
        user: {
          auditEvents: {
            nodes: [all[0], all[1]].map(({ id, actor }) => ({
              id,
              userId: person.userId,
              organizationId: admin.organizationId,
              actor: { memberId: actor.member_id, authType: 'JWT', keyPrefix: null },
            })),
            pageInfo: { hasNextPage: true },
          },
        },
      },
    })
  })

  it('contains no entries of other people', async () => {
    const other = await signUp()

    expect(await readOwnLog(other)).toEqual([])
  })

  it('must record a write before it runs; otherwise the write is 503', async () => {
    const other = await signUp()
    const { pool } = service.database
    const name = `refuse_${other.userId.toLowerCase()}`
    await pool.query(`
      create function ${name}() returns trigger language plpgsql as $$ begin raise 'full' using errcode = '53100'; end $$;
      create trigger ${name} before insert on user_audit_event for each row
        when (new.user_id = '${other.userId}') execute function ${name}()`)
    try {
      const answer = await other.as('POST', '/user/organizations', { name: 'None' })
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      expect(await other.as('GET', '/user/organizations')).toMatchObject({ body: { organizations: [] } })
    } finally {
      await pool.query(`drop function ${name}() cascade`)
    }
  })
})

describe('the whole log', () => {
  it('contains no key, token, link, password or body after writes of many kinds', async () => {
    const person = await signUp()
    const admin = await service.organization()
    const { body: account } = await admin.rest('POST', '/org/service-accounts', { name: 'B', role: 'admin' })
    const { body: key } = await admin.rest(
      'POST',
      `/org/service-accounts/${account.service_account_id}/api-keys?k=querysecret`,
      { name: 'k' },
    )
    const { body: invite } = await admin.rest('POST', '/org/invites', { role: 'admin', email: 'noted@example.com' })
    await admin.rest('GET', '/org/invites?limit=5')
    const joined = await person.as('POST', '/user/organizations/join', { invite: invite.link.split('#')[1] })
    const signIn = `${service.url}/user/organizations/${admin.organizationId}/sign-in`
    const headers = { authorization: `Bearer ${person.token}`, origin: service.url }
    const session = await send(signIn, 'POST', {}, headers)
    await person.as('PATCH', '/user', { display_name: 'bodysecret' })
    await person.as('POST', '/user/password', { current_password: 'correct horse', new_password: 'new horse battery' })
    expect([joined.status, session.status]).toEqual([200, 200])

    const { pool } = service.database
    const logs = await Promise.all([
      pool.query('select a::text as entry from audit_event a where organization_id = $1', [admin.organizationId]),
      pool.query('select a::text as entry from user_audit_event a where user_id = $1', [person.userId]),
    ])
    const text = logs.flatMap(({ rows }) => rows.map(({ entry }) => entry)).join('\n')

    expect(logs.map(({ rowCount }) => rowCount)).toEqual([6, expect.any(Number)])
    const cookie = session.headers.get('set-cookie')?.match(/ses_\w+/)?.[0] as string
    expect(cookie).toHaveLength(53)
    const secrets = [
      key.key,
      admin.key,
      cookie,
      invite.link,
      invite.link.split('#')[1],
      person.token,
      'querysecret',
      'bodysecret',
      'noted@example.com',
      'horse',
    ]
    for (const secret of secrets) expect(text).not.toContain(secret)
    for (const token of [key.key, cookie, invite.link.split('#')[1]]) expect(text).not.toContain(token.slice(12))
  })
})
