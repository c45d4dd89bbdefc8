import { expect } from 'vitest'
import type { Answer, Caller } from './service.ts'

type Body = Record<string, unknown>

/** Sets up a vendor's data over REST before a test begins; every step must succeed. */
export function vendor(caller: Caller) {
  async function must(status: number, sent: Promise<Answer>) {
    const answer = await sent
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    return answer.body
  }
  const feature = (key: string, fields: Body = { kind: 'flag' }) =>
    must(201, caller.rest('POST', '/org/features', { key, name: key, ...fields }))
  return {
    feature,
    /** One of each kind: `sso`, `seats` and `color`. */
    async features() {
      await feature('sso')
      await feature('seats', { kind: 'limit' })
      await feature('color', colors)
    },
    plan: (key: string, grants: Body = {}) => must(201, caller.rest('POST', '/org/plans', { key, name: key, grants })),
    subscriber: (subscriberId: string, fields: Body = {}) =>
      must(201, caller.rest('POST', '/org/subscribers', { subscriber_id: subscriberId, ...fields })),
    subscribe: (subscriberId: string, planId: string) =>
      must(201, caller.rest('POST', `/org/subscribers/${subscriberId}/subscriptions`, { plan_id: planId })),
    override: (subscriberId: string, feature: string, body: Body) =>
      must(200, caller.rest('PUT', `/org/subscribers/${subscriberId}/overrides/${feature}`, body)),
    archive: (plan: string) => must(200, caller.rest('POST', `/org/plans/${plan}/archive`)),
    get: (path: string) => must(200, caller.rest('GET', path)),
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
