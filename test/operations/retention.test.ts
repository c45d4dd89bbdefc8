import { ulid } from 'ulidx'
import { describe, expect, it } from 'vitest'
import { chainBatch } from '../../worker/jobs/chain-audit.ts'
import { countStoredBytes } from '../../worker/jobs/count-stored-bytes.ts'
import { pruneAudit } from '../../worker/jobs/prune-audit.ts'
import { pruneSessionsAndInvites } from '../../worker/jobs/prune-sessions-and-invites.ts'
import { pruneVersions } from '../../worker/jobs/prune-versions.ts'
import { auditKeys, chainAllEntries } from '../audit-chain/chain.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { signUp } from '../support/person.ts'
import { expectInvalid } from '../support/refusal.ts'
import { refuseDeletions } from '../support/refuse-deletions.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const test = await startDeliveryTest()
const { pool, prisma } = test.service.database
const signal = new AbortController().signal
const pruning = { pool, clock: test.clock, keys: auditKeys, logger: console }

const days = 24 * 60 * 60 * 1000

/** The id of an entry that is this old. */
const idFrom = (daysAgo: number) => ulid(Date.now() - daysAgo * days)

/** Adds copies of the organization's newest entry at earlier moments, with the rows that belong to them and with these columns. */
async function addOldEntries({ organizationId }: Caller, daysAgo: readonly number[], columns = {}): Promise<void> {
  for (const each of daysAgo) {
    const id = idFrom(each)
    await pool.query(
      `insert into audit_event
       select (jsonb_populate_record(entry, $2)).*
         from audit_event entry where organization_id = $1 order by audit_event_id desc limit 1`,
      [organizationId, { audit_event_id: id, created_id: 'made', ...columns }],
    )
    await pool.query(`insert into audit_event_creation values ($1, 'made', $2)`, [organizationId, id])
    await pool.query(`insert into audit_event_unchained values ($1, $2)`, [organizationId, id])
  }
}

async function countsOf({ organizationId }: Caller): Promise<number[]> {
  const counts = []
  for (const table of ['audit_event', 'audit_event_creation', 'audit_event_unchained']) {
    const { rows } = await pool.query(`select count(*)::int as n from ${table} where organization_id = $1`, [
      organizationId,
    ])
    counts.push(rows[0].n)
  }
  return counts
}

const stored = ({ organizationId }: Caller) => prisma.storedBytes.findUniqueOrThrow({ where: { organizationId } })

