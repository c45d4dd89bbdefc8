import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newApiKey } from '../../src/access/api-key.ts'
import { newToken } from '../../src/access/token.ts'
import { consoleCookieName } from '../../src/http/cookies.ts'
import { holdLocks, holdOrganization } from '../support/hold-locks.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { startPatientService } from '../support/patient-service.ts'
import { newAddress, signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, callerOf, send, type TestService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/** A database of its own, because the tests lock tables and inspect all waiting statements. */
const databaseUrl = await createOwnDatabase()

const startService = (env: Record<string, string> = {}) => startPatientService({ DATABASE_URL: databaseUrl, ...env })

/** Counts the statements of this name that the process sends from now on. Names sent to the server have a suffix. */
function watchStatements(): (name: string) => number {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => spy.mockRestore())
  return (name) => spy.mock.calls.filter(([query]) => (query as { name?: string }).name?.startsWith(name)).length
}

/** The number of statements that wait for a lock. */
async function countWaiting({ database }: TestService): Promise<number | null> {
  const { rowCount } = await database.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount
}

it('an unknown key or session is looked up once, then refused without the database for some seconds', async () => {
  const service = await startService()
  const { organizationId } = await service.organization()
  const nobody = callerOf(service.url, { organizationId: '', memberId: '', key: newApiKey().key })
  const cookie = `ent_user=${newToken('usr').text}; ${consoleCookieName(organizationId)}=${newToken('ses').text}`
  const headers = { origin: service.url, cookie, 'x-organization-id': organizationId }
  const countSent = watchStatements()

  for (let time = 0; time < 3; time++) {
    expectRefusal(await nobody.rest('GET', '/org'), 'UNAUTHORIZED', null)
    expectRefusal(await nobody.rest('GET', '/org/subscribers/acme/entitlements'), 'UNAUTHORIZED', null)
    expect((await nobody.graphql('{ organization { name } }')).body.errors[0].extensions.code).toBe('UNAUTHORIZED')
    const query = '{ viewer { role } }'
    const page = await send(`${service.url}/graphql`, 'POST', { query }, headers)
    expect(page.body.errors[0].extensions.code).toBe('UNAUTHORIZED')
  }

  expect(countSent('authenticate-key')).toBe(1)
  expect(countSent('eval-gate')).toBe(0)
  expect(countSent('authenticate-session')).toBe(1)
  expect(countSent('authenticate-user-session')).toBe(1)
})

it('a key is accepted for reads and evals as soon as its member is enabled again', async () => {
  const service = await startService()
  const admin = await service.organization()
  await vendor(admin).subscriber('acme')
  const member = await service.member(admin.organizationId, 'viewer')
  const status = async (caller: Caller) => [
    (await caller.rest('GET', '/org')).status,
    (await caller.rest('GET', '/org/subscribers/acme/entitlements')).status,
  ]

  for (const [state, expected] of [
    ['active', 200],
    ['disabled', 401],
    ['active', 200],
    ['disabled', 401],
  ] as const) {
    await admin.rest('PATCH', `/org/members/${member.memberId}`, { status: state })
    expect(await status(member)).toEqual([expected, expected])
  }
})

it('a flood of reads or sign-ins from one address sends only about sixty counts to the database', async () => {
  const service = await startService(trustedLoopback)
  const headers = newAddress()
  const countSent = watchStatements()
  const flood = (method: string, path: string, body?: object) =>
    Promise.all(Array.from({ length: 150 }, () => send(`${service.url}${path}`, method, body, headers)))

  const reads = await flood('GET', '/service')
  expect(countSent('count-sign-in-attempt')).toBeLessThanOrEqual(60)
  const signIns = await flood('POST', '/user/sign-in', { email: 'nobody@example.org', password: 'wrong password' })

  expect(reads.filter(({ status }) => status === 200)).toHaveLength(60)
  // Eight attempts for one e-mail address pass the rate limit; an anonymous network then has one slot, and six more may wait.
  expect(signIns.filter(({ status }) => status !== 429)).toHaveLength(8)
  for (const { status } of signIns) expect([401, 429, 503]).toContain(status)
  expect(countSent('count-sign-in-attempt')).toBeLessThanOrEqual(60 + 60 + 8)
})

it('known callers are answered while anonymous clients wait for the database', async () => {
  const service = await startService(trustedLoopback)
  const caller = await service.organization()
  await vendor(caller).subscriber('acme')
  const release = await holdLocks(service.database.pool, 'lock table sign_in_counter in exclusive mode')

  const anonymousRequests = Array.from({ length: 30 }, () =>
    send(`${service.url}/service`, 'GET', undefined, newAddress()).then(({ status }) => status),
  )
  await expect.poll(() => countWaiting(service)).toBe(2)

  await vendor(caller).get('/org/subscribers')
  await vendor(caller).get('/org/subscribers/acme/entitlements')
  await release()
  expect(await Promise.all(anonymousRequests)).toEqual(Array(30).fill(200))
})

it("refused writes wait in their organization's queue to be recorded, and get 503 when the queue is full", async () => {
  const service = await startService({ MAX_RUNNING_REQUESTS: '1', MAX_WAITING_REQUESTS: '2' })
  const [admin, other] = [await service.organization(), await service.organization()]
  const evaluator = await service.member(admin.organizationId, 'evaluator')
  const body = { key: 'seats', name: 'Seats', kind: 'flag' }
  const release = await holdOrganization(service.database.pool, admin.organizationId)

  const write = admin.rest('POST', '/org/features', body)
  await expect.poll(() => countWaiting(service)).toBe(1)
  const refusals = Array.from({ length: 6 }, () => evaluator.rest('POST', '/org/features', body))
  const answered: number[] = []
  for (const refusal of refusals) void refusal.then(({ status }) => answered.push(status))
  await expect.poll(() => answered).toEqual([503, 503, 503, 503])
  const elsewhere = await service.member(other.organizationId, 'evaluator')
  const refused = await elsewhere.rest('POST', '/org/features', body)
  await release()

  expectRefusal(refused, 'FORBIDDEN', { required_labels: ['features:write'] })
  expect((await write).status).toBe(201)
  await Promise.all(refusals)
  expect(answered).toEqual([503, 503, 503, 503, 403, 403])
  const { audit_events: entries } = await vendor(admin).get('/org/audit-events?outcome=rejected')
  expect(entries).toHaveLength(2)
})

it('all organizations created by one person share the slots of a single organization', async () => {
  const service = await startService({ ...trustedLoopback, MAX_RUNNING_REQUESTS: '1' })
  const person = await signUp(service)
  const create = async () => {
    const { body } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    return service.member(body.organization_id, 'admin')
  }
  const [first, second, other] = [await create(), await create(), await service.organization()]
  const release = await holdOrganization(service.database.pool, first.organizationId)
  const answered: string[] = []
  const noteAnswer = (name: string) => (answer: { status: number }) => answered.push(`${name} ${answer.status}`)

  const write = first
    .rest('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'flag' })
    .then(noteAnswer('first'))
  await expect.poll(() => countWaiting(service)).toBe(1)
  const list = second.rest('GET', '/org/features').then(noteAnswer('second'))
  await other.rest('GET', '/org/features').then(noteAnswer('other'))
  expect(answered).toEqual(['other 200'])
  await release()
  await Promise.all([write, list])

  expect(answered.toSorted()).toEqual(['first 201', 'other 200', 'second 200'])
})
