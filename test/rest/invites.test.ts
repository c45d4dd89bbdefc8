import { describe, expect, it } from 'vitest'
import { timestamp, ulid } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { sharedService, startService } from '../support/service.ts'

const service = await sharedService()

describe('invites', () => {
  it('are links valid for 7 days, shown on creation and in the list', async () => {
    const admin = await service.organization()

    const answer = await admin.rest('POST', '/org/invites', { role: 'support', email: 'Bob@example.org', extra: 1 })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      invite_id: ulid,
      role: 'support',
      email: 'Bob@example.org',
      link: expect.stringMatching(new RegExp(`^${service.url}/join#inv_\\w{49}$`)),
      expires_at: timestamp,
      created_at: timestamp,
    })
    expect(Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at)).toBe(7 * 86_400_000)
    expect((await admin.rest('GET', '/org/invites')).body).toEqual({ invites: [answer.body], has_more: false })
  })

  it('begin with PUBLIC_URL if it is set', async () => {
    const published = await startService({ PUBLIC_URL: 'https://console.example/' })
    const admin = await published.organization()

    const { body } = await admin.rest('POST', '/org/invites', { role: 'viewer' })

    expect(body.link).toMatch(/^https:\/\/console\.example\/join#inv_/)
    expect(body.email).toBeNull()
  })

  it('are stored encrypted, so that a copy of the database admits nobody', async () => {
    const admin = await service.organization()
    const { body } = await admin.rest('POST', '/org/invites', { role: 'viewer', email: null })

    const { rows } = await service.database.pool.query(
      `select i::text || encode(encrypted_token, 'escape') as row from invite i where invite_id = $1`,
      [body.invite_id],
    )

    expect(rows).toHaveLength(1)
    expect(rows[0].row).not.toContain(/inv_\w+/.exec(body.link)?.[0])
    expect(rows[0].row).not.toContain('inv_')
  })

  it('disappear from the list when they are revoked, and are 404 from then on', async () => {
    const admin = await service.organization()
    const { body } = await admin.rest('POST', '/org/invites', { role: 'viewer' })
    const path = `/org/invites/${body.invite_id}`

    const answer = await admin.rest('DELETE', path)

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await admin.rest('GET', '/org/invites')).body).toEqual({ invites: [], has_more: false })
    expectRefusal(await admin.rest('DELETE', path), 'NOT_FOUND', { resource: 'invite', id: body.invite_id })
  })

  it('are refused for an unknown role or a malformed e-mail address', async () => {
    const admin = await service.organization()

    const wrong = await admin.rest('POST', '/org/invites', { role: 'owner', email: 'nobody' })

    expectInvalid(wrong, ['role', /one of admin/], ['email', /e-mail address/])
  })
})

describe('PATCH /org', () => {
  it('renames the organization', async () => {
    const admin = await service.organization()
    const { body: before } = await admin.rest('GET', '/org')

    const same = await admin.rest('PATCH', '/org', { name: 'Acme', extra: 1 })
    const renamed = await admin.rest('PATCH', '/org', { name: 'Ajax' })

    expect([same.status, same.body]).toEqual([200, before])
    expect([renamed.status, renamed.body]).toEqual([200, { ...before, name: 'Ajax', updated_at: timestamp }])
    expect((await admin.rest('GET', '/org')).body).toEqual(renamed.body)
    expectInvalid(await admin.rest('PATCH', '/org', { name: '' }), ['name', /1 to 255/])
  })
})
