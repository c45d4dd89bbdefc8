import { describe, expect, it } from 'vitest'
import { startProvider } from '../support/oidc.ts'
import { OidcBrowser } from '../support/oidc-browser.ts'
import { addMember, Browser, newAddress, personOf, signUp, trustedLoopback } from '../support/person.ts'
import { type Caller, type LogEntry, send, startService } from '../support/service.ts'

const provider = await startProvider()
const plainService = await startService()
const callers = await Promise.all(Array.from({ length: 30 }, () => plainService.organization()))
const log: LogEntry[] = []
const env = {
  ...trustedLoopback,
  ...provider.env,
  LOG_LEVEL: 'info',
  OIDC_GROUP_ORGANIZATIONS: callers.map(({ organizationId }) => organizationId).join(', '),
}
const service = await startService(env, log)
const serviceRequiringGroups = await startService({ ...env, OIDC_GROUPS_REQUIRED: 'true' })
const { prisma } = service.database

/** Creates an organization that gives roles to groups; returns its admin. */
async function createWithGroupRoles(groupRoles: Record<string, string>) {
  const { organizationId } = callers.pop() as Caller
  const admin = await service.member(organizationId, 'admin')
  await setRoles(admin, groupRoles)
  return admin
}

function setRoles(admin: Caller, groupRoles: Record<string, string>) {
  const list = Object.entries(groupRoles).map(([group, role]) => ({ group, role }))
  return admin.rest('PUT', '/org/group-roles', { group_roles: list })
}

/** Signs the person in with these groups; returns their member afterwards, if any. */
async function signIn(admin: Caller, subject: string, groups: unknown) {
  provider.change(subject, { name: 'Ada', groups })
  const browser = new OidcBrowser(service)
  const { status } = await browser.signIn(provider, subject)
  expect(status).toBe(303)
  const { body } = await browser.pages.graphql('{ user { userId } }')
  const { userId } = body.data.user
  return { browser, userId, member: await memberOf(admin, userId) }
}

async function memberOf(admin: Caller, userId: string) {
  const { body } = await admin.rest('GET', '/org/members')
  return body.members.find((each: { user_id: string | null }) => each.user_id === userId) ?? null
}

async function entriesOf(admin: Caller, memberId: string) {
  const { body } = await admin.rest('GET', `/org/audit-events?object_type=member&object_id=${memberId}&changed=true`)
  return body.audit_events
}

const addPerson = () => provider.add({})

describe('group roles', () => {
  it('are replaced as a whole, read in the order of the groups, and recorded, in both APIs', async () => {
    const admin = await createWithGroupRoles({})

    const put = await setRoles(admin, { ops: 'admin', dev: 'developer' })

    const group_roles = [
      { group: 'dev', role: 'developer' },
      { group: 'ops', role: 'admin' },
    ]
    expect(put).toMatchObject({ status: 200, body: { group_roles } })
    expect((await admin.rest('GET', '/org/group-roles')).body).toEqual({ group_roles })
    const mutation = `mutation { setGroupRoles(input: { groupRoles: [{ group: "dev", role: SUPPORT }] }) { group role } }`
    expect((await admin.graphql(mutation)).body.data.setGroupRoles).toEqual([{ group: 'dev', role: 'SUPPORT' }])
    expect((await admin.graphql('{ groupRoles { group role } }')).body.data.groupRoles).toEqual([
      { group: 'dev', role: 'SUPPORT' },
    ])
    const { body } = await admin.rest('GET', '/org/audit-events?route=/org/group-roles&changed=true')
    expect(body.audit_events.map(({ details }: { details: object }) => details)).toEqual([
      { group_roles: { from: group_roles, to: [{ group: 'dev', role: 'support' }] } },
      { group_roles: { from: [], to: group_roles } },
    ])
  })

  it('do not count as changed when the same roles are set again', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer' })

    await setRoles(admin, { dev: 'developer' })

    const { body } = await admin.rest('GET', '/org/audit-events?route=/org/group-roles')
    expect(body.audit_events[0]).toMatchObject({ status: 200, details: null })
  })

  it('are refused if a group is named twice, if there are more than 100, or if they are malformed', async () => {
    const admin = await createWithGroupRoles({})
    const set = (group_roles: unknown) => admin.rest('PUT', '/org/group-roles', { group_roles })
    const many = Array.from({ length: 101 }, (_, n) => ({ group: `g${n}`, role: 'viewer' }))

    const twice = await set([many[0], many[1], { ...many[0], role: 'admin' }])

    expect(twice.status).toBe(422)
    expect(twice.body.error.details.fields).toEqual([
      { path: 'group_roles.2.group', message: 'group_roles.2.group is given twice.' },
    ])
    expect((await set(many)).status).toBe(422)
    expect((await set(many.slice(1))).status).toBe(200)
    expect((await set([{ group: '', role: 'viewer' }])).body.error.details.fields[0].path).toBe('group_roles.0.group')
    expect((await set([{ group: 'a', role: 'owner' }])).body.error.details.fields[0].path).toBe('group_roles.0.role')
    expect((await admin.rest('PUT', '/org/group-roles', {})).status).toBe(422)
  })

  it('are 409 in an organization that OIDC_GROUP_ORGANIZATIONS does not name', async () => {
    const admin = await service.organization()

    const answers = [await admin.rest('GET', '/org/group-roles'), await setRoles(admin, { dev: 'developer' })]

    for (const { status, body } of answers) {
      expect(status).toBe(409)
      expect(body.error).toMatchObject({ code: 'CONFLICT', details: { field: 'group_roles' } })
    }
  })
})

