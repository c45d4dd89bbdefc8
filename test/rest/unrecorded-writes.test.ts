import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { colors, vendor } from '../support/vendor.ts'

// In its own database, because creating a trigger locks the whole table.
const service = await startService({ ...trustedLoopback, DATABASE_URL: await createOwnDatabase() })
const { pool } = service.database

/** Makes the audit log refuse this organization's rows, and only those. Returns a function that undoes it. */
async function breakAuditLog({ organizationId }: Caller, when: 'insert' | 'update'): Promise<() => Promise<unknown>> {
  const name = `refuse_${when}_${organizationId.toLowerCase()}`
  await pool.query(`
    create function ${name}() returns trigger language plpgsql as $$ begin raise 'this log is closed'; end $$;
    create trigger ${name} before ${when} on audit_event for each row
      when (new.organization_id = '${organizationId}') execute function ${name}()`)
  return () => pool.query(`drop function ${name}() cascade`)
}

async function organization(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('x', colors)
  await setup.feature('unused')
  await setup.plan('x', { x: { kind: 'config', value: 'red' } })
  await setup.plan('free')
  await setup.subscriber('x')
  await setup.subscribe('x', 'x')
  await setup.override('x', 'x', { kind: 'config', value: 'red' })
  await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  return caller
}

/** A valid body for each write that takes one, by the operation's name. */
const bodies: Record<string, unknown> = {
  createFeature: { key: 'new', name: 'New', kind: 'flag' },
  updateFeature: { name: 'New' },
  createPlan: { key: 'new', name: 'New' },
  updatePlan: { name: 'New' },
  createSubscriber: { subscriber_id: 'new' },
  updateSubscriber: { name: 'New' },
  importSubscribers: '{"subscriber_id":"new"}',
  createSubscription: { plan_id: 'free' },
  changeSubscription: { plan_id: 'free' },
  putOverride: { kind: 'config', value: 'green' },
  putWebhook: { url: 'https://other.example/' },
  resendEvents: { state: 'failed' },
}

const writes = restRoutes
  .map(({ operation }) => operation)
  .filter(({ kind, service }) => (kind === 'write' || kind === 'bulk_write') && service === 'api')

describe('a write that cannot be recorded', () => {
  it('is 503 and changes nothing, for every operation, while reads and evals are answered', async () => {
    const caller = await organization()
    const before = await stateOf(service.database, caller.organizationId)
    const log = await auditOf(service.database, caller.organizationId)
    await breakAuditLog(caller, 'insert')

    for (const { name, method, route } of writes) {
      const answer = await caller.rest(method, route.replaceAll(/\{\w+\}/g, 'x'), bodies[name])
      expectRefusal(answer, 'SERVICE_UNAVAILABLE', null, /audit log/)
    }

    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
    expect(await auditOf(service.database, caller.organizationId)).toEqual(log)
    expect(await caller.rest('GET', '/org/features')).toMatchObject({ status: 200 })
    expect(await caller.rest('GET', '/org/subscribers/x/entitlements')).toMatchObject({ status: 200 })
    const check = await caller.rest('POST', '/org/subscribers/x/entitlements/check', { feature: 'x' })
    expect(check).toMatchObject({ status: 200, body: { value: 'red' } })
  })

  it('is 503 even if it would be 422, 404 or 409, but not if it is 403, 400, 413 or 415', async () => {
    const caller = await organization()
    const viewer = await service.member(caller.organizationId, 'viewer')
    await breakAuditLog(caller, 'insert')

    for (const answer of [
      await caller.rest('POST', '/org/features', { nonsense: 1 }),
      await caller.rest('DELETE', '/org/features/nope'),
      await caller.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' }),
    ]) {
      expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    }
    const required = { required_labels: ['features:write'] }
    const plain = { 'content-type': 'text/plain' }
    expectRefusal(await viewer.rest('DELETE', '/org/features/x'), 'FORBIDDEN', required)
    expectRefusal(await viewer.rest('POST', '/org/features', 'a', plain), 'FORBIDDEN', required)
    expectRefusal(await caller.rest('POST', '/org/features', '{'), 'INVALID_JSON', null)
    expectRefusal(await caller.rest('POST', '/org/features', 'a', plain), 'UNSUPPORTED_MEDIA_TYPE', null)
    expectRefusal(await caller.rest('POST', '/org/features', 'x'.repeat(2_000_000)), 'BODY_TOO_LARGE', null)
    const { body: inGraphql } = await viewer.graphql('mutation { deleteFeature(input: { key: "x" }) }')
    expect(inGraphql.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', status: 403, details: required })
    expectRefusal(await caller.rest('POST', '/org/nope', {}), 'NOT_FOUND', null)
    const evaluator = await service.member(caller.organizationId, 'evaluator')
    expectRefusal(await evaluator.rest('GET', '/org/features'), 'FORBIDDEN', { required_labels: ['features:read'] })
  })

  it('is rolled back when its outcome cannot be recorded', async () => {
    const caller = await organization()
    const before = await stateOf(service.database, caller.organizationId)
    await breakAuditLog(caller, 'update')

    for (const { name, kind, method, route } of writes) {
      // An import keeps its committed transactions, in which each change has its own entry.
      if (kind === 'bulk_write') continue
      const id = name === 'deleteFeature' ? 'unused' : name === 'deletePlan' ? 'free' : 'x'
      const answer = await caller.rest(method, route.replaceAll(/\{\w+\}/g, id), bodies[name])
      if (answer.status < 500) expect([404, 409]).toContain(answer.status)
      else expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    }

    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
  })

  it("is 503 and rolled back for joining and signing in if the organization's log refuses the entry", async () => {
    const caller = await organization()
    const [member, person] = [await signUp(service), await signUp(service)]
    await addMember(caller, member, 'viewer')
    const { body: invite } = await caller.rest('POST', '/org/invites', { role: 'viewer' })
    const join = () => person.rest('POST', '/user/organizations/join', { invite: invite.link.split('#')[1] })
    const mend = await breakAuditLog(caller, 'insert')

    const signIn = await member.rest('POST', `/user/organizations/${caller.organizationId}/sign-in`)
    expectRefusal(signIn, 'SERVICE_UNAVAILABLE', null, /audit log/)
    expectRefusal(await join(), 'SERVICE_UNAVAILABLE', null, /audit log/)

    const { rows: sessions } = await service.database.pool.query(
      'select 1 from console_session where organization_id = $1',
      [caller.organizationId],
    )
    expect(sessions).toEqual([])
    for (const { rest } of [member, person]) {
      const { body } = await rest('GET', '/user/audit-events')
      expect(body.audit_events).toMatchObject([{ outcome: 'responded', status: 503, organization_id: null }])
    }
    await mend()
    expect(await join()).toMatchObject({ status: 200 })
  })

  it('does not affect the writes of other organizations', async () => {
    const caller = await organization()
    await breakAuditLog(await organization(), 'insert')

    await vendor(caller).feature('another')
    expect((await auditOf(service.database, caller.organizationId)).at(-1)).toEqual({
      method: 'POST',
      route: '/org/features',
      outcome: 'responded',
      status: 201,
    })
  })
})
