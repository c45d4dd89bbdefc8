import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  countAllStoredBytes,
  countStoredBytes,
  findOrganizationsNearCap,
  findOrganizationsToCount,
} from '../../worker/jobs/count-stored-bytes.ts'
import { runExclusively } from '../../worker/run-exclusively.ts'
import { runCommand } from '../start/server-process.ts'
import { administer } from '../support/administer.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { importSuccessfully } from '../support/import.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import type { Caller } from '../support/service.ts'
import { setStoredBytes } from '../support/stored-bytes.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const test = await startDeliveryTest()
const { pool, prisma } = test.service.database
const running = new AbortController().signal

/** `settledMs` is 0, because each write is answered before the count. */
const options = { pool, clock: createTestClock(), signal: running, settledMs: 0 }

const storedOf = ({ organizationId }: Caller) => prisma.storedBytes.findUniqueOrThrow({ where: { organizationId } })

async function count(caller: Caller, minAgeSeconds = 0) {
  await countStoredBytes(options, [caller.organizationId], minAgeSeconds)
  return storedOf(caller)
}

describe('counting what an organization stores', () => {
  it('gives the bytes of each kind of object, with the rows that belong to it, and their total', async () => {
    const caller = await test.service.organization()
    const setup = vendor(caller)
    await setup.feature('note', { kind: 'config', value_type: 'string' })
    await setup.plan('pro')
    await setup.subscriber('acme')
    const before = await count(caller)

    await setup.override('acme', 'note', { kind: 'config', value: 'x'.repeat(1500) })
    const after = await count(caller)

    expect(Number(before.overrides)).toBe(0)
    expect(Number(after.overrides)).toBeGreaterThan(820)
    expect(after.audit).toBeGreaterThan(before.audit)
    // The write also adds a change for followers, which counts towards the events.
    expect(Number(after.events - before.events)).toBeGreaterThan(220)
    const { subscribers, catalog, other } = before
    expect(after).toMatchObject({ subscribers, catalog, other })
    for (const kind of [subscribers, catalog, other]) expect(Number(kind)).toBeGreaterThan(100)
    const { audit, overrides, events } = after
    expect(after.total).toBe(audit + overrides + subscribers + catalog + other + events)
  })

  it('returns a smaller count after deletions', async () => {
    const caller = await test.service.organization()
    await importSuccessfully(
      caller,
      Array.from({ length: 300 }, (_, n) => ({ subscriber_id: `s${n}` })),
    )
    const before = await count(caller)

    await caller.rest('DELETE', '/org/subscribers/s0')
    const after = await count(caller)

    expect(Number(before.subscribers - after.subscribers)).toBeGreaterThan(230)
    expect(after.audit).toBeGreaterThan(before.audit)
  })

  it('reads each entry of the log only once', async () => {
    const caller = await test.service.organization()
    await vendor(caller).subscriber('acme')
    const { audit } = await count(caller)
    await prisma.storedBytes.update({ where: { organizationId: caller.organizationId }, data: { audit: 7 } })

    await vendor(caller).subscriber('globe')
    const after = await count(caller)

    expect(Number(audit)).toBeGreaterThan(1000)
    expect(Number(after.audit) - 7).toBeGreaterThan(1000)
    expect(Number(after.audit) - 7).toBeLessThan(Number(audit) * 1.2)
  })

  it('leaves log entries of the last two minutes to the next count, because they may not have an outcome yet', async () => {
    const caller = await test.service.organization()
    await vendor(caller).subscriber('acme')

    await countStoredBytes({ ...options, settledMs: 120_000 }, [caller.organizationId], 0)
    const first = await storedOf(caller)
    expect(first.audit).toBe(0n)
    expect(Number(first.subscribers)).toBeGreaterThan(0)

    expect(Number((await count(caller)).audit)).toBeGreaterThan(1000)
  })

  it('counts an unchanged organization only once, and postpones one that was just counted', async () => {
    const caller = await test.service.organization()
    await vendor(caller).subscriber('acme')
    const { countedAt } = await count(caller)

    expect(await countStoredBytes(options, [caller.organizationId], 0)).toBe(0)
    await vendor(caller).subscriber('globex')
    expect(await countStoredBytes(options, [caller.organizationId], 3600)).toBe(0)
    expect((await storedOf(caller)).countedAt).toEqual(countedAt)
    expect(await countStoredBytes(options, [caller.organizationId], 0)).toBe(1)
  })

  it('counts rows in many batches exactly, for each organization', async () => {
    const [large, small] = [await test.service.organization(), await test.service.organization()]
    const lines = (many: number) =>
      Array.from({ length: many }, (_, n) => ({ subscriber_id: `s${String(n).padStart(5, '0')}` }))
    await importSuccessfully(large, lines(3000))
    await importSuccessfully(small, lines(3))

    await countStoredBytes(options, [large.organizationId, small.organizationId], 0)

    const [of3000, of3] = [await storedOf(large), await storedOf(small)]
    expect(Number(of3000.subscribers)).toBe(Number(of3.subscribers) * 1000)
    // One entry for each line, and one for the import.
    expect(Number(of3000.audit) / 3001).toBeGreaterThan((Number(of3.audit) / 4) * 0.9)
    expect(Number(of3000.audit) / 3001).toBeLessThan((Number(of3.audit) / 4) * 1.1)
  })

  it('counts a catalog in full, whatever the order of its keys', async () => {
    const caller = await test.service.organization()
    const setup = vendor(caller)
    const keys = ['a', 'a-b', 'a_b', 'ab', 'b']
    for (const key of keys) await setup.feature(key)
    for (const key of keys)
      await setup.plan(key, Object.fromEntries(keys.map((feature) => [feature, { kind: 'flag' }])))
    const whole = await count(caller)

    await caller.rest('DELETE', '/org/plans/a-b')
    const less = await count(caller)

    // The bytes of a grant, and of its version in the history.
    const grant = 160 + 330
    expect(Number(whole.catalog - less.catalog)).toBeGreaterThan(5 * grant)
    const least = 25 * grant + 5 * 130 + 5 * 160
    expect(Number(whole.catalog)).toBeGreaterThan(least)
    expect(Number(whole.catalog)).toBeLessThan(2 * least)
  })

  it('counts events with their attempts', async () => {
    const caller = await test.vendor()
    await test.worker()
    await test.emit(caller, 2)
    await test.settled(caller, 'delivered')

    await until(async () => Number((await count(caller)).events) > 2 * (600 + 350))
  })

  it('visits every organization', async () => {
    const callers = [await test.service.organization(), await test.service.organization()]

    expect(await countAllStoredBytes(options, 0)).toBeGreaterThanOrEqual(2)

    for (const caller of callers) expect((await storedOf(caller)).countedAt).not.toBeNull()
  })

  it('finds only organizations that are new and were not counted yet', async () => {
    const { organizationId } = await test.service.organization()
    const later = createTestClock()
    later.advance(3 * 3600)

    expect(await findOrganizationsToCount(options)).toContain(organizationId)
    expect(await findOrganizationsToCount({ ...options, clock: later })).toEqual([])
    await countStoredBytes(options, [organizationId], 0)
    expect(await findOrganizationsToCount(options)).not.toContain(organizationId)
  })

  it('produces the numbers that org:usage shows, largest organization first', async () => {
    const [large, small] = [await test.service.organization(), await test.service.organization()]
    await importSuccessfully(
      large,
      Array.from({ length: 50 }, (_, n) => ({ subscriber_id: `s${n}` })),
    )
    await count(large)
    await count(small)
    const env = { DATABASE_URL: test.url, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    const usage = async (...args: string[]) => (await runCommand('org-usage', args, env)).stdout

    const all: { organization_id: string }[] = JSON.parse(await usage('--json'))
    const one = JSON.parse(await usage('--organization', large.organizationId, '--json'))

    const positions = [large, small].map((caller) =>
      all.findIndex((each) => each.organization_id === caller.organizationId),
    )
    expect(positions[0]).toBeGreaterThanOrEqual(0)
    expect(positions[1]).toBeGreaterThan(positions[0] as number)
    const { audit, events, subscribers, overrides, catalog, other, countedAt } = await storedOf(large)
    const numbers = Object.entries({ audit, events, subscribers, overrides, catalog, other })
    expect(one).toEqual({
      organization_id: large.organizationId,
      bytes: Object.fromEntries(numbers.map(([kind, bytes]) => [kind, Number(bytes)])),
      at: countedAt?.toISOString(),
    })
    expect(await usage('--organization', large.organizationId)).toContain(Number(audit).toLocaleString('en'))
  })

  it('makes org:usage print a line for each organization, however long its statement takes', async () => {
    const DATABASE_URL = await createOwnDatabase()
    await administer(
      DATABASE_URL,
      `insert into organization (organization_id, name, created_at, updated_at)
       select lpad(n::text, 26, '0'), 'A', now(), now() from generate_series(1, 100) n;
       insert into stored_bytes (organization_id, counted_at) select organization_id, now() from organization`,
    )
    const holder = new pg.Client({ connectionString: DATABASE_URL })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; lock table stored_bytes in access exclusive mode')

    let isOver = false
    const running = runCommand('org-usage', [], { DATABASE_URL }).finally(() => {
      isOver = true
    })
    // Longer than any transaction of the service may take.
    const waiting = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'
                        and clock_timestamp() - query_start > interval '7 seconds'`
    const name = new URL(DATABASE_URL).pathname.slice(1)
    await until(async () => isOver || (await pool.query(waiting, [name])).rowCount === 1)
    await holder.query('commit')
    const { code, stdout, stderr } = await running

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trim().split('\n')).toHaveLength(101)
  })

  it('ends at once when its worker stops, keeps what it has counted of the log, and continues from there', async () => {
    const caller = await test.service.organization()
    await importSuccessfully(
      caller,
      Array.from({ length: 2000 }, (_, n) => ({ subscriber_id: `s${n}` })),
    )
    const stopping = new AbortController()
    const isBegun = async () =>
      (await pool.query('select from stored_bytes where organization_id = $1', [caller.organizationId])).rowCount === 1
    // The stop comes with the statement that stores the first count.
    const query = async (...args: [string, unknown[]]) => {
      const result = await pool.query(...args)
      if (await isBegun()) stopping.abort()
      return result
    }
    const watched = { ...options, pool: { query } as unknown as typeof pool, signal: stopping.signal }

    expect(await countStoredBytes(watched, [caller.organizationId], 0)).toBe(0)
    expect(await storedOf(caller)).toMatchObject({ countedAt: null, subscribers: 0n })
    expect((await count(caller)).audit).toBeGreaterThan(2000n * 1000n)
    expect(await countStoredBytes(options, [caller.organizationId], 0)).toBe(0)
  })

  it('runs in one process at a time', async () => {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const named = { url: test.url, name: 'test of one at a time', signal: running }
    const first = runExclusively(named, () => {
      begun.resolve()
      return end.promise
    })
    await begun.promise

    expect(await runExclusively(named, () => Promise.reject(new Error('ran beside the other')))).toBe(false)
    end.resolve()
    expect(await first).toBe(true)
    await until(() => runExclusively(named, async () => {}))
  })
})

describe('organizations that are counted more often', () => {
  it('are those close to their cap: their own cap, or else the MAX_STORED_BYTES of the server', async () => {
    const make = async (stored: { total: number; cap?: number }) => {
      const { organizationId } = await test.service.organization()
      await setStoredBytes(pool, organizationId, stored)
      return organizationId
    }
    const near = [await make({ total: 1e12 }), await make({ total: 95, cap: 100 })]
    const far = [
      await make({ total: 1e11 }),
      await make({ total: 50, cap: 100 }),
      await make({ total: 1e12, cap: -1 }),
      await make({ total: 1e12, cap: 1e13 }),
    ]

    const found = await findOrganizationsNearCap(pool, 1e12)
    for (const organizationId of near) expect(found).toContain(organizationId)
    for (const organizationId of far) expect(found).not.toContain(organizationId)
    expect(await findOrganizationsNearCap(pool, null)).not.toContain(near[0])
  })

  it('can add data again minutes after they deleted data', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    await vendor(caller).subscriber('acme')
    const { total } = await count(caller)
    await prisma.storedBytes.update({
      where: { organizationId },
      data: { cap: Number(total) + 700, total: Number(total) + 10_000 },
    })
    expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'b' })).status).toBe(409)

    expect(await findOrganizationsNearCap(pool, null)).toContain(organizationId)
    await count(caller)

    expect((await storedOf(caller)).total).toBeLessThan(total + 10_000n)
  })
})
