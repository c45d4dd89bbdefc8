import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startPatientService } from '../support/patient-service.ts'
import { addMember, Browser, signUp, trustedLoopback } from '../support/person.ts'
import { race, times, untilOthersWaitFor } from '../support/race.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, type Caller, callerOf } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startPatientService(trustedLoopback)

/** Sends a POST without its last byte, which `finish` sends. */
function startPost(caller: Caller, path: string, body: object): { finish(): Promise<Answer> } {
  const text = JSON.stringify(body)
  const answer = Promise.withResolvers<Answer>()
  const headers = { 'x-api-key': caller.key, 'content-type': 'application/json', 'content-length': text.length }
  const post = request(`${service.url}${path}`, { method: 'POST', headers }, async (response) => {
    const chunks = await response.toArray()
    answer.resolve({
      status: response.statusCode ?? 0,
      headers: new Headers(response.headers as Record<string, string>),
      body: JSON.parse(Buffer.concat(chunks).toString()),
    })
  })
  post.on('error', answer.reject)
  post.write(text.slice(0, -1))
  return {
    finish() {
      post.end(text.slice(-1))
      return answer.promise
    },
  }
}

const entriesOf = async (caller: Caller, memberId: string) =>
  (
    await service.database.pool.query(
      `select method, route, outcome::text, status, details from audit_event
        where organization_id = $1 and member_id = $2 order by audit_event_id`,
      [caller.organizationId, memberId],
    )
  ).rows

/** Creates another admin; returns it and the path of its only key. */
async function createOtherAdmin(admin: Caller, role: 'admin' | 'support' = 'admin') {
  const other = await service.member(admin.organizationId, role)
  const { rows } = await service.database.pool.query(
    'select service_account_id, key_id from api_key where organization_id = $1 and member_id = $2',
    [admin.organizationId, other.memberId],
  )
  const { service_account_id: account, key_id: key } = rows[0]
  return {
    ...other,
    account: `/org/service-accounts/${account}`,
    keyPath: `/org/service-accounts/${account}/api-keys/${key}`,
  }
}

/** Resolves once the server has recorded the use of the key, and thus has read the headers of the request. */
const untilAuthenticated = (caller: Caller) =>
  expect
    .poll(async () => {
      const { rows } = await service.database.pool.query(
        'select last_used_at from api_key where organization_id = $1 and member_id = $2',
        [caller.organizationId, caller.memberId],
      )
      return rows[0].last_used_at
    })
    .not.toBeNull()

