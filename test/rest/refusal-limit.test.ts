import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, type Caller, startService } from '../support/service.ts'

/** The limit in this test, instead of 600. */
const limit = 40
const service = await startService(trustedLoopback, undefined, undefined, { maxRefusalsPerMinute: limit })
const { pool } = service.database

/**
 * Stops the clock by which refusals are counted, so that a minute lasts until the test calls `nextMinute`. The clock shows the
 * previous minute, because an id from the future would make all later ids of the process at least as large.
 */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 - 45_000 })
  return () => vi.useRealTimers()
})

const nextMinute = () => vi.setSystemTime(Date.now() + 60_000)

/** Sends this many requests, up to 20 at once. */
async function repeat(times: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  const sendMany = async (count: number) => {
    for (let sent = 0; sent < count; sent++) answers.push(await send())
  }
  await Promise.all(Array.from({ length: 20 }, () => sendMany(times / 20)))
  return answers
}

async function countEntries(log: 'audit_event' | 'user_audit_event', owner: string): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as count from ${log} where ${log === 'audit_event' ? 'organization_id' : 'user_id'} = $1`,
    [owner],
  )
  return rows[0].count
}

const expectLimited = (answer: Answer) => {
  expectRefusal(answer, 'RATE_LIMITED', { retry_after_seconds: 45 })
  expect(answer.headers.get('retry-after')).toBe('45')
}

const deleteNothing = 'deleteFeature(input: { key: "nothing" })'

async function createFeature(caller: Caller, key: string): Promise<Answer> {
  return caller.rest('POST', '/org/features', { key, name: key, kind: 'flag' })
}

describe('a member who may write', () => {
  it('is answered, and each refused write recorded, however many of its writes are refused', async () => {
    const admin = await service.organization()

    const refused = await repeat(limit + 20, () => admin.rest('DELETE', '/org/features/nothing'))

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([404]))
    expect(await createFeature(admin, 'sso')).toMatchObject({ status: 201 })
    expect(await createFeature(admin, 'sso')).toMatchObject({ status: 409 })
    expect(await createFeature(admin, 'no key')).toMatchObject({ status: 422 })
    expect((await admin.graphql(`mutation { ${deleteNothing} }`)).body.errors[0].extensions.code).toBe('NOT_FOUND')
    expect(await countEntries('audit_event', admin.organizationId)).toBe(limit + 24)
  })
})

describe('a member with more forbidden requests in a minute than the limit', () => {
  it('gets 429 for further writes, counted over both APIs, without entries in the audit log', async () => {
    const { organizationId } = await service.organization()
    const viewer = await service.member(organizationId, 'viewer')
    const aliases = Array.from({ length: limit / 4 }, (_, index) => `a${index}: ${deleteNothing}`)
    for (let document = 0; document < 3; document++) await viewer.graphql(`mutation { ${aliases.join(' ')} }`)

    const { body } = await viewer.graphql(`mutation { ${aliases.join(' ')} }`)
    expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual(
      Array(limit / 4).fill('FORBIDDEN'),
    )
    expectLimited(await createFeature(viewer, 'sso'))
    expectLimited(await viewer.rest('POST', '/org/features', 'no JSON', { 'content-type': 'text/plain' }))
    expect(await countEntries('audit_event', organizationId)).toBe(limit)
    expect(await viewer.rest('GET', '/org/features')).toMatchObject({ status: 200 })
    nextMinute()
    expect(await createFeature(viewer, 'sso')).toMatchObject({ status: 403 })
  })
})

describe('a person with more refused joins in a minute than the limit', () => {
  it('gets 429, without entries in their own log', async () => {
    const person = await signUp(service)
    const join = () => person.rest('POST', '/user/organizations/join', { invite: 'inv_nothing' })
    await repeat(limit, join)

    expectLimited(await join())

    expect(await countEntries('user_audit_event', person.userId)).toBe(limit)
  })
})
