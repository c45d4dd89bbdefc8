import { describe, expect, it } from 'vitest'
import { addMember, type Person, signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)
const { prisma } = service.database

const pathOf = (organizationId: string) => `/user/organizations/${organizationId}`
const signInTo = (person: Person, organizationId: string) => person.rest('POST', `${pathOf(organizationId)}/sign-in`)
const leave = (person: Person, organizationId: string) => person.rest('DELETE', pathOf(organizationId))

/** Creates an organization with two admins: its creator, who signed in, and a person who was added and never signed in. */
async function addUnseenAdmin() {
  const [creator, person] = [await signUp(service), await signUp(service)]
  const { body } = await creator.rest('POST', '/user/organizations', { name: 'Mine' })
  const organizationId: string = body.organization_id
  await signInTo(creator, organizationId)
  const program = await service.member(organizationId, 'admin')
  const memberId = await addMember(program, person, 'admin')
  await prisma.member.update({
    where: { organizationId_id: { organizationId, id: program.memberId } },
    data: { role: 'viewer' },
  })
  return { creator, creatorId: body.member_id as string, person, memberId, organizationId, program }
}

const names = async ({ organizationId }: { organizationId: string }) =>
  (await prisma.member.findMany({ where: { organizationId, serviceAccountId: null }, orderBy: { id: 'asc' } })).map(
    ({ id, role, status }) => `${id} ${role} ${status}`,
  )

describe('an admin who never signed in to the organization', () => {
  it('does not count as a remaining admin when another admin leaves or deletes their account', async () => {
    const { creator, creatorId, person, organizationId } = await addUnseenAdmin()
    const refusal = ['CONFLICT', { field: 'member_id', value: creatorId }, /signed in/] as const

    expectRefusal(await leave(creator, organizationId), ...refusal)
    expectRefusal(await creator.rest('DELETE', '/user'), ...refusal)
    const mutation = 'mutation ($input: LeaveOrganizationInput!) { leaveOrganization(input: $input) }'
    const inGraphql = await creator.graphql(mutation, { input: { organizationId } })
    expect(inGraphql.body.errors[0].extensions).toMatchObject({ code: 'CONFLICT', details: refusal[1] })
    expect((await creator.graphql('mutation { deleteUser }')).body.errors[0].extensions.code).toBe('CONFLICT')

    expect((await signInTo(person, organizationId)).status).toBe(200)
    expect((await leave(creator, organizationId)).status).toBe(204)
    expectRefusal(await leave(person, organizationId), 'CONFLICT', { field: 'member_id', value: expect.any(String) })
  })

  it('does not count as a remaining admin even if they joined with an invite, or a group made them an admin', async () => {
    const { creator, organizationId, program, person, memberId } = await addUnseenAdmin()
    await prisma.member.updateMany({ where: { organizationId, id: program.memberId }, data: { role: 'admin' } })
    const { body } = await program.rest('POST', '/org/invites', { role: 'admin' })
    const guest = await signUp(service)
    await guest.rest('POST', '/user/organizations/join', { invite: body.link.split('#')[1] })
    await prisma.member.updateMany({ where: { organizationId, id: program.memberId }, data: { role: 'viewer' } })
    await prisma.member.updateMany({ where: { organizationId, id: memberId }, data: { byGroup: true } })

    expect((await leave(creator, organizationId)).status).toBe(409)
    await signInTo(guest, organizationId)
    expect((await leave(creator, organizationId)).status).toBe(204)
    expect((await leave(person, organizationId)).status).toBe(204)
  })

  it('does not count as a remaining admin when a service account is demoted, disabled or deleted', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    await addMember(admin, person, 'admin')
    const path = `/org/members/${admin.memberId}`
    const account = (await admin.rest('GET', path)).body.service_account_id

    const attempts = () => [
      admin.rest('PATCH', path, { role: 'viewer' }),
      admin.rest('PATCH', path, { status: 'disabled' }),
      admin.rest('DELETE', path),
      admin.rest('DELETE', `/org/service-accounts/${account}`),
    ]

    for (const answer of await Promise.all(attempts())) expect(answer.status).toBe(409)
    await signInTo(person, admin.organizationId)
    expect((await admin.rest('DELETE', path)).status).toBe(204)
  })

  it('can be demoted, disabled and removed by another admin', async () => {
    const admin = await service.organization()
    for (const change of [{ role: 'viewer' }, { status: 'disabled' }]) {
      const memberId = await addMember(admin, await signUp(service), 'admin')
      expect((await admin.rest('PATCH', `/org/members/${memberId}`, change)).status).toBe(200)
    }
    const memberId = await addMember(admin, await signUp(service), 'admin')
    expect((await admin.rest('DELETE', `/org/members/${memberId}`)).status).toBe(204)
  })

  it('may leave or delete their account, even as the only active admin', async () => {
    const [one, two] = [await addUnseenAdmin(), await addUnseenAdmin()]
    await prisma.member.updateMany({
      where: { OR: [one, two].map(({ organizationId, creatorId: id }) => ({ organizationId, id })) },
      data: { status: 'disabled' },
    })

    expect((await leave(one.person, one.organizationId)).status).toBe(204)
    expect((await two.person.rest('DELETE', '/user')).status).toBe(204)

    expect(await names(one)).toEqual([`${one.creatorId} admin disabled`])
    expect(await names(two)).toEqual([`${two.creatorId} admin disabled`])
  })

  it('may not leave the organization that they created themselves', async () => {
    const creator = await signUp(service)
    const { body } = await creator.rest('POST', '/user/organizations', { name: 'Mine' })

    const refusal = ['CONFLICT', { field: 'member_id', value: body.member_id }] as const
    expectRefusal(await leave(creator, body.organization_id), ...refusal)
    expectRefusal(await creator.rest('DELETE', '/user'), ...refusal)
  })

  it('is the one who may leave when both admins leave at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { creator, person, organizationId } = await addUnseenAdmin()

      const answers = await Promise.all([leave(creator, organizationId), leave(person, organizationId)])

      expect(answers.map(({ status }) => status)).toEqual([409, 204])
    }
  })

  it('counts as a remaining admin once they have signed in, even without any other action in the console', async () => {
    const { creator, person, organizationId, memberId } = await addUnseenAdmin()

    await signInTo(person, organizationId)
    await person.rest('POST', `${pathOf(organizationId)}/sign-out`)

    expect((await leave(creator, organizationId)).status).toBe(204)
    expect(await names({ organizationId })).toEqual([`${memberId} admin active`])
  })

  it('does not count as a remaining admin if they signed in only before they were removed and added again', async () => {
    const { creator, person, organizationId, program, memberId } = await addUnseenAdmin()
    await signInTo(person, organizationId)
    await prisma.member.updateMany({ where: { organizationId, id: program.memberId }, data: { role: 'admin' } })
    await program.rest('DELETE', `/org/members/${memberId}`)
    await addMember(program, person, 'admin')
    await prisma.member.updateMany({ where: { organizationId, id: program.memberId }, data: { role: 'viewer' } })

    expect((await leave(creator, organizationId)).status).toBe(409)
  })
})
