import { describe, expect, it } from 'vitest'
import { timestamp, ulid } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { callerOf, sharedService, startService } from '../support/service.ts'

const service = await sharedService()
const other = await startService()

async function createAccount(role = 'viewer') {
  const admin = await service.organization()
  const { body } = await admin.rest('POST', '/org/service-accounts', { name: 'CI', role })
  return { admin, account: body, path: `/org/service-accounts/${body.service_account_id}` }
}

describe('service accounts', () => {
  it('are created together with their member', async () => {
    const admin = await service.organization()

    const answer = await admin.rest('POST', '/org/service-accounts', { name: 'CI', role: 'evaluator', extra: 1 })

    const { service_account_id: id, member_id: memberId } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      service_account_id: ulid,
      member_id: ulid,
      name: 'CI',
      role: 'evaluator',
      created_at: timestamp,
      updated_at: timestamp,
    })
    expect((await admin.rest('GET', `/org/service-accounts/${id}`)).body).toEqual(answer.body)
    expect((await admin.rest('GET', `/org/members/${memberId}`)).body).toMatchObject({
      user_id: null,
      service_account_id: id,
      display_name: 'CI',
      email: null,
      role: 'evaluator',
    })
    const wrong = await admin.rest('POST', '/org/service-accounts', { name: '' })
    expectInvalid(wrong, ['name', /1 to 255/], ['role', /required/])
  })

  it('are renamed with their member', async () => {
    const { admin, account: before, path } = await createAccount()

    const same = await admin.rest('PATCH', path, { name: 'CI' })
    const renamed = await admin.rest('PATCH', path, { name: 'Robot' })

    expect(same.body).toEqual(before)
    expect([renamed.status, renamed.body]).toEqual([200, { ...before, name: 'Robot', updated_at: timestamp }])
    expect((await admin.rest('GET', `/org/members/${before.member_id}`)).body.display_name).toBe('Robot')
  })

  it('are deleted with their keys and their member', async () => {
    const { admin, account: gone, path } = await createAccount()
    const { body: createdKey } = await admin.rest('POST', `${path}/api-keys`, { name: 'first' })

    const answer = await admin.rest('DELETE', path)

    expect([answer.status, answer.body]).toEqual([204, undefined])
    const caller = callerOf(other.url, { ...admin, key: createdKey.key })
    expect((await caller.rest('GET', '/org')).status).toBe(401)
    for (const at of [path, `${path}/api-keys`]) {
      const id = gone.service_account_id
      expectRefusal(await admin.rest('GET', at), 'NOT_FOUND', { resource: 'service_account', id })
    }
    expect((await admin.rest('GET', `/org/members/${gone.member_id}`)).status).toBe(404)
  })
})

describe('API keys', () => {
  it('are shown once, and listed by prefix', async () => {
    const { admin, path } = await createAccount()

    const answer = await admin.rest('POST', `${path}/api-keys`, { name: 'first', extra: 1 })

    const { key, ...listed } = answer.body
    expect(answer.status).toBe(201)
    expect(key).toMatch(/^ent_[0-9A-Za-z]{49}$/)
    expect(listed).toEqual({
      key_id: ulid,
      key_prefix: key.slice(0, 12),
      name: 'first',
      created_at: timestamp,
      last_used_at: null,
    })
    expect((await admin.rest('GET', `${path}/api-keys`)).body).toEqual({ keys: [listed], has_more: false })
    expectInvalid(await admin.rest('POST', `${path}/api-keys`, {}), ['name', /required/])
  })

  it('act as their service account, and are refused with 401 in every process once they are deleted', async () => {
    const { admin, account: owner, path } = await createAccount()
    const { body: createdKey } = await admin.rest('POST', `${path}/api-keys`, { name: 'first' })
    const caller = callerOf(other.url, { ...admin, memberId: owner.member_id, key: createdKey.key })
    expect((await caller.rest('GET', '/org')).body.organization_id).toBe(admin.organizationId)

    const answer = await admin.rest('DELETE', `${path}/api-keys/${createdKey.key_id}`)

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await caller.rest('GET', '/org')).status).toBe(401)
    expect((await caller.rest('GET', '/org/subscribers/x/entitlements')).status).toBe(401)
    expectRefusal(await admin.rest('DELETE', `${path}/api-keys/${createdKey.key_id}`), 'NOT_FOUND', {
      resource: 'api_key',
      id: createdKey.key_id,
    })
  })

  it('show when a read or an eval last used them, to the minute', async () => {
    const { admin, path } = await createAccount()
    const keys = [
      await admin.rest('POST', `${path}/api-keys`, { name: 'a' }),
      await admin.rest('POST', `${path}/api-keys`, { name: 'b' }),
    ]
    const [reader, asker] = keys.map(({ body }) => callerOf(service.url, { ...admin, key: body.key }))
    const lastUses = async () =>
      (await admin.rest('GET', `${path}/api-keys`)).body.keys.map((key: { last_used_at: string }) => key.last_used_at)

    await reader?.rest('GET', '/org')
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
    await asker?.rest('GET', '/org/subscribers/acme/entitlements')

    await expect.poll(() => lastUses()).toEqual([timestamp, timestamp])
    const before = await lastUses()
    await reader?.rest('GET', '/org')
    await callerOf(other.url, { ...admin, key: keys[0]?.body.key }).rest('GET', '/org')
    await service.organization().then(({ rest }) => rest('GET', '/org'))
    expect(await lastUses()).toEqual(before)
  })

  it('show the last use even while a write holds a lock on their row', async () => {
    const { admin, path } = await createAccount()
    const { body: createdKey } = await admin.rest('POST', `${path}/api-keys`, { name: 'a' })
    const writer = await service.database.pool.connect()
    await writer.query('begin')
    await writer.query('select 1 from api_key where organization_id = $1 and key_id = $2 for key share', [
      admin.organizationId,
      createdKey.key_id,
    ])

    await callerOf(service.url, { ...admin, key: createdKey.key }).rest('GET', '/org')

    const lastUses = async () =>
      (await admin.rest('GET', `${path}/api-keys`)).body.keys.map((key: { last_used_at: string }) => key.last_used_at)
    await expect.poll(lastUses).toEqual([timestamp])
    await writer.query('rollback')
    writer.release()
  })
})
