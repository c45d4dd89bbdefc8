import { expect } from 'vitest'
import type { Answer, Caller } from './service.ts'

type Body = Record<string, unknown>

/** Sets up a vendor's data over REST before a test begins; every step must succeed. */
export function vendor(caller: Caller) {
  async function expectStatus(status: number, request: Promise<Answer>) {
    const answer = await request
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    return answer.body
  }
  const feature = (key: string, fields: Body = { kind: 'flag' }) =>
    expectStatus(201, caller.rest('POST', '/org/features', { key, name: key, ...fields }))
  return {
    feature,
    /** One of each kind: `sso`, `seats` and `color`. */
    async features() {
      await feature('sso')
      await feature('seats', { kind: 'limit' })
      await feature('color', colors)
    },
    plan: (key: string, grants: Body = {}) =>
      expectStatus(201, caller.rest('POST', '/org/plans', { key, name: key, grants })),
    subscriber: (subscriberId: string, fields: Body = {}) =>
      expectStatus(201, caller.rest('POST', '/org/subscribers', { subscriber_id: subscriberId, ...fields })),
    subscribe: (subscriberId: string, planId: string) =>
      expectStatus(201, caller.rest('POST', `/org/subscribers/${subscriberId}/subscriptions`, { plan_id: planId })),
    override: (subscriberId: string, feature: string, body: Body) =>
      expectStatus(200, caller.rest('PUT', `/org/subscribers/${subscriberId}/overrides/${feature}`, body)),
    archive: (plan: string) => expectStatus(200, caller.rest('POST', `/org/plans/${plan}/archive`)),
    get: (path: string) => expectStatus(200, caller.rest('GET', path)),
  }
}

/** The colors of an enum, for tests of options. */
export const colors = { kind: 'config', value_type: 'enum', options: ['red', 'green', 'blue'] }

/** A grant for each of `features()`. */
export const grantOfEach = {
  sso: { kind: 'flag' },
  seats: { kind: 'limit', limit: 5 },
  color: { kind: 'config', value: 'red' },
}
