import { afterAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await startService()
const { pool } = service.database
const triggers: string[] = []

/** From now on the audit log refuses this organization's rows, and no one else's. */
async function breakAuditLog({ organizationId }: Caller, when: 'insert' | 'update'): Promise<void> {
  const name = `refuse_${when}_${organizationId.toLowerCase()}`
  triggers.push(name)
  await pool.query(`
    create function ${name}() returns trigger language plpgsql as $$ begin raise 'the disk is full' using errcode = '53100'; end $$;
    create trigger ${name} before ${when} on audit_event for each row
      when (new.organization_id = '${organizationId}') execute function ${name}()`)
}

afterAll(async () => {
  for (const name of triggers) await pool.query(`drop function if exists ${name}() cascade`)
})

async function organization(): Promise<Caller> {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('x', colors)
  await given.feature('unused')
  await given.plan('x', { x: { kind: 'config', value: 'red' } })
  await given.plan('free')
  await given.subscriber('x')
  await given.subscribe('x', 'x')
  await given.override('x', 'x', { kind: 'config', value: 'red' })
  await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  return caller
}

/** Each write with a body that it would take. */
const bodies: Record<string, unknown> = {
  createFeature: { key: 'new', name: 'New', kind: 'flag' },
  updateFeature: { name: 'New' },
  createPlan: { key: 'new', name: 'New' },
  updatePlan: { name: 'New' },
  createSubscriber: { subscriber_id: 'new' },
  updateSubscriber: { name: 'New' },
  createSubscription: { plan_id: 'free' },
  changeSubscription: { plan_id: 'free' },
  putOverride: { kind: 'config', value: 'green' },
  putWebhook: { url: 'https://other.example/' },
}

const writes = restRoutes
  .map(({ operation }) => operation)
  .filter((operation) => operation.kind === 'write' && operation.service === 'api')

describe('a write that cannot be recorded', () => {
  it('is 503 and changes nothing, whichever it is; reads and evals go on', async () => {
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

  it('is 503 before 422, 404 and 409, and where 403, 400, 413 or 415 cannot be recorded', async () => {
    const caller = await organization()
    const viewer = await service.member(caller.organizationId, 'viewer')
    await breakAuditLog(caller, 'insert')

    for (const answer of [
      await caller.rest('POST', '/org/features', { nonsense: 1 }),
      await caller.rest('DELETE', '/org/features/nope'),
      await caller.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' }),
      await viewer.rest('DELETE', '/org/features/x'),
      await caller.rest('POST', '/org/features', '{'),
      await caller.rest('POST', '/org/features', 'a', { 'content-type': 'text/plain' }),
      await caller.rest('POST', '/org/features', 'x'.repeat(2_000_000)),
    ]) {
      expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    }
    expectRefusal(await caller.rest('POST', '/org/nope', {}), 'NOT_FOUND', null)
    const evaluator = await service.member(caller.organizationId, 'evaluator')
    expectRefusal(await evaluator.rest('GET', '/org/features'), 'FORBIDDEN', { required_labels: ['features:read'] })
  })

  it('is undone when its outcome cannot be recorded', async () => {
    const caller = await organization()
    const before = await stateOf(service.database, caller.organizationId)
    await breakAuditLog(caller, 'update')

    for (const { name, method, route } of writes) {
      const place = name === 'deleteFeature' ? 'unused' : name === 'deletePlan' ? 'free' : 'x'
      const answer = await caller.rest(method, route.replaceAll(/\{\w+\}/g, place), bodies[name])
      if (answer.status < 500) expect([404, 409]).toContain(answer.status)
      else expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    }

    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
  })

  it("leaves other organizations' writes alone", async () => {
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
