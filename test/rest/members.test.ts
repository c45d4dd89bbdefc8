import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { startPatientService } from '../support/patient-service.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { untilOthersWaitFor } from '../support/race.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Answer, callerOf } from '../support/service.ts'

const service = await startPatientService(trustedLoopback)
const other = await startPatientService(trustedLoopback)

describe('POST /org/members', () => {
  it('makes a person a member by their user id', async () => {
    const admin = await service.organization()
    const person = await signUp(service)

    const answer = await admin.rest('POST', '/org/members', { user_id: person.userId, role: 'support', extra: 1 })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      member_id: ulid,
      user_id: person.userId,
      service_account_id: null,
      display_name: 'Ada',
      email: person.email,
      role: 'support',
      status: 'active',
      by_group: false,
      created_at: timestamp,
      updated_at: timestamp,
    })
    expect((await admin.rest('GET', `/org/members/${answer.body.member_id}`)).body).toEqual(answer.body)
    const again = await admin.rest('POST', '/org/members', { user_id: person.userId, role: 'admin' })
    expectRefusal(again, 'CONFLICT', { field: 'user_id', value: person.userId })
  })

  it('refuses an unknown user and invalid fields', async () => {
    const admin = await service.organization()
    const unknown = newId()

    const answer = await admin.rest('POST', '/org/members', { user_id: unknown, role: 'viewer' })
    const wrong = await admin.rest('POST', '/org/members', { role: 'owner' })

    expectRefusal(answer, 'NOT_FOUND', { resource: 'user', id: unknown })
    expectInvalid(wrong, ['user_id', /required/], ['role', /one of admin, developer, support, viewer, evaluator/])
  })
})

describe('PATCH /org/members/{member_id}', () => {
  it('changes role, status and name, and keeps updated_at when nothing changes', async () => {
    const admin = await service.organization()
    const memberId = await addMember(admin, await signUp(service), 'viewer')
    const { body: before } = await admin.rest('GET', `/org/members/${memberId}`)
    const change = { role: 'developer', status: 'disabled', display_name: 'Countess' }

    const same = await admin.rest('PATCH', `/org/members/${memberId}`, { role: 'viewer', extra: 1 })
    const changed = await admin.rest('PATCH', `/org/members/${memberId}`, change)

    expect([same.status, same.body]).toEqual([200, before])
    expect([changed.status, changed.body]).toEqual([200, { ...before, ...change, updated_at: timestamp }])
    expect(changed.body.updated_at > before.updated_at).toBe(true)
    const wrong = await admin.rest('PATCH', `/org/members/${memberId}`, { status: 'gone', role: null })
    expectInvalid(wrong, ['role', /one of admin/], ['status', /active or disabled/])
  })

  it('takes effect from the next request on, in every process', async () => {
    const admin = await service.organization()
    const developer = await service.member(admin.organizationId, 'developer')
    const there = callerOf(other.url, developer)
    const feature = () => ({ key: newId().toLowerCase(), name: 'A', kind: 'flag' })

    expect((await there.rest('POST', '/org/features', feature())).status).toBe(201)
    await admin.rest('PATCH', `/org/members/${developer.memberId}`, { role: 'viewer' })
    expect((await there.rest('POST', '/org/features', feature())).status).toBe(403)
    await admin.rest('PATCH', `/org/members/${developer.memberId}`, { status: 'disabled' })
    expect((await there.rest('GET', '/org/features')).status).toBe(401)
    expect((await there.rest('GET', '/org/subscribers/x/entitlements')).status).toBe(401)
    await admin.rest('PATCH', `/org/members/${developer.memberId}`, { status: 'active' })
    expect((await there.rest('GET', '/org/features')).status).toBe(200)
  })
})

describe('the last active admin', () => {
  it('cannot be demoted, disabled or deleted, even if it is a service account', async () => {
    const admin = await service.organization()
    const path = `/org/members/${admin.memberId}`

    expectRefusal(await admin.rest('PATCH', path, { role: 'viewer', status: 'disabled' }), 'CONFLICT', {
      field: 'role',
      value: 'viewer',
    })
    expectRefusal(await admin.rest('PATCH', path, { status: 'disabled' }), 'CONFLICT', {
      field: 'status',
      value: 'disabled',
    })
    expectRefusal(await admin.rest('DELETE', path), 'CONFLICT', { field: 'member_id', value: admin.memberId })
    const { service_account_id: accountId } = (await admin.rest('GET', path)).body
    expectRefusal(await admin.rest('DELETE', `/org/service-accounts/${accountId}`), 'CONFLICT', {
      field: 'member_id',
      value: admin.memberId,
    })

    const second = await service.member(admin.organizationId, 'admin')
    await second.rest('PATCH', `/org/members/${second.memberId}`, { status: 'disabled' })
    expect((await admin.rest('PATCH', path, { role: 'viewer' })).status).toBe(409)
    await admin.rest('PATCH', `/org/members/${second.memberId}`, { status: 'active' })
    expect((await admin.rest('PATCH', path, { role: 'viewer' })).status).toBe(200)
  })

  it('stays an admin when the last two demote themselves at once', async () => {
    const first = await service.organization()
    const second = callerOf(other.url, await service.member(first.organizationId, 'admin'))

    const answers = await atOnce(
      first.organizationId,
      () => first.rest('PATCH', `/org/members/${first.memberId}`, { role: 'viewer' }),
      () => second.rest('PATCH', `/org/members/${second.memberId}`, { role: 'viewer' }),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  /** Sends the requests so that all of them are authenticated, and then wait for the lock on the organization. */
  async function atOnce(organizationId: string, ...requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const holder = await service.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from organization where organization_id = $1 for no key update', [organizationId])
    const answering = Promise.all(requests.map((request) => request()))
    await untilOthersWaitFor(holder, requests.length)
    await holder.query('commit')
    holder.release()
    return answering
  }
})

describe('DELETE /org/members/{member_id}', () => {
  it('removes a person and keeps their account', async () => {
    const admin = await service.organization()
    const person = await signUp(service)
    const memberId = await addMember(admin, person, 'viewer')

    const answer = await admin.rest('DELETE', `/org/members/${memberId}`)

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await person.rest('GET', '/user')).status).toBe(200)
    expect((await person.rest('GET', '/user/organizations')).body).toEqual({ organizations: [] })
    expect((await admin.rest('DELETE', `/org/members/${memberId}`)).status).toBe(404)
    expect(await addMember(admin, person, 'viewer')).not.toBe(memberId)
  })

  it('also removes the service account, whose keys are 401 from then on', async () => {
    const admin = await service.organization()
    const viewer = await service.member(admin.organizationId, 'viewer')
    const { service_account_id: id } = (await admin.rest('GET', `/org/members/${viewer.memberId}`)).body

    await admin.rest('DELETE', `/org/members/${viewer.memberId}`)

    expect((await viewer.rest('GET', '/org')).status).toBe(401)
    expectRefusal(await admin.rest('GET', `/org/service-accounts/${id}`), 'NOT_FOUND', {
      resource: 'service_account',
      id,
    })
  })
})
