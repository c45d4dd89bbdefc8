import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { Browser, newAddress, signUp, trustedLoopback } from '../support/person.ts'
import { callerOf, send, sharedService } from '../support/service.ts'
import { listFewestStatements } from './count-statements.ts'

const service = await sharedService(trustedLoopback)

type GraphqlCaller = { graphql(query: string, variables?: Record<string, unknown>): Promise<{ body: unknown }> }

/** Returns the value of the only mutation; its input type is named after it. */
async function mutate(by: GraphqlCaller, name: string, input: object, selection = '') {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const { body } = await by.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) ${selection} }`, { input })
  const { data, errors } = body as { data: Record<string, unknown>; errors?: unknown }
  expect(errors).toBeUndefined()
  // biome-ignore lint/suspicious/noExplicitAny: a value of any shape.
  return data[name] as any
}

describe('members', () => {
  it('are created, changed, listed and deleted', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    const fields = '{ memberId userId serviceAccountId displayName email role status createdAt updatedAt }'

    const created = await mutate(admin, 'createMember', { userId: person.userId, role: 'SUPPORT' }, fields)
    expect(created).toEqual({
      memberId: ulid,
      userId: person.userId,
      serviceAccountId: null,
      displayName: 'Ada',
      email: person.email,
      role: 'SUPPORT',
      status: 'ACTIVE',
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    const { memberId } = created
    const changed = await mutate(admin, 'updateMember', { memberId, role: 'VIEWER', status: 'DISABLED' }, fields)
    expect(changed).toEqual({ ...created, role: 'VIEWER', status: 'DISABLED', updatedAt: timestamp })
    const { body } = await admin.graphql(
      `query ($id: ID!) { member(memberId: $id) ${fields} members { nodes { memberId } pageInfo { hasNextPage } }
        organization { members(first: 1) { nodes { memberId } pageInfo { hasNextPage endCursor } } } }`,
      { id: memberId },
    )
    expect(body).toEqual({
      data: {
        member: changed,
        members: { nodes: [{ memberId: admin.memberId }, { memberId }], pageInfo: { hasNextPage: false } },
        organization: {
          members: {
            nodes: [{ memberId: admin.memberId }],
            pageInfo: { hasNextPage: true, endCursor: admin.memberId },
          },
        },
      },
    })
    expect(await mutate(admin, 'deleteMember', { memberId })).toBe(memberId)
  })
})

describe('invites', () => {
  it('are created, listed with their links, and revoked', async () => {
    const admin = await service.organization()
    const fields = '{ inviteId role email link expiresAt createdAt }'

    const created = await mutate(admin, 'createInvite', { role: 'DEVELOPER', email: 'bob@example.org' }, fields)
    expect(created).toEqual({
      inviteId: ulid,
      role: 'DEVELOPER',
      email: 'bob@example.org',
      link: expect.stringMatching(/\/join#inv_\w{49}$/),
      expiresAt: timestamp,
      createdAt: timestamp,
    })
    const { body } = await admin.graphql(`{ invites { edges { cursor node ${fields} } } }`)
    expect(body).toEqual({ data: { invites: { edges: [{ cursor: created.inviteId, node: created }] } } })
    expect(await mutate(admin, 'deleteInvite', { inviteId: created.inviteId })).toBe(created.inviteId)
    expect((await admin.graphql('{ invites { nodes { inviteId } } }')).body.data.invites.nodes).toEqual([])
  })
})

describe('service accounts and their keys', () => {
  it('are created, changed, listed and deleted, and a key is shown once', async () => {
    const admin = await service.organization()
    const fields = '{ serviceAccountId memberId name role createdAt updatedAt }'

    const account = await mutate(admin, 'createServiceAccount', { name: 'CI', role: 'VIEWER' }, fields)
    const { serviceAccountId } = account
    const renamed = await mutate(admin, 'updateServiceAccount', { serviceAccountId, name: 'Robot' }, fields)
    expect(renamed).toEqual({ ...account, name: 'Robot', updatedAt: timestamp })
    const { key, apiKey } = await mutate(
      admin,
      'createApiKey',
      { serviceAccountId, name: 'first' },
      '{ key apiKey { keyId keyPrefix name createdAt lastUsedAt } }',
    )
    expect(apiKey).toEqual({
      keyId: ulid,
      keyPrefix: key.slice(0, 12),
      name: 'first',
      createdAt: timestamp,
      lastUsedAt: null,
    })
    expect((await callerOf(service.url, { ...admin, key }).graphql('{ viewer { role } }')).body).toEqual({
      data: { viewer: { role: 'VIEWER' } },
    })
    const { body } = await admin.graphql(
      `query ($id: ID!) { serviceAccount(serviceAccountId: $id) { name role apiKeys { nodes { keyId name } } } }`,
      { id: serviceAccountId },
    )
    expect(body.data.serviceAccount).toEqual({
      name: 'Robot',
      role: 'VIEWER',
      apiKeys: { nodes: [{ keyId: apiKey.keyId, name: 'first' }] },
    })
    expect(await mutate(admin, 'deleteApiKey', { serviceAccountId, keyId: apiKey.keyId })).toBe(apiKey.keyId)
    expect(await mutate(admin, 'deleteServiceAccount', { serviceAccountId })).toBe(serviceAccountId)
  })

  it('are read with all their keys in the same number of statements, however many there are', async () => {
    const admin = await service.organization()
    const query = '{ organization { serviceAccounts { nodes { name role apiKeys { nodes { keyPrefix } } } } } }'
    const few = await listFewestStatements(() => admin.graphql(query))
    for (let n = 0; n < 3; n++) await service.member(admin.organizationId, 'viewer')

    const many = await listFewestStatements(() => admin.graphql(query))

    expect(many.length).toBe(few.length)
  })
})

describe('a person', () => {
  it('can do everything with a Bearer token that REST allows', async () => {
    const person = await signUp(service)

    const mine = await mutate(person, 'createOrganization', { name: 'Mine' }, '{ organizationId name memberId role }')
    expect(mine).toEqual({ organizationId: ulid, name: 'Mine', memberId: ulid, role: 'ADMIN' })
    const { organizationId } = mine
    const session = await mutate(
      person,
      'signInToOrganization',
      { organizationId },
      '{ organizationId sessionPrefix expiresAt }',
    )
    expect(session).toEqual({
      organizationId,
      sessionPrefix: expect.stringMatching(/^ses_\w{8}$/),
      expiresAt: timestamp,
    })
    expect(await mutate(person, 'signOutOfOrganization', { organizationId })).toBe(organizationId)
    const admin = await service.organization()
    const { body: invite } = await admin.rest('POST', '/org/invites', { role: 'viewer' })
    const token = /inv_\w+/.exec(invite.link)?.[0]
    const joined = await mutate(person, 'joinOrganization', { invite: token }, '{ organizationId name role }')
    expect(joined).toEqual({ organizationId: admin.organizationId, name: 'Acme', role: 'VIEWER' })
    const renamed = await mutate(person, 'updateUser', { displayName: 'Countess' }, '{ userId displayName }')
    expect(renamed).toEqual({ userId: person.userId, displayName: 'Countess' })
    const { body } = await person.graphql(
      '{ user { userId email displayName createdAt updatedAt organizations { organizationId } } viewer { member { memberId } role labels } }',
    )
    expect(body).toEqual({
      data: {
        user: {
          userId: person.userId,
          email: person.email,
          displayName: 'Countess',
          createdAt: timestamp,
          updatedAt: timestamp,
          organizations: [{ organizationId }, { organizationId: admin.organizationId }],
        },
        viewer: { member: null, role: null, labels: [] },
      },
    })
  })

  it('signs up in a browser, and deletes the account there', async () => {
    const browser = new Browser(service)
    const input = { email: `${newId()}@example.org`, password: 'correct horse', displayName: 'Ada' }

    const created = await browser.graphql(
      'mutation ($input: SignUpInput!) { signUp(input: $input) { userId email } }',
      {
        input,
      },
    )
    expect(created.body.data.signUp).toEqual({ userId: ulid, email: input.email })
    expect([...browser.cookies.keys()]).toEqual(['ent_user', 'ent_mark'])
    const gone = await browser.graphql('mutation { deleteUser }')

    expect(gone.body).toEqual({ data: { deleteUser: created.body.data.signUp.userId } })
    expect([...browser.cookies]).toEqual([])
    expect((await send(`${service.url}/user/sign-in`, 'POST', input, newAddress())).status).toBe(401)
  })

  it('gets errors that name the fields as GraphQL does', async () => {
    const input = { email: 'nobody', password: 'short', displayName: '' }

    const { body } = await new Browser(service).graphql(
      'mutation ($input: SignUpInput!) { signUp(input: $input) { userId } }',
      { input },
    )

    const paths = body.errors[0].extensions.details.fields.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(['email', 'password', 'displayName'])
  })

  it('who fails to sign in too often learns from the error and from a header how long to wait', async () => {
    const headers = newAddress()
    const person = await signUp(service)
    const browser = new Browser(service)
    const attempt = () =>
      browser.graphql(
        'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }',
        { input: { email: person.email, password: 'wrong horse' } },
        { headers },
      )
    for (let n = 0; n < 8; n++) await attempt()

    const answer = await attempt()

    const { code, details } = answer.body.errors[0].extensions
    expect(code).toBe('RATE_LIMITED')
    expect(answer.headers.get('retry-after')).toBe(String(details.retry_after_seconds))
    expect(details.retry_after_seconds).toBeGreaterThan(1)
  })
})

describe('the field viewer', () => {
  it('is the member of a key, with its role and labels', async () => {
    const caller = await service.organization('evaluator')

    const { body } = await caller.graphql('{ viewer { member { memberId role } user { userId } role labels } }')

    expect(body.data.viewer).toEqual({
      member: { memberId: caller.memberId, role: 'EVALUATOR' },
      user: null,
      role: 'EVALUATOR',
      labels: ['entitlements:read'],
    })
  })

  it('is refused with 401 without credentials', async () => {
    const { body } = await send(`${service.url}/graphql`, 'POST', { query: '{ viewer { role } }' })

    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED', status: 401 } }])
  })
})
