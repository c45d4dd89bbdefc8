import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { pool } = service.database

/** A caller whose key this process remembers, with the subscriber `acme`. */
async function createRememberedCaller(role: 'admin' | 'support' = 'admin'): Promise<Caller> {
  const admin = await service.organization()
  await vendor(admin).feature('seats', { kind: 'limit' })
  await vendor(admin).subscriber('acme')
  if (role === 'admin') return admin
  const caller = await service.member(admin.organizationId, role)
  await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 1 })
  return caller
}

const put = (caller: Caller, body: unknown = { kind: 'limit', limit: 2 }) =>
  caller.rest('PUT', '/org/subscribers/acme/overrides/seats', body)

/** Writes as another process would. */
const change = ({ organizationId, memberId }: Caller, table: 'api_key' | 'member', assignment: string) =>
  pool.query(`update ${table} set ${assignment} where organization_id = $1 and member_id = $2`, [
    organizationId,
    memberId,
  ])

function countLookups(): () => number {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => spy.mockRestore())
  return () =>
    spy.mock.calls.filter(([query]) => (query as { name?: string }).name?.startsWith('authenticate-key')).length
}

it('the key of a write is not looked up again for later writes', async () => {
  const caller = await createRememberedCaller()
  const lookups = countLookups()
  for (let time = 0; time < 3; time++) expect(await put(caller)).toMatchObject({ status: 200 })
  expect(lookups()).toBe(0)
})

it('a key that is bound to networks is looked up for each write', async () => {
  const caller = await service.organization()
  await change(caller, 'api_key', `allowed_networks = '{127.0.0.0/8,::1/128}'`)
  await vendor(caller).feature('seats', { kind: 'limit' })
  await vendor(caller).subscriber('acme')
  const lookups = countLookups()
  for (let time = 0; time < 3; time++) expect(await put(caller)).toMatchObject({ status: 200 })
  expect(lookups()).toBe(3)
})

it.each([
  ['revoked', 'UNAUTHORIZED', (caller: Caller) => deleteKey(caller)],
  ['expired', 'UNAUTHORIZED', (caller: Caller) => change(caller, 'api_key', `expires_at = clock_timestamp()`)],
  ['that of a disabled member', 'UNAUTHORIZED', (caller: Caller) => change(caller, 'member', `status = 'disabled'`)],
  [
    'that of an organization being moved',
    'SERVICE_UNAVAILABLE',
    (caller: Caller) => change(caller, 'member', `moving_until = clock_timestamp() + interval '1 minute'`),
  ],
] as const)('the next write with a key that is now %s is refused and not recorded', async (_, code, end) => {
  for (const body of [undefined, { kind: 'limit', limit: -1 }, '{"kind":']) {
    const caller = await createRememberedCaller()
    await end(caller)
    const [entries, state] = [
      await auditOf(service.database, caller.organizationId),
      await stateOf(service.database, caller.organizationId),
    ]
    expectRefusal(await put(caller, body), code, null)
    expect(await auditOf(service.database, caller.organizationId)).toEqual(entries)
    expect(await stateOf(service.database, caller.organizationId)).toEqual(state)
  }
})

it('the next write of a member whose new role lacks the label is refused and recorded', async () => {
  const caller = await createRememberedCaller('support')
  await change(caller, 'member', `role = 'viewer'`)
  expectRefusal(await put(caller), 'FORBIDDEN', { required_labels: ['overrides:write'] })
  const entries = await auditOf(service.database, caller.organizationId)
  expect(entries.at(-1)).toMatchObject({ method: 'PUT', outcome: 'rejected', status: 403 })
  expect(entries.filter(({ outcome }) => outcome === 'rejected')).toHaveLength(1)
})

it('the next write of a member whose new role has the label is allowed', async () => {
  const caller = await createRememberedCaller('support')
  expect(await caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })).toMatchObject({
    status: 403,
  })
  await change(caller, 'member', `role = 'admin'`)
  await vendor(caller).feature('sso')
  expect(await put(caller)).toMatchObject({ status: 200 })
})

function deleteKey({ organizationId, memberId }: Caller) {
  return pool.query('delete from api_key where organization_id = $1 and member_id = $2', [organizationId, memberId])
}
