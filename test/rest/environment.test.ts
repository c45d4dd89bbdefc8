import { describe, expect, it } from 'vitest'
import { readLog } from '../support/audit.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)

describe('the environment of an organization', () => {
  it('is absent unless it is set, and every change is recorded', async () => {
    const caller = await service.organization()
    expect((await caller.rest('GET', '/org')).body).not.toHaveProperty('environment')

    const set = await caller.rest('PATCH', '/org', { environment: 'test' })
    expect(set.body).toMatchObject({ name: 'Acme', environment: 'test' })
    expect((await readLog(caller))[0]).toMatchObject({ details: { environment: { from: null, to: 'test' } } })
    expect((await caller.rest('GET', '/org')).body.environment).toBe('test')

    const live = await caller.graphql('mutation { updateOrganization(input: { environment: LIVE }) { environment } }')
    expect(live.body.data.updateOrganization).toEqual({ environment: 'LIVE' })

    const cleared = await caller.rest('PATCH', '/org', { environment: null })
    expect(cleared.body).not.toHaveProperty('environment')
    expect((await readLog(caller))[0]).toMatchObject({ details: { environment: { from: 'live', to: null } } })
  })

  it("is included in a person's list of organizations", async () => {
    const caller = await service.organization()
    const person = await signUp(service)
    await addMember(caller, person, 'viewer')
    const listed = async () => (await person.rest('GET', '/user/organizations')).body.organizations[0]
    expect(await listed()).not.toHaveProperty('environment')

    await caller.rest('PATCH', '/org', { environment: 'test' })

    expect(await listed()).toMatchObject({ organization_id: caller.organizationId, environment: 'test' })
  })

  it('must be live, test or null', async () => {
    const caller = await service.organization()
    for (const environment of ['LIVE', 'staging', '', 1, []])
      expectInvalid(await caller.rest('PATCH', '/org', { environment }), ['environment', /live/])
  })

  it('cannot be changed by a viewer', async () => {
    const caller = await service.organization('viewer')
    const answer = await caller.rest('PATCH', '/org', { environment: 'live' })
    expectRefusal(answer, 'FORBIDDEN', { required_labels: ['org:write'] })
  })
})