describe('a request whose key or session is revoked while it runs', () => {
  it('creates no new key when the last byte of its body comes after the key was deleted', async () => {
    const admin = await service.organization()
    const stolen = await createOtherAdmin(admin)
    const post = startPost(stolen, `${stolen.account}/api-keys`, { name: 'way back in' })
    await untilAuthenticated(stolen)

    expect((await admin.rest('DELETE', stolen.keyPath)).status).toBe(204)
    const answer = await post.finish()

    expectRefusal(answer, 'UNAUTHORIZED', null)
    expect((await admin.rest('GET', `${stolen.account}/api-keys`)).body.keys).toEqual([])
    expect(await entriesOf(admin, stolen.memberId)).toEqual([
      {
        method: 'POST',
        route: '/org/service-accounts/{service_account_id}/api-keys',
        outcome: 'rejected',
        status: 401,
        details: null,
      },
    ])
  })

  it.each([
    ['a disabled member', 'PATCH', { status: 'disabled' }, 'UNAUTHORIZED', 401],
    ['a deleted member', 'DELETE', undefined, 'UNAUTHORIZED', 401],
    ['a role that lacks the label', 'PATCH', { role: 'viewer' }, 'FORBIDDEN', 403],
  ] as const)('is refused because of %s', async (_who, method, change, code, status) => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin, 'support')
    const post = startPost(other, '/org/subscribers', { subscriber_id: 'acme' })
    await untilAuthenticated(other)

    expect((await admin.rest(method, `/org/members/${other.memberId}`, change)).status).toBeLessThan(300)
    const answer = await post.finish()

    expectRefusal(answer, code, code === 'FORBIDDEN' ? { required_labels: ['subscribers:write'] } : null)
    expect((await admin.rest('GET', '/org/subscribers')).body.subscribers).toEqual([])
    expect(await entriesOf(admin, other.memberId)).toEqual([
      { method: 'POST', route: '/org/subscribers', outcome: 'rejected', status, details: null },
    ])
  })

  it('is refused if its key expired meanwhile', async () => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin)
    const post = startPost(other, '/org/subscribers', { subscriber_id: 'acme' })
    await untilAuthenticated(other)

    await service.database.pool.query('update api_key set expires_at = now() where member_id = $1', [other.memberId])
    const answer = await post.finish()

    expectRefusal(answer, 'UNAUTHORIZED', null)
    expect((await admin.rest('GET', '/org/subscribers')).body.subscribers).toEqual([])
    expect(await entriesOf(admin, other.memberId)).toEqual([
      { method: 'POST', route: '/org/subscribers', outcome: 'rejected', status: 401, details: null },
    ])
  })

  it('may still write if only the role of the member changed, and the new role has the label', async () => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin)
    const post = startPost(other, '/org/subscribers', { subscriber_id: 'acme' })
    await untilAuthenticated(other)

    await admin.rest('PATCH', `/org/members/${other.memberId}`, { role: 'support' })

    expect((await post.finish()).status).toBe(201)
  })

  it('is refused like a write if it lists invites, because viewing invites is recorded', async () => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin)
    await admin.rest('POST', '/org/invites', { role: 'admin' })
    const client = await service.database.pool.connect()
    await client.query('begin')
    await client.query('delete from api_key where organization_id = $1 and member_id = $2', [
      admin.organizationId,
      other.memberId,
    ])

    const listed = other.rest('GET', '/org/invites')
    await untilOthersWaitFor(client)
    await client.query('commit')
    client.release()

    expectRefusal(await listed, 'UNAUTHORIZED', null)
    expect(await entriesOf(admin, other.memberId)).toMatchObject([{ method: 'GET', outcome: 'rejected', status: 401 }])
  })

  it('writes nothing for the console after its session was signed out', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    await addMember(admin, person, 'admin')
    const browser = new Browser(service)
    await browser.signIn(person)
    await browser.enter(admin.organizationId)
    const client = await service.database.pool.connect()
    await client.query('begin')
    await client.query('delete from console_session where user_id = $1', [person.userId])

    const written = browser.graphql(
      'mutation { createSubscriber(input: { subscriberId: "acme" }) { subscriberId } }',
      {},
      admin,
    )
    await untilOthersWaitFor(client)
    await client.query('commit')
    client.release()

    const { data, errors } = (await written).body
    expect(data).toEqual({ createSubscriber: null })
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }])
    expect((await admin.rest('GET', '/org/subscribers')).body.subscribers).toEqual([])
  })
})

describe("a person's sign-in that ended during a request", () => {
  it.each<[string, string, object]>([
    ['creates no organization', '/user/organizations', { name: 'Mine' }],
    [
      'does not reveal whether a password is right',
      '/user/password',
      { current_password: 'x', new_password: 'new and long' },
    ],
  ])('%s', async (_what, path, body) => {
    const person = await signUp(service)
    const client = await service.database.pool.connect()
    await client.query('begin')
    await client.query('update user_account set token_generation = gen_random_uuid() where user_id = $1', [
      person.userId,
    ])

    const answer = person.rest('POST', path, body)
    await untilOthersWaitFor(client)
    await client.query('commit')
    client.release()

    expectRefusal(await answer, 'UNAUTHORIZED', null)
    expect(await service.database.prisma.userMembership.count({ where: { userId: person.userId } })).toBe(0)
  })
})

