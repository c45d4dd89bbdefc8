import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FairQueue } from '../../src/fairness/fair-queue.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { expectRefusedField } from '../support/refusal.ts'
import { type Caller, sharedService, startService, type TestService } from '../support/service.ts'
import { listFewestStatements } from './count-statements.ts'

const service = await sharedService()
const slowService = await startService({ EVAL_RATE_LIMIT_PER_SECOND: '3' })
const serviceWithTwoEvals = await startService({ EVAL_MONTHLY_ALLOTMENT: '2' })

beforeEach(waitIfNearMidnight)

/** A key that allows only evals, in an organization with Ann and the feature sso. */
async function createEvaluator({ organization, member }: TestService): Promise<Caller> {
  const caller = await organization()
  await caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
  await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
  return member(caller.organizationId, 'evaluator')
}

const check = (subscriber = 'ann') => `check(subscriberId: "${subscriber}", feature: "sso") { allowed }`

const serviceWithSmallAnswers = await startService({ MAX_ANSWER_BYTES: '100000' })

const second = () => Math.floor(Date.now() / 1000)

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('evals over GraphQL', () => {
  it('are limited per second', async () => {
    const caller = await createEvaluator(slowService)

    const from = second()
    const answer = await caller.graphql(`{ ${Array.from({ length: 20 }, (_, n) => `c${n}: ${check()}`).join(' ')} }`)

    const admitted = Object.values(answer.body.data).filter((each) => each !== null).length
    expect(admitted).toBeGreaterThanOrEqual(3)
    // The request may run past the end of one or more seconds.
    expect(admitted).toBeLessThanOrEqual(3 * (second() - from + 1))
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.body.errors).toHaveLength(20 - admitted)
    for (const { extensions } of answer.body.errors) {
      expect(extensions).toEqual({
        type: 'invalid_request_error',
        code: 'RATE_LIMITED',
        requestId: answer.headers.get('x-request-id'),
        details: { retry_after_seconds: 1 },
        status: 429,
      })
    }
  })

  it('are counted once each, but not if they are refused', async () => {
    const caller = await createEvaluator(service)
    const admin = await service.member(caller.organizationId, 'admin')

    const { headers } = await caller.graphql(
      `{ a: ${check()} b: ${check('bob')} c: entitlements(subscriberId: "ann") { plan } }`,
    )

    const { body } = await admin.graphql('{ evalUsage { used allotment days { used } } }')
    expect(headers.get('retry-after')).toBeNull()
    expect(body.data.evalUsage).toEqual({ used: 2, allotment: null, days: [{ used: 2 }] })
  })

  it('of several features of a subscriber count as one eval, and are answered in the requested order', async () => {
    const caller = await createEvaluator(service)
    const admin = await service.member(caller.organizationId, 'admin')
    await admin.rest('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })

    const { body } = await caller.graphql(
      '{ checks(subscriberId: "ann", features: ["seats", "sso"]) { feature kind allowed limit source } }',
    )

    const { body: usage } = await admin.graphql('{ evalUsage { used } }')
    expect(body).toEqual({
      data: {
        checks: [
          { feature: 'seats', kind: 'LIMIT', allowed: false, limit: 0, source: 'NONE' },
          { feature: 'sso', kind: 'FLAG', allowed: false, limit: null, source: 'NONE' },
        ],
      },
    })
    expect(usage.data.evalUsage.used).toBe(1)
  })

  it('of many subscribers in one document take one statement, and each is counted', async () => {
    const caller = await createEvaluator(service)
    const admin = await service.member(caller.organizationId, 'admin')
    const ids = Array.from({ length: 23 }, (_, n) => `subscriber-${n}`)
    for (const id of ids.slice(1)) await admin.rest('POST', '/org/subscribers', { subscriber_id: id })
    const fields = ids.map((id, n) => `c${n}: ${check(id)}`)
    const others =
      'e: entitlements(subscriberId: "ann") { entitlements { allowed } } l: checks(subscriberId: "ann", features: ["sso"]) { allowed }'
    const ask = () => caller.graphql(`{ ${fields.join(' ')} ${others} }`)
    // The first document also reads the catalog.
    await ask()

    let body: { data: Record<string, unknown>; errors: unknown[] } | undefined
    const statements = await listFewestStatements(async () => {
      body = (await ask()).body
    })

    const evals = statements.filter((text) => text.includes('eval_counter'))
    expect({ evals: evals.length, others: statements.length - evals.length }).toEqual({ evals: 1, others: 1 })
    expect(Object.values(body?.data ?? {}).filter((value) => value !== null)).toHaveLength(24)
    expect(body?.errors).toMatchObject([{ path: ['c0'], extensions: { code: 'NOT_FOUND' } }])
    const { body: usage } = await admin.graphql('{ evalUsage { used } }')
    expect(usage.data.evalUsage.used).toBe(4 * 24)
  })

  it('do not count if their answers together are too large, so that none is returned', async () => {
    const admin = await serviceWithSmallAnswers.organization()
    await admin.rest('POST', '/org/features', { key: 'text', name: 'Text', kind: 'config', value_type: 'json' })
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const override = { kind: 'config', value: 'x'.repeat(60_000) }
    await admin.rest('PUT', '/org/subscribers/ann/overrides/text', override)
    const fields = [
      'check(subscriberId: "ann", feature: "text") { value }',
      'checks(subscriberId: "ann", features: ["text"]) { value }',
      'entitlements(subscriberId: "ann") { entitlements { value } }',
      'entitlementsOf(subscriberIds: ["ann"]) { snapshots { entitlements { value } } }',
    ]
    const used = async () => (await admin.graphql('{ evalUsage { used } }')).body.data.evalUsage.used

    for (const field of fields) {
      const { body } = await admin.graphql(`{ a: ${field} b: ${field} }`)

      expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('asks for more than 100000 bytes') }] })
      expect(body).not.toHaveProperty('data')
    }

    await expect.poll(used).toBe(0)
    for (const field of fields) await admin.graphql(`{ ${field} }`)
    expect(await used()).toBe(4)
  })

  it.each([
    'entitlements(subscriberId: "ann") { plan }',
    'entitlements(subscriberId: "ann") { entitlements { value } }',
    'entitlementsOf(subscriberIds: ["ann"]) { snapshots { plan } }',
  ])('reserve no memory after the answer to { %s }', async (fields) => {
    const admin = await service.organization()
    await admin.rest('POST', '/org/features', { key: 'text', name: 'Text', kind: 'config', value_type: 'json' })
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await admin.rest('PUT', '/org/subscribers/ann/overrides/text', { kind: 'config', value: 'x'.repeat(60_000) })
    const reserved = new Set<object>()
    const { reserve } = FairQueue.prototype
    const spy = vi.spyOn(FairQueue.prototype, 'reserve').mockImplementation(function (this: FairQueue, ...args) {
      const release = reserve.apply(this, args)
      reserved.add(release)
      return () => {
        reserved.delete(release)
        release()
      }
    })
    onTestFinished(() => spy.mockRestore())

    const { body } = await admin.graphql(`{ ${fields} }`)

    expect(body.errors).toBeUndefined()
    expect(spy).toHaveBeenCalled()
    expect(reserved.size).toBe(0)
  })

  it('are refused once the allotment is used up', async () => {
    const caller = await createEvaluator(serviceWithTwoEvals)
    await caller.graphql(`{ a: ${check()} b: ${check()} }`)

    const answer = await caller.graphql(`{ ${check()} }`)

    expectRefusedField(answer, 'check', 'CONFLICT', { field: 'evals', value: 2 })
  })

  it('are not recorded in the audit log', async () => {
    const caller = await createEvaluator(service)

    const { headers } = await caller.graphql(`{ ${check()} }`)

    const requestId = headers.get('x-request-id') as string
    expect(await service.database.prisma.auditEvent.count({ where: { requestId } })).toBe(0)
  })
})