describe('a person who signs in with a group', () => {
  it("becomes a member with the strongest of the groups' roles, recorded as the person's own action", async () => {
    const admin = await createWithGroupRoles({ dev: 'developer', help: 'support', all: 'viewer' })

    const { member, userId, browser } = await signIn(admin, addPerson(), ['all', 'unknown', 'dev', 'help'])

    expect(member).toMatchObject({ role: 'developer', status: 'active', by_group: true, display_name: 'Ada' })
    expect(await entriesOf(admin, member.member_id)).toEqual([
      expect.objectContaining({
        actor: { member_id: member.member_id, auth_type: 'jwt', key_prefix: null },
        method: 'GET',
        route: '/auth/oidc/callback',
        params: { member_id: member.member_id },
        outcome: 'responded',
        status: 201,
        details: { member_id: member.member_id, role: 'developer' },
        created_id: member.member_id,
      }),
    ])
    const own = await browser.pages.graphql(
      '{ user { organizations { organizationId role } auditEvents { nodes { route organizationId actor { memberId } } } } }',
    )
    expect(own.body.data.user.organizations).toContainEqual({ organizationId: admin.organizationId, role: 'DEVELOPER' })
    expect(own.body.data.user.auditEvents.nodes).toContainEqual({
      route: '/auth/oidc/callback',
      organizationId: admin.organizationId,
      actor: { memberId: member.member_id },
    })
    const { organizationId } = admin
    expect(await prisma.userMembership.count({ where: { userId, organizationId } })).toBe(1)
    expect((await browser.pages.enter(admin.organizationId)).body.errors).toBeUndefined()
  })

  it('can sign in while the organization is being moved, and becomes a member at a later sign-in', async () => {
    const [admin, other] = [
      await createWithGroupRoles({ dev: 'developer' }),
      await createWithGroupRoles({ dev: 'support' }),
    ]
    const mark = (movingUntil: Date | null) =>
      prisma.member.updateMany({ where: { organizationId: admin.organizationId }, data: { movingUntil } })
    const person = addPerson()

    await mark(new Date('9998-01-01'))
    const { userId, member } = await signIn(admin, person, ['dev'])

    expect(member).toBeNull()
    expect(await memberOf(other, userId)).toMatchObject({ role: 'support' })
    await mark(null)
    expect((await signIn(admin, person, ['dev'])).member).toMatchObject({ role: 'developer' })
  })

  it('is marked with byGroup in GraphQL', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer' })
    await signIn(admin, addPerson(), 'dev')

    const { body } = await admin.graphql('{ members { nodes { role byGroup } } }')

    expect(body.data.members.nodes).toContainEqual({ role: 'DEVELOPER', byGroup: true })
    expect(body.data.members.nodes).toContainEqual({ role: 'ADMIN', byGroup: false })
  })

  it('gets another role when their groups or the roles of their groups change', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer', all: 'viewer' })
    const subject = addPerson()
    await signIn(admin, subject, ['dev'])

    const demoted = await signIn(admin, subject, ['all'])
    await setRoles(admin, { all: 'support' })
    const promoted = await signIn(admin, subject, ['all'])
    const again = await signIn(admin, subject, ['all'])

    expect([demoted, promoted, again].map(({ member }) => member.role)).toEqual(['viewer', 'support', 'support'])
    const entries = await entriesOf(admin, demoted.member.member_id)
    expect(entries.map(({ details }: { details: object }) => details)).toEqual([
      { role: { from: 'viewer', to: 'support' } },
      { role: { from: 'developer', to: 'viewer' } },
      expect.anything(),
    ])
  })

  it('keeps their role if they joined in another way', async () => {
    const admin = await createWithGroupRoles({})
    const subject = addPerson()
    const { userId } = await signIn(admin, subject, [])
    await addMember(admin, { userId }, 'viewer')
    await setRoles(admin, { dev: 'admin' })

    const { member } = await signIn(admin, subject, ['dev'])
    const without = await signIn(admin, subject, [])

    expect(member).toMatchObject({ role: 'viewer', status: 'active', by_group: false })
    expect(without.member).toEqual(member)
  })

  it('stays disabled if somebody disabled them manually, even if a sign-in had disabled them before', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer' })
    const subject = addPerson()
    const { member } = await signIn(admin, subject, ['dev'])
    const disable = () => admin.rest('PATCH', `/org/members/${member.member_id}`, { status: 'disabled' })
    await disable()

    expect((await signIn(admin, subject, ['dev'])).member).toMatchObject({ status: 'disabled', role: 'developer' })

    await admin.rest('PATCH', `/org/members/${member.member_id}`, { status: 'active' })
    expect((await signIn(admin, subject, [])).member).toMatchObject({ status: 'disabled' })
    expect((await disable()).body.status).toBe('disabled')
    expect((await signIn(admin, subject, ['dev'])).member).toMatchObject({ status: 'disabled' })
  })
})

