import { beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '../../src/operation/observation.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { type Caller, type LogEntry, startService } from '../support/service.ts'

const observations: Observation[] = []
const log: LogEntry[] = []
const service = await startService(
  { LOG_LEVEL: 'error', DATABASE_URL: await createOwnDatabase() },
  log,
  (observation) => observations.push(observation),
)

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  observations.length = 0
  log.length = 0
})

/** The observed requests, without the values that differ between runs. */
function observed() {
  for (const { durationMs, requestId } of observations) {
    expect(durationMs).toBeGreaterThan(0)
    expect(requestId).toMatch(/^req_/)
  }
  return observations.map(({ operation, kind, api, status, code }) => ({ operation, kind, api, status, code }))
}

describe('the observer is notified once of each request for an operation', () => {
  it('that succeeds, of every kind and in both APIs', async () => {
    await caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await caller.rest('GET', '/org/features/sso')
    await caller.rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'sso' })
    await caller.graphql('{ check(subscriberId: "ann", feature: "sso") { allowed } }')
    await caller.graphql('mutation { deleteFeature(input: { key: "sso" }) }')

    expect(observed()).toEqual([
      { operation: 'createFeature', kind: 'write', api: 'rest', status: 201, code: null },
      { operation: 'createSubscriber', kind: 'write', api: 'rest', status: 201, code: null },
      { operation: 'feature', kind: 'read', api: 'rest', status: 200, code: null },
      { operation: 'check', kind: 'eval', api: 'rest', status: 200, code: null },
      { operation: 'check', kind: 'eval', api: 'graphql', status: 200, code: null },
      { operation: 'deleteFeature', kind: 'write', api: 'graphql', status: 204, code: null },
    ])
    expect(observations.map(({ organizationId }) => organizationId)).toEqual(Array(6).fill(caller.organizationId))
  })

  it('that is answered with 304, because the caller already has the answer', async () => {
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const { headers } = await caller.rest('GET', '/org/subscribers/ann/entitlements')
    const known = { 'if-none-match': headers.get('etag') as string }
    await caller.rest('GET', '/org/subscribers/ann/entitlements', undefined, known)

    expect(observed().map(({ operation, status }) => [operation, status])).toEqual([
      ['createSubscriber', 201],
      ['entitlements', 200],
      ['entitlements', 304],
    ])
  })

  it('that is refused because of its caller, its body, its input, or a rule of the operation', async () => {
    const viewer = await service.member(caller.organizationId, 'viewer')
    await viewer.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
    await caller.rest('POST', '/org/features', '{')
    await caller.rest('POST', '/org/features', {})
    await caller.rest('GET', '/org/features/sso')
    await caller.rest('GET', '/org/features', undefined, { 'x-api-key': 'nobody' })
    await caller.rest('POST', '/org/subscribers/ann/entitlements/check', {})
    await caller.rest('POST', '/org/subscribers/ann/entitlements/check', '{')
    await caller.rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'sso' })
    await caller.rest('POST', '/org/subscribers/ann/entitlements/check', {}, { 'x-api-key': 'nobody' })

    expect(observed().map(({ operation, status, code }) => [operation, status, code])).toEqual([
      ['createFeature', 403, 'FORBIDDEN'],
      ['createFeature', 400, 'INVALID_JSON'],
      ['createFeature', 422, 'VALIDATION_ERROR'],
      ['feature', 404, 'NOT_FOUND'],
      ['features', 401, 'UNAUTHORIZED'],
      ['check', 422, 'VALIDATION_ERROR'],
      ['check', 400, 'INVALID_JSON'],
      ['check', 404, 'NOT_FOUND'],
      ['check', 401, 'UNAUTHORIZED'],
    ])
  })

  it('that fails, and the failure is logged in one line', async () => {
    const close = `fail_${caller.organizationId.toLowerCase()}`
    await service.database.pool.query(`
      create function ${close}() returns trigger language plpgsql as $$ begin perform 1 / 0; return new; end $$;
      create trigger ${close} before insert on feature for each row
        when (new.organization_id = '${caller.organizationId}') execute function ${close}()`)

    await caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
    await caller.graphql('mutation { createFeature(input: { key: "sso", name: "SSO", kind: FLAG }) { key } }')
    await service.database.pool.query(`drop function ${close}() cascade`)

    expect(observed().map(({ operation, api, code }) => [operation, api, code])).toEqual([
      ['createFeature', 'rest', 'INTERNAL_ERROR'],
      ['createFeature', 'graphql', 'INTERNAL_ERROR'],
    ])
    expect(log.map(({ requestId }) => requestId)).toEqual(observations.map(({ requestId }) => requestId))
  })
})