describe('the fields of one mutation', () => {
  const fields = `
    before: createSubscriber(input: { subscriberId: "before" }) { subscriberId }
    DELETION
    after: createSubscriber(input: { subscriberId: "after" }) { subscriberId }`

  it('stop when one of them deletes the key: nothing more is written or recorded', async () => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin)
    const [, account, key] = /([^/]+)\/api-keys\/(.+)$/.exec(other.keyPath) as RegExpExecArray
    const deletion = `deleteApiKey(input: { serviceAccountId: "${account}", keyId: "${key}" })`

    const { body } = await other.graphql(`mutation { ${fields.replace('DELETION', deletion)} }`)

    expect(body.data).toEqual({ before: { subscriberId: 'before' }, deleteApiKey: key, after: null })
    expect(body.errors).toMatchObject([{ path: ['after'], extensions: { code: 'UNAUTHORIZED' } }])
    expect(await entriesOf(admin, other.memberId)).toHaveLength(2)
  })

  it('run with the new role after one of them has changed the role', async () => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin)
    const demotion = `updateMember(input: { memberId: "${other.memberId}", role: VIEWER }) { role }`

    const { body } = await other.graphql(`mutation { ${fields.replace('DELETION', demotion)} }`)

    expect(body.data).toEqual({ before: { subscriberId: 'before' }, updateMember: { role: 'VIEWER' }, after: null })
    expect(body.errors).toMatchObject([{ path: ['after'], extensions: { code: 'FORBIDDEN' } }])
  })

  it('stop when somebody else deletes the key', async () => {
    const admin = await service.organization()
    const other = await createOtherAdmin(admin)
    await vendor(admin).subscriber('acme')
    const rename = 'updateSubscriber(input: { subscriberId: "acme", name: "A" }) { name }'
    const client = await service.database.pool.connect()
    await client.query('begin')
    await client.query(`select 1 from subscriber where organization_id = $1 and subscriber_id = 'acme' for update`, [
      admin.organizationId,
    ])

    const answer = other.graphql(`mutation { ${fields.replace('DELETION', rename)} }`)
    await untilOthersWaitFor(client)
    const deletion = admin.rest('DELETE', other.keyPath)
    await untilOthersWaitFor(client, 2)
    await client.query('commit')
    client.release()

    expect((await deletion).status).toBe(204)
    const { body } = await answer
    expect(body.data).toEqual({ before: { subscriberId: 'before' }, updateSubscriber: { name: 'A' }, after: null })
    expect(body.errors).toMatchObject([{ path: ['after'], extensions: { code: 'UNAUTHORIZED' } }])
  })

  it('run without a user after signing out, and as the user after signing in', async () => {
    const person = await signUp(service)
    const browser = new Browser(service)
    await browser.signIn(person)
    const create = (alias: string) => `${alias}: createOrganization(input: { name: "${alias}" }) { name }`
    const signIn = `signIn(input: { email: "${person.email}", password: "${person.password}" }) { userId }`

    const { body } = await browser.graphql(
      `mutation { ${create('one')} signOut ${create('two')} ${signIn} ${create('three')} }`,
    )

    expect(body.data).toMatchObject({ one: { name: 'one' }, two: null, signIn: {}, three: { name: 'three' } })
    expect(body.errors).toMatchObject([{ path: ['two'], extensions: { code: 'UNAUTHORIZED' } }])
  })
})