describe('a member who joined through a group and later signs in without one', () => {
  it('is disabled, which ends their console sessions, and is enabled by the next sign-in with a group', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer' })
    const subject = addPerson()
    const { browser, member } = await signIn(admin, subject, ['dev'])
    await browser.pages.enter(admin.organizationId)
    const readPlans = () => browser.pages.graphql('{ plans { key } }', {}, { organizationId: admin.organizationId })
    expect((await readPlans()).body.errors).toBeUndefined()

    const without = await signIn(admin, subject, ['other'])

    expect(without.member).toMatchObject({ status: 'disabled', role: 'developer', by_group: true })
    expect((await readPlans()).body.errors[0].extensions.code).toBe('UNAUTHORIZED')
    expect((await without.browser.pages.enter(admin.organizationId)).body.errors[0].extensions.code).toBe('NOT_FOUND')
    const [entry] = await entriesOf(admin, member.member_id)
    expect(entry).toMatchObject({
      actor: { member_id: member.member_id, auth_type: 'jwt' },
      status: 200,
      details: { status: { from: 'active', to: 'disabled' } },
    })
    expect((await signIn(admin, subject, ['dev'])).member).toMatchObject({ status: 'active', role: 'developer' })
  })

  it('keeps their status and role if they are the last active admin', async () => {
    const admin = await createWithGroupRoles({ ops: 'admin', all: 'viewer' })
    const subject = addPerson()
    const { userId } = await signIn(admin, subject, ['ops'])
    const watching = await service.member(admin.organizationId, 'viewer')
    await admin.rest('DELETE', `/org/members/${admin.memberId}`)
    await prisma.member.updateMany({
      where: { organizationId: admin.organizationId, role: 'admin', serviceAccountId: { not: null } },
      data: { role: 'viewer' },
    })

    await signIn(watching, subject, [])
    expect(await memberOf(watching, userId)).toMatchObject({ role: 'admin', status: 'active' })
    await signIn(watching, subject, ['all'])
    expect(await memberOf(watching, userId)).toMatchObject({ role: 'admin', status: 'active' })
  })

  it.each([undefined, null, 7, { dev: true }, []])(
    'is disabled, with OIDC_GROUPS_REQUIRED, if the groups claim is %j, until a sign-in names a group',
    async (groups) => {
      const admin = await createWithGroupRoles({ dev: 'developer' })
      const subject = addPerson()
      const { userId } = await signIn(admin, subject, ['dev'])
      provider.change(subject, { name: 'Ada', groups })

      await new OidcBrowser(serviceRequiringGroups).signIn(provider, subject)

      expect(await memberOf(admin, userId)).toMatchObject({ status: 'disabled', role: 'developer' })
      provider.change(subject, { name: 'Ada', groups: 'dev' })
      await new OidcBrowser(serviceRequiringGroups).signIn(provider, subject)
      expect(await memberOf(admin, userId)).toMatchObject({ status: 'active', role: 'developer' })
    },
  )

  it.each([undefined, null, 7, { dev: true }])(
    'keeps their status and role if the groups claim of the sign-in is %j',
    async (groups) => {
      const admin = await createWithGroupRoles({ dev: 'developer' })
      const subject = addPerson()
      const { member } = await signIn(admin, subject, ['dev'])

      expect((await signIn(admin, subject, groups)).member).toEqual(member)
    },
  )
})