describe('AUDIT_RETENTION_DAYS', () => {
  it('deletes older entries of both logs with the rows that belong to them, and no longer counts them as stored', async () => {
    const [caller, other] = [await test.service.organization(), await test.service.organization()]
    for (const each of [caller, other]) await vendor(each).subscriber('acme')
    const person = await signUp(test.service)
    expect((await person.rest('PATCH', '/user', { display_name: 'Grace' })).status).toBe(200)
    const counting = { pool, clock: createTestClock(), signal, settledMs: 0 }
    await countStoredBytes(counting, [caller.organizationId], 0)
    const [before, bytes] = [await countsOf(caller), (await stored(caller)).audit]
    await prisma.storedBytes.deleteMany()
    await addOldEntries(caller, [31, 32, 400])
    await addOldEntries(caller, [29])
    await addOldEntries(other, [31])
    await pool.query(
      `insert into user_audit_event
       select (jsonb_populate_record(entry, jsonb_build_object('audit_event_id', $2::text))).*
         from user_audit_event entry where user_id = $1 limit 1`,
      [person.userId, idFrom(31)],
    )
    await countStoredBytes(counting, [caller.organizationId], 0)

    for (const each of [caller, other]) await chainAllEntries(pool, each.organizationId)
    // Turns the old entries into entries that never got their outcome.
    await pool.query(
      `insert into audit_event_unchained
       select organization_id, audit_event_id from audit_event where organization_id = $1 and audit_event_id < $2`,
      [caller.organizationId, idFrom(30)],
    )

    expect(await pruneAudit({ ...pruning, retentionDays: 30, signal })).toBe(5)

    expect(await countsOf(caller)).toEqual([(before[0] as number) + 1, (before[1] as number) + 1, 0])
    expect(await prisma.userAuditEvent.count({ where: { userId: person.userId } })).toBe(1)
    const { audit, total, ...rest } = await stored(caller)
    expect(audit).toBeGreaterThan(bytes)
    expect(Number(audit)).toBeLessThan(2.5 * Number(bytes))
    expect(total).toBe(audit + rest.events + rest.subscribers + rest.overrides + rest.catalog + rest.other)
    expect((await caller.rest('GET', '/org/audit-events')).body.audit_events).toHaveLength((before[0] as number) + 1)
  })

  it('is enforced at once, even for entries that are too large to be read together', async () => {
    const caller = await test.service.organization()
    await vendor(caller).subscriber('acme')
    const [all] = await countsOf(caller)
    const details = JSON.stringify({ name: 'x'.repeat(2_200_000) })
    await addOldEntries(caller, [33, 32, 31], { details })
    await chainAllEntries(pool, caller.organizationId)

    await pruneAudit({ ...pruning, retentionDays: 30, signal })

    expect((await countsOf(caller))[0]).toBe(all)
  })

  it('is enforced at once, even if an entry was added to the chain a second time with its outcome', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    await vendor(caller).subscriber('acme')
    const [all] = await countsOf(caller)
    const pending = { outcome: 'pending', status: null, details: null, created_id: null, changed_at: null }
    await addOldEntries(caller, [400], { ...pending, occurred_at: new Date(Date.now() - 400 * days) })
    const chainFirst = () =>
      chainBatch({ pool, clock: test.clock, keys: auditKeys }, [organizationId], { rows: 1, bytes: 1 })
    await until(async () => (await chainFirst()).length > 0)
    await pool.query(
      `update audit_event set outcome = 'no_response', rare_outcome = 'no_response'
        where organization_id = $1 and outcome = 'pending'`,
      [organizationId],
    )
    await addOldEntries(caller, Array(200).fill(31))
    expect(await chainAllEntries(pool, organizationId)).toBe((all as number) + 202)

    await pruneAudit({ ...pruning, retentionDays: 30, signal })

    expect((await countsOf(caller))[0]).toBe(all)
  })

  it('is enforced by a worker; if it is not set, entries stay, and nothing else may delete them', async () => {
    const caller = await test.service.organization()
    await vendor(caller).subscriber('acme')
    await addOldEntries(caller, [400])
    // Only chained entries are deleted, and the worker runs once an hour.
    await chainAllEntries(pool, caller.organizationId)
    const [all] = await countsOf(caller)
    await expect(
      pool.query('delete from audit_event where organization_id = $1', [caller.organizationId]),
    ).rejects.toThrow('Entries of the audit log cannot be changed or deleted.')

    const forEver = await test.worker()
    await until(async () => (await prisma.evalBatch.count()) === 0)
    await forEver.stop()
    expect((await countsOf(caller))[0]).toBe(all)

    await test.worker({ env: { AUDIT_RETENTION_DAYS: '365' } })
    await until(async () => (await countsOf(caller))[0] === (all as number) - 1)
  })

  it('is enforced by a worker even if it cannot delete other old rows, or those of another organization or person', async () => {
    const callers = [await test.service.organization(), await test.service.organization()]
    const people = [await signUp(test.service), await signUp(test.service)]
    for (const caller of callers) {
      await vendor(caller).subscriber('acme')
      await addOldEntries(caller, [400])
      await chainAllEntries(pool, caller.organizationId)
    }
    for (const { userId, rest } of people) {
      expect((await rest('PATCH', '/user', { display_name: 'Grace' })).status).toBe(200)
      await pool.query(
        `insert into user_audit_event
         select (jsonb_populate_record(entry, jsonb_build_object('audit_event_id', $2::text))).*
           from user_audit_event entry where user_id = $1 limit 1`,
        [userId, idFrom(400)],
      )
    }
    const [first = '', second = ''] = callers.map(({ organizationId }) => organizationId).toSorted()
    const [one = '', other = ''] = people.map(({ userId }) => userId).toSorted()
    await pool.query(
      `insert into eval_batch (gate_id, place, number, counted_at) values ('gone', 0, 5, now() - interval '25 hours')`,
    )
    await refuseDeletions(pool, 'eval_batch', `old.gate_id = 'gone'`)
    await refuseDeletions(pool, 'audit_event', `old.organization_id = '${first}'`)
    await refuseDeletions(pool, 'user_audit_event', `old.user_id = '${one}'`)

    const worker = await test.worker({ env: { AUDIT_RETENTION_DAYS: '365' } })

    const old = { id: { lt: idFrom(399) } }
    await until(async () => (await prisma.auditEvent.count({ where: { organizationId: second, ...old } })) === 0)
    await until(async () => (await prisma.userAuditEvent.count({ where: { userId: other, ...old } })) === 0)
    await worker.stop()
    expect(await prisma.auditEvent.count({ where: { organizationId: first, ...old } })).toBe(1)
    expect(await prisma.userAuditEvent.count({ where: { userId: one, ...old } })).toBe(1)
    expect(await prisma.evalBatch.count({ where: { gateId: 'gone' } })).toBe(1)
  })
})