describe('taking away rights while other members write', () => {
  it('always leaves one of two admins who remove each other, by any combination of methods', async () => {
    const ways = [
      (by: Caller, other: Awaited<ReturnType<typeof createOtherAdmin>>) => by.rest('DELETE', other.keyPath),
      (by: Caller, other: Awaited<ReturnType<typeof createOtherAdmin>>) => by.rest('DELETE', other.account),
      (by: Caller, { memberId }: Caller) => by.rest('DELETE', `/org/members/${memberId}`),
      (by: Caller, { memberId }: Caller) => by.rest('PATCH', `/org/members/${memberId}`, { role: 'viewer' }),
      (by: Caller, { memberId }: Caller) => by.rest('PATCH', `/org/members/${memberId}`, { status: 'disabled' }),
    ]
    for (let round = 0; round < 25; round++) {
      const admin = await service.organization()
      const [one, two] = [await createOtherAdmin(admin), await createOtherAdmin(admin)]
      const [first, second] = [ways[round % 5], ways[Math.floor(round / 5)]] as [(typeof ways)[0], (typeof ways)[0]]

      const { tally } = await race([() => first(one, two), () => second(two, one)])

      const {
        200: changed = 0,
        204: deleted = 0,
        '401 UNAUTHORIZED': unknown = 0,
        '403 FORBIDDEN': refused = 0,
      } = tally
      expect([changed + deleted, unknown + refused], JSON.stringify(tally)).toEqual([1, 1])
    }
  })

  it('waits only for running writes, however many more arrive with the key', async () => {
    const admin = await service.organization()
    const busy = await createOtherAdmin(admin)
    await vendor(admin).subscriber('acme')
    const rename = () => busy.rest('PATCH', '/org/subscribers/acme', { name: 'Acme' })
    const client = await service.database.pool.connect()
    await client.query('begin')
    await client.query(`select 1 from subscriber where organization_id = $1 and subscriber_id = 'acme' for update`, [
      busy.organizationId,
    ])

    const running = rename()
    await untilOthersWaitFor(client)
    const revoked = admin.rest('DELETE', busy.keyPath)
    await untilOthersWaitFor(client, 2)
    const later = [rename(), rename()]
    await untilOthersWaitFor(client, 4)
    await client.query('commit')
    client.release()

    const answers = await Promise.all([running, revoked, ...later])
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 401, 401])
  })

  it('does not deadlock with personal actions', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await service.organization(), await service.organization()]
      const person = await signUp(service)
      const memberId = await addMember(one, person, 'admin')
      const browser = new Browser(service)
      await browser.signIn(person)
      await browser.enter(one.organizationId)
      const rename = 'mutation { updateOrganization(input: { name: "New" }) { name } }'
      const add = `mutation { createMember(input: { userId: "${person.userId}", role: VIEWER }) { memberId } }`
      const add2 = { user_id: person.userId, role: 'viewer' }
      const leave = `/user/organizations/${one.organizationId}`

      const { answers } = await race([
        ...times(3, () => () => browser.graphql(rename, {}, one)),
        ...times(3, () => () => browser.graphql(add, {}, one)),
        () => one.rest('PATCH', `/org/members/${memberId}`, { role: 'viewer' }),
        () => one.rest('POST', '/org/members', add2),
        () => two.rest('POST', '/org/members', add2),
        () => person.rest('POST', `${leave}/sign-in`),
        () => person.rest('POST', `${leave}/sign-out`),
        () => person.rest('DELETE', leave),
        () => browser.graphql('mutation { signOut }'),
        () => person.rest('POST', '/user/password', { current_password: person.password, new_password: 'better one' }),
        () => person.rest('DELETE', '/user'),
      ])

      for (const { status, body } of answers) {
        expect([200, 201, 204, 401, 403, 404, 409, 422], JSON.stringify(body)).toContain(status)
        for (const { extensions } of body?.errors ?? []) expect(extensions.status).toBeLessThan(500)
      }
    }
  })

  it('does not deadlock with writes of any kind', async () => {
    for (let round = 0; round < 6; round++) {
      const admin = await service.organization()
      const victim = await createOtherAdmin(admin)
      await vendor(admin).subscriber('acme')
      const at = callerOf(service.url, victim)

      const { answers } = await race([
        ...times(6, (i) => () => at.rest('POST', '/org/features', { key: `f-${i}`, name: 'F', kind: 'flag' })),
        ...times(6, (i) => () => at.rest('POST', '/org/subscribers', { subscriber_id: `s-${i}` })),
        ...times(4, () => () => at.rest('POST', `${victim.account}/api-keys`, { name: 'k' })),
        ...times(3, () => () => at.rest('PATCH', victim.account, { name: 'n' })),
        () =>
          admin.rest(round % 2 === 0 ? 'DELETE' : 'PATCH', `/org/members/${victim.memberId}`, { role: 'evaluator' }),
        () => admin.rest('DELETE', victim.keyPath),
        () => at.rest('DELETE', `/org/members/${admin.memberId}`),
      ])

      for (const { status, body } of answers)
        expect([200, 201, 204, 401, 403, 404], JSON.stringify(body)).toContain(status)
    }
  })
})