describe('with concurrent writes,', () => {
  it('several sign-ins of one person create one member', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer' })
    const subject = provider.add({ name: 'Ada', groups: ['dev'] })
    const browsers = Array.from({ length: 4 }, () => new OidcBrowser(service))
    const backs: string[] = []
    for (const browser of browsers) {
      backs.push(await browser.visit(provider, subject, (await browser.start()).location as string))
    }

    const replies = await Promise.all(browsers.map((browser, index) => browser.get(backs[index] as string)))

    expect(
      replies.map(({ status }) => status),
      JSON.stringify(log),
    ).toEqual([303, 303, 303, 303])
    const { body } = await admin.rest('GET', '/org/members')
    expect(body.members.filter((each: { by_group: boolean }) => each.by_group)).toHaveLength(1)
  })

  it('a sign-in and a change of the group roles act as if one came after the other', async () => {
    const admin = await createWithGroupRoles({ dev: 'developer' })
    const subject = addPerson()
    const { userId } = await signIn(admin, subject, ['dev'])
    for (const role of ['viewer', 'support', 'viewer', 'support']) {
      const before = await memberOf(admin, userId)
      await Promise.all([signIn(admin, subject, ['dev']), setRoles(admin, { dev: role })])
      expect([before.role, role]).toContain((await memberOf(admin, userId)).role)
      expect((await signIn(admin, subject, ['dev'])).member.role).toBe(role)
    }
  })

  it('a sign-in without a group and the removal of the other admin leave one admin', async () => {
    const admin = await createWithGroupRoles({ ops: 'admin' })
    const subject = addPerson()
    const { userId } = await signIn(admin, subject, ['ops'])
    const { organizationId } = admin
    await prisma.member.updateMany({
      where: { organizationId, serviceAccountId: { not: null }, NOT: { id: admin.memberId } },
      data: { role: 'viewer' },
    })
    provider.change(subject, { groups: [] })
    const browser = new OidcBrowser(service)
    const back = await browser.visit(provider, subject, (await browser.start()).location as string)

    await Promise.all([browser.get(back), admin.rest('DELETE', `/org/members/${admin.memberId}`)])

    const remainingAdmins = await prisma.member.count({ where: { organizationId, role: 'admin', status: 'active' } })
    expect(remainingAdmins).toBe(1)
    expect(userId).not.toBe('')
  })
})

describe('LOCAL_SIGN_IN=false', () => {
  it('makes sign-in and sign-up 404 in both APIs, with a message that names the other way to sign in', async () => {
    const strict = await startService({ ...trustedLoopback, ...provider.env, LOCAL_SIGN_IN: 'false' })
    const credentials = { email: 'a@example.org', password: 'correct horse' }

    const answers = [
      await send(`${strict.url}/user/sign-in`, 'POST', credentials),
      await send(`${strict.url}/user/sign-up`, 'POST', { ...credentials, display_name: 'A' }),
    ]

    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body.error).toMatchObject({ code: 'NOT_FOUND', details: null })
      expect(body.error.message).toContain('sign-in page')
    }
    const browser = new OidcBrowser(strict)
    const signIn = 'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }'
    const signUp = 'mutation ($input: SignUpInput!) { signUp(input: $input) { userId } }'
    for (const refused of [
      await browser.pages.graphql(signIn, { input: credentials }),
      await browser.pages.graphql(signUp, { input: { ...credentials, displayName: 'A' } }),
    ]) {
      expect(refused.body.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', details: null })
    }
    expect((await send(`${strict.url}/service`, 'GET', undefined, newAddress())).body).toMatchObject({
      local_sign_in: false,
    })
    expect((await browser.signIn(provider, addPerson())).status).toBe(303)
    expect((await browser.pages.graphql('{ user { userId } }')).body.errors).toBeUndefined()
  })

  it('makes a process refuse sessions that began with a password; processes without it still accept them', async () => {
    const strict = await startService({ ...trustedLoopback, ...provider.env, LOCAL_SIGN_IN: 'false' })
    const person = await signUp(service)
    const browser = new Browser(service)
    await browser.signIn(person)
    const create = 'mutation { createOrganization(input: { name: "Mine" }) { organizationId } }'
    const { organizationId } = (await browser.graphql(create)).body.data.createOrganization
    await browser.enter(organizationId)
    const elsewhere = new Browser(strict)
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
    const codes = async (at: typeof browser) => {
      const own = await at.graphql('{ user { userId } }')
      const members = await at.graphql('{ plans { key } }', {}, { organizationId })
      return [own, members].map(({ body }) => body.errors?.[0].extensions.code)
    }

    expect(await codes(elsewhere)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED'])
    expect((await personOf(strict, person).rest('GET', '/user')).status).toBe(401)
    expect((await personOf(strict, person).rest('POST', '/user/password', {})).status).toBe(401)
    expect(await codes(browser)).toEqual([undefined, undefined])
    expect((await person.rest('GET', '/user')).status).toBe(200)
  })
})