it('versions that ended before AUDIT_RETENTION_DAYS are deleted, and the past of their organization begins there', async () => {
  const caller = await test.service.organization()
  const setup = vendor(caller)
  await setup.feature('seats', { kind: 'limit' })
  await setup.subscriber('acme')
  const put = async (limit: number) => (await setup.override('acme', 'seats', { kind: 'limit', limit })).updated_at
  const [first, second] = [await put(7), await put(8)]
  const third = await put(9)
  await put(10)
  const clock = { sql: () => `'${third}'::timestamptz + interval '30 days'` }

  await pruneVersions({ pool, clock, retentionDays: 30, signal })

  const explain = (at: string) => caller.rest('GET', `/org/subscribers/acme/explanation?at=${at}`)
  for (const at of [first, second]) expectInvalid(await explain(at), ['at', /must not be before/])
  expect((await explain(third)).body.items[0].entitlement.limit).toBe(9)
  const { history } = await setup.get('/org/subscribers/acme/history')
  expect(history.map(({ from, to }: Record<'from' | 'to', { limit: number }>) => [from.limit, to.limit])).toEqual([
    [9, 10],
  ])
  expect((await setup.get('/org/features/seats/history')).history).toEqual([])
})

describe('30 days after their end', () => {
  it('sessions and invites are deleted, but not earlier', async () => {
    const caller = await test.service.organization()
    for (const email of ['old@example.org', 'new@example.org'])
      expect((await caller.rest('POST', '/org/invites', { role: 'viewer', email })).status).toBe(201)
    const end = async (email: string, daysAgo: number) =>
      void (await prisma.invite.updateMany({
        where: { email },
        data: { expiresAt: new Date(Date.now() - daysAgo * days) },
      }))
    await end('old@example.org', 31)
    await end('new@example.org', 29)
    await pool.query(
      `insert into user_session (user_session_id, user_id, session_hash, created_at, expires_at)
       select id, 'someone', id::bytea, now(), now() - age
         from (values ('old', interval '31 days'), ('new', interval '29 days')) as session (id, age)`,
    )
    await pool.query(
      `insert into console_session (organization_id, console_session_id, member_id, user_id, session_hash, session_prefix,
                                    created_at, last_used_at, expires_at)
       select $1, id, 'member', 'someone', id::bytea, '', now(), now(), now() - age
         from (values ('old', interval '31 days'), ('new', interval '29 days')) as session (id, age)`,
      [caller.organizationId],
    )

    expect(await pruneSessionsAndInvites({ pool, clock: test.clock, signal })).toBe(3)

    expect(await prisma.invite.findMany({ select: { email: true } })).toEqual([{ email: 'new@example.org' }])
    expect(await prisma.userSession.findMany({ where: { userId: 'someone' }, select: { id: true } })).toEqual([
      { id: 'new' },
    ])
    expect(await prisma.consoleSession.findMany({ select: { id: true } })).toEqual([{ id: 'new' }])
  })
})
