import { describe, expect, it } from 'vitest'
import { newToken } from '../../src/access/token.ts'
import { version } from '../../src/core/version.ts'
import { timestamp } from '../support/matchers.ts'
import { newAddress, signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { send, sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)

function ask(query: string, variables: object = {}, headers = newAddress()) {
  return send(`${service.url}/graphql`, 'POST', { query, variables }, headers)
}

describe('facts about the service', () => {
  it('are public in both APIs: its version, who may sign up, and how people sign in', async () => {
    const rest = await send(`${service.url}/service`, 'GET', undefined, newAddress())
    const graphql = await ask('{ service { version signUp oidc { name } localSignIn } }')

    expect([rest.status, rest.body]).toEqual([200, { version, sign_up: 'open', oidc: null, local_sign_in: true }])
    expect(graphql.body).toEqual({ data: { service: { version, signUp: 'OPEN', oidc: null, localSignIn: true } } })
  })

  it('may be requested 60 times a minute from an address, without using up its attempts to sign in', async () => {
    const headers = newAddress()

    for (let n = 0; n < 60; n++) {
      expect((await send(`${service.url}/service`, 'GET', undefined, headers)).status).toBe(200)
    }

    const refused = await send(`${service.url}/service`, 'GET', undefined, headers)
    const seconds = refused.body.error.details.retry_after_seconds
    expectRefusal(refused, 'RATE_LIMITED', { retry_after_seconds: seconds }, /from your address/)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    const { body } = await ask('{ service { version } }', {}, headers)
    expect(body.errors[0].extensions.code).toBe('RATE_LIMITED')
    const signIn = { email: 'nobody@example.org', password: 'wrong password' }
    expectRefusal(await send(`${service.url}/user/sign-in`, 'POST', signIn, headers), 'UNAUTHORIZED', null)
  })
})

describe('an invitation', () => {
  const query = 'query ($token: String!) { invitation(token: $token) { organizationName role expiresAt } }'

  async function invited() {
    const caller = await service.organization()
    await caller.rest('PATCH', '/org', { name: 'Acme & Sons' })
    const { body } = await caller.rest('POST', '/org/invites', { role: 'support', email: 'bob@example.org' })
    return { caller, inviteId: body.invite_id, token: body.link.split('#')[1] as string }
  }

  it('names the organization and role of a live invite to anyone with the token', async () => {
    const { token } = await invited()

    expect((await ask(query, { token })).body).toEqual({
      data: { invitation: { organizationName: 'Acme & Sons', role: 'SUPPORT', expiresAt: timestamp } },
    })
  })

  it('is not found if the invite was used or revoked, has expired, or never existed', async () => {
    const [used, revoked, expired] = [await invited(), await invited(), await invited()]
    const person = await signUp(service)
    await person.rest('POST', '/user/organizations/join', { invite: used.token })
    await revoked.caller.rest('DELETE', `/org/invites/${revoked.inviteId}`)
    await service.database.pool.query('update invite set expires_at = now() where invite_id = $1', [expired.inviteId])

    for (const token of [used.token, revoked.token, expired.token, newToken('inv').text, 'inv_x', '']) {
      const { body } = await ask(query, { token })
      expect(body.data).toEqual({ invitation: null })
      expect(body.errors[0].extensions).toMatchObject({
        code: 'NOT_FOUND',
        details: { resource: 'invite', id: null },
      })
      if (token) expect(JSON.stringify(body)).not.toContain(token)
    }
  })

  it('can be read without an entry in the audit log', async () => {
    const { caller, token } = await invited()
    const before = (await caller.rest('GET', '/org/audit-events')).body.audit_events.length

    await ask(query, { token })

    expect((await caller.rest('GET', '/org/audit-events')).body.audit_events).toHaveLength(before)
  })
})
