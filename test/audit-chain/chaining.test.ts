import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { SigningKeys } from '../../src/access/signing-keys.ts'
import { AuditExporter } from '../../src/cli/audit/audit-exporter.ts'
import { createVault } from '../../src/core/vault.ts'
import { deriveAuditKeys } from '../../src/database/master-key.ts'
import { fromHeadFields, isSigned } from '../../src/recording/chain/head.ts'
import { outcomeColumns } from '../../src/recording/chain/link.ts'
import { chainBatch, findOrganizationsToChain } from '../../worker/jobs/chain-audit.ts'
import { pruneAudit } from '../../worker/jobs/prune-audit.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { testMasterKey } from '../support/master-key.ts'
import { spawnWorker } from '../support/spawn-service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { auditKeys, chainAllEntries, runAuditExport, runAuditVerify, verifyChain, writeLines } from './chain.ts'

const test = await startDeliveryTest()
const { pool } = test.service.database
const env = { DATABASE_URL: test.url, MASTER_KEY: testMasterKey }
const size = { rows: 500, bytes: 1_000_000 }

async function loadLinks(organizationId: string) {
  const { rows } = await pool.query(
    `select position::int, audit_event_id as id, is_pending as "isPending" from audit_link
      where organization_id = $1 order by position`,
    [organizationId],
  )
  return rows
}

/** Runs the work; resolves to the lines that it prints. */
async function captureOutput(work: () => Promise<void>): Promise<string[]> {
  let output = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(((text: string, onWritten: () => void) => {
    output += text
    onWritten()
    return true
  }) as typeof process.stdout.write)
  try {
    await work()
  } finally {
    write.mockRestore()
  }
  return output.split('\n').slice(0, -1)
}

/**
 * A pool that does not run the statement `read-unchained`, but explains it: returns no entries, and adds the statement's plan,
 * with the number of rows that each step reads, to `plans`.
 */
function createExplainingPool(plans: string[]): typeof pool {
  const connect = async () => {
    const client = await pool.connect()
    const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
      const isReading = typeof statement === 'object' && statement.name === 'read-unchained'
      if (!isReading) return client.query(statement as string, values)
      const { rows } = await client.query(`explain (analyze, format json) ${statement.text}`, statement.values)
      plans.push(JSON.stringify(rows))
      return { rows: [] }
    }
    return { query, release: () => client.release() }
  }
  return { connect } as unknown as typeof pool
}

/** Adds an entry without an outcome to the organization's log; returns its id. */
async function addPendingEntry(organizationId: string): Promise<string> {
  const { rows } = await pool.query(
    `insert into audit_event
     select (jsonb_populate_record(entry, '{"audit_event_id": "${'0'.repeat(25)}1", "outcome": "pending", "status": null,
                                            "details": null, "created_id": null, "changed_at": null}')).*
       from audit_event entry where organization_id = $1 limit 1
     returning audit_event_id as id`,
    [organizationId],
  )
  await pool.query('insert into audit_event_unchained values ($1, $2)', [organizationId, rows[0].id])
  return rows[0].id
}

describe('the chain', () => {
  it('is extended again once its organization has been moved back after a deletion, but not while it is being deleted', async () => {
    const { organizationId, rest } = await test.service.organization()
    await rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
    const extend = () => chainBatch({ pool, clock: test.clock, keys: auditKeys }, [organizationId], size)
    await pool.query('insert into deleted_organization (organization_id, started_at) values ($1, now())', [
      organizationId,
    ])
    expect(await extend()).toEqual([])

    await pool.query('update deleted_organization set finished_at = now() where organization_id = $1', [organizationId])

    await until(async () => (await extend())[0]?.rows === 1)
  })

  it('adds an entry once it has an outcome, or after an hour without one, and adds a later outcome separately', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    await vendor(caller).subscriber('acme')
    const id = await addPendingEntry(organizationId)
    await pool.query('alter table audit_event disable trigger user')
    await pool.query('update audit_event set occurred_at = now() where audit_event_id = $1', [id])
    await pool.query('alter table audit_event enable trigger user')
    const read = () => findOrganizationsToChain({ pool, clock: test.clock }, { after: '', limit: 1000, withOld: true })
    expect(await read()).toContain(organizationId)
    expect(await chainAllEntries(pool, organizationId)).toBe(2)
    expect(await read()).not.toContain(organizationId)
    expect(await verifyChain(test.url, organizationId)).toEqual([])
    const early = await runAuditExport(env, organizationId)

    await pool.query(
      `update audit_event set outcome = 'no_response', rare_outcome = 'no_response' where audit_event_id = $1`,
      [id],
    )

    expect(await chainAllEntries(pool, organizationId)).toBe(3)
    expect((await loadLinks(organizationId)).filter((link) => link.id === id)).toEqual([
      { position: expect.any(Number), id, isPending: true },
      { position: 3, id, isPending: false },
    ])
    expect(await verifyChain(test.url, organizationId)).toEqual([])
    // The earlier records are unchanged.
    const entries = (lines: readonly string[]) => lines.filter((line) => line.startsWith('{"kind":"entry"'))
    expect(entries(await runAuditExport(env, organizationId)).slice(0, 2)).toEqual(entries(early))
  })

  it("waits an hour for an outcome, by the database's clock", async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    await vendor(caller).subscriber('acme')
    const { rows } = await pool.query('select max(audit_event_id) as id from audit_event where organization_id = $1', [
      organizationId,
    ])
    await pool.query('alter table audit_event disable trigger user')
    await pool.query(
      `update audit_event set outcome = 'pending', status = null, changed_at = null, created_id = null, details = null
        where audit_event_id = $1`,
      [rows[0].id],
    )
    await pool.query('alter table audit_event enable trigger user')
    const clock = createTestClock()
    clock.advance(3500)
    expect(await chainAllEntries(pool, organizationId, clock)).toBe(0)
    expect((await caller.rest('GET', '/org/audit-events/head')).body).toMatchObject({ position: 0, unchained: 1 })
    clock.advance(200)
    expect(await chainAllEntries(pool, organizationId, clock)).toBe(1)
    expect((await caller.rest('GET', '/org/audit-events/head')).body).toMatchObject({ position: 1, unchained: 0 })
  })

  it('adds each entry, whatever its id and however late it commits, without delaying other entries', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    await vendor(caller).subscriber('first')
    const late = await pool.connect()
    await late.query('begin')
    const { rows } = await late.query(
      `insert into audit_event select (jsonb_populate_record(entry, '{"audit_event_id": "${'0'.repeat(25)}2"}')).*
         from audit_event entry where organization_id = $1 limit 1 returning audit_event_id as id`,
      [organizationId],
    )
    await late.query('insert into audit_event_unchained values ($1, $2)', [organizationId, rows[0].id])
    await vendor(caller).subscriber('second')
    expect(await chainAllEntries(pool, organizationId)).toBe(2)

    await late.query('commit')
    late.release()

    expect(await chainAllEntries(pool, organizationId)).toBe(3)
    expect((await loadLinks(organizationId))[2].id).toBe(rows[0].id)
  })

  it('also adds older entries in batches, before newer ones', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    for (let n = 0; n < 5; n++) await vendor(caller).subscriber(`before_${n}`)
    await pool.query('delete from audit_event_unchained where organization_id = $1', [organizationId])
    await pool.query(`insert into audit_chain (organization_id, swept_until) values ($1, '')`, [organizationId])
    await vendor(caller).subscriber('since')
    expect((await caller.rest('GET', '/org/audit-events/head')).body).toMatchObject({ position: 0, unchained: 6 })
    const options = { pool, clock: test.clock, keys: auditKeys }
    const batch = () => chainBatch(options, [organizationId], { ...size, rows: 4 })

    expect(await findOrganizationsToChain(options, { after: '', limit: 10, withOld: false })).toContain(organizationId)
    expect(await batch()).toMatchObject([{ rows: 4, isFull: true }])
    expect((await caller.rest('GET', '/org/audit-events/head')).body).toMatchObject({ position: 4, unchained: 2 })
    expect(await batch()).toMatchObject([{ rows: 2, isFull: false }])
    expect(await verifyChain(test.url, organizationId)).toEqual([])
    expect(await findOrganizationsToChain(options, { after: '', limit: 10, withOld: false })).not.toContain(
      organizationId,
    )
  })

  it('limits the bytes of a batch, which contains at least one entry', async () => {
    const caller = await test.service.organization()
    for (let n = 0; n < 3; n++) await vendor(caller).subscriber(`large_${n}`, { name: 'n'.repeat(200) })
    const options = { pool, clock: test.clock, keys: auditKeys }
    await chainBatch(options, [caller.organizationId], size)
    const parts = await chainBatch(options, [caller.organizationId], { rows: 500, bytes: 1 })
    expect(parts).toMatchObject([{ rows: 1, isFull: true }])
  })

  it('reads only the entries of a batch, however many entries wait', async () => {
    const { organizationId, rest } = await test.service.organization()
    await rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
    await pool.query(
      `insert into audit_event_unchained select $1, 'Z' || lpad(number::text, 25, '0') from generate_series(1, 2000) number`,
      [organizationId],
    )
    const options = { clock: test.clock, keys: auditKeys }
    const plans: string[] = []
    await chainBatch({ ...options, pool }, [organizationId], size)

    await chainBatch({ ...options, pool: createExplainingPool(plans) }, [organizationId], { ...size, rows: 1 })

    await pool.query(`delete from audit_event_unchained where organization_id = $1`, [organizationId])
    const read = /"Relation Name":"audit_event_unchained"[^{}]*"Actual Rows":1,/
    expect(plans).toEqual([expect.stringMatching(read)])
  })

  it('treats exactly the columns that may change as columns of an outcome', async () => {
    const { rows } = await pool.query(
      `select attname as name from pg_trigger, unnest(tgattr::int[]) as number
         join pg_attribute on attrelid = 'audit_event'::regclass and attnum = number
        where tgrelid = 'audit_event'::regclass and tgname = 'audit_event_guard_update'`,
    )
    const { rows: all } = await pool.query(
      `select attname as name from pg_attribute where attrelid = 'audit_event'::regclass and attnum > 0 and not attisdropped`,
    )
    const guarded = rows.map(({ name }) => name)
    expect(
      all
        .map(({ name }) => name)
        .filter((name) => !guarded.includes(name))
        .sort(),
    ).toEqual([...outcomeColumns].sort())
  })
})

describe('several workers', () => {
  it('never fork a chain, even if each worker is killed in turn under load', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    let isOver = false
    let written = 0
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      while (!isOver) {
        await vendor(caller).subscriber(`of_${writer}_${written++}`)
        await wait(20)
      }
    })
    const positionOf = async () => {
      const { rows } = await pool.query('select position::int from audit_chain where organization_id = $1', [
        organizationId,
      ])
      return rows[0]?.position ?? 0
    }
    const moved = async () => {
      const position = await positionOf()
      await until(async () => (await positionOf()) > position)
    }
    const start = () => spawnWorker({ ...env, LOG_LEVEL: 'error' })
    const workers = await Promise.all([start(), start()])
    for (const index of [0, 1]) {
      await moved()
      await workers[index]?.end('SIGKILL')
      await moved()
      workers[index] = await start()
    }
    await moved()
    isOver = true
    await Promise.all(writing)
    await until(async () => (await positionOf()) === written)
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')))

    expect((await loadLinks(organizationId)).map(({ position }) => position)).toEqual(
      Array.from({ length: written }, (_, index) => index + 1),
    )
    expect(await verifyChain(test.url, organizationId)).toEqual([])
  })

  it('alternate between organizations, log the heads, and do not extend a chain whose head they did not sign', async () => {
    const [busy, other] = [await test.service.organization(), await test.service.organization()]
    await vendor(busy).subscriber('acme')
    await pool.query(
      `with entry as (
         insert into audit_event
         select (jsonb_populate_record(entry, jsonb_build_object('audit_event_id', '0' || lpad(n::text, 25, '0')))).*
           from audit_event entry, generate_series(1, 5000) n where organization_id = $1 returning audit_event_id)
       insert into audit_event_unchained select $1, audit_event_id from entry`,
      [busy.organizationId],
    )
    await vendor(other).subscriber('acme')
    let log = ''
    const worker = await spawnWorker({ ...env, LOG_LEVEL: 'info' }, (text) => {
      log += text
    })
    const headOf = async (caller: typeof busy) => (await caller.rest('GET', '/org/audit-events/head')).body
    await until(async () => (await headOf(other)).position === 1)
    await until(async () => (await headOf(busy)).position === 5_001)
    const { rows } = await pool.query(
      `select (select xmin::text::bigint from audit_link where organization_id = $2) < max(xmin::text::bigint) as "isEarlier"
         from audit_link where organization_id = $1`,
      [busy.organizationId, other.organizationId],
    )
    expect(rows).toEqual([{ isEarlier: true }])
    await worker.end('SIGTERM')
    const heads = log.split('\n').flatMap((line) => (line.includes('"heads"') ? JSON.parse(line).heads : []))
    expect(heads).toContainEqual(expect.objectContaining({ organization_id: busy.organizationId, position: 5_001 }))
    expect(
      await runAuditVerify(
        env,
        '--database',
        '--organization',
        busy.organizationId,
        '--head',
        writeLines(log.split('\n')),
      ),
    ).toEqual([])
  })
})

describe('the keys that sign heads', () => {
  it('are listed with their purpose, including that of MASTER_KEY_PREVIOUS, and never come from a row of the database', async () => {
    const [own, previous] = [createVault(Buffer.alloc(32, 1)), createVault(Buffer.alloc(32, 2))]
    const [ownKey, previousKey] = deriveAuditKeys({ ...own, previous })
    await pool.query(
      `insert into signing_key (kid, purpose, public_key, first_used_at, last_used_at, signatures_until)
       values ('planted', 'audit-head', 'x', now(), now(), now() + interval '1 day')`,
    )
    const listed = await new SigningKeys({ vault: { ...own, previous }, pool }).published()
    expect(listed.filter(({ purpose }) => purpose === 'audit-head').map(({ kid }) => kid)).toEqual([
      ownKey.kid,
      previousKey?.kid,
    ])
    expect(listed.map(({ kid }) => kid)).toContain('planted')
    await pool.query(`delete from signing_key where kid = 'planted'`)
  })

  it('verify the head that the APIs return, even the head of an empty chain', async () => {
    const caller = await test.service.organization()
    const none = (await caller.rest('GET', '/org/audit-events/head')).body
    expect(none).toMatchObject({ position: 0, hash: '0'.repeat(64), unchained: 0 })
    await vendor(caller).subscriber('acme')
    await chainAllEntries(pool, caller.organizationId)
    const { body } = await caller.rest('GET', '/org/audit-events/head')
    for (const each of [none, body]) {
      const head = fromHeadFields(each)
      expect(head && isSigned('head', head, auditKeys)).toBe(true)
      expect(head && isSigned('cut', head, auditKeys)).toBe(false)
    }
    const { data } = (
      await caller.graphql('{ auditHead { organizationId position hash signedAt signature kid unchained } }')
    ).body
    expect(body.organization_id).toBe(caller.organizationId)
    const { organization_id: organizationId, signed_at: signedAt, ...rest } = body
    expect(data.auditHead).toEqual({ ...rest, organizationId, signedAt })
  })
})

/** Creates an organization whose entries are older than the retention period. */
async function createOldLog(entries: number) {
  const caller = await test.service.organization()
  for (let n = 0; n < entries; n++) await vendor(caller).subscriber(`customer_${n}`)
  await chainAllEntries(pool, caller.organizationId)
  const clock = createTestClock()
  clock.advance(40 * 24 * 3600)
  const { signal } = new AbortController()
  const pruning = { pool, clock, keys: auditKeys, logger: console, retentionDays: 30, signal }
  return { caller, organizationId: caller.organizationId, pruning }
}

describe('AUDIT_RETENTION_DAYS', () => {
  it('deletes the beginning of the chain; the remaining records, and an export of them, still verify', async () => {
    const { caller, organizationId, pruning } = await createOldLog(3)
    await pruneAudit(pruning)
    expect(await loadLinks(organizationId)).toEqual([])
    const keys = writeLines([await (await fetch(`${test.service.url}/.well-known/jwks.json`)).text()])
    const none = await runAuditExport(env, organizationId)
    expect(none.map((line) => JSON.parse(line).kind)).toEqual(['cut', 'head'])
    expect(await runAuditVerify(env, '--file', writeLines(none), '--keys', keys)).toEqual([])
    await vendor(caller).subscriber('since')
    expect(await chainAllEntries(pool, organizationId)).toBe(4)

    expect(await verifyChain(test.url, organizationId)).toEqual([])
    const lines = await runAuditExport(env, organizationId)
    expect(lines.map((line) => [JSON.parse(line).kind, JSON.parse(line).position])).toEqual([
      ['cut', 3],
      ['entry', 4],
      ['head', 4],
    ])
    expect(await runAuditVerify(env, '--file', writeLines(lines), '--keys', keys)).toEqual([])
    expect(await runAuditVerify(env, '--file', writeLines(lines.slice(1)), '--keys', keys)).toEqual([
      ['missing', '1-3', '-'],
    ])
  })

  it('deletes nothing while the organization is being moved', async () => {
    const { organizationId, pruning } = await createOldLog(2)
    const mark = (until: string | null) =>
      pool.query('update member set moving_until = $2 where organization_id = $1', [organizationId, until])

    await mark('9999-01-01T00:00:00Z')
    await pruneAudit(pruning)
    expect(await loadLinks(organizationId)).toHaveLength(2)

    await mark(null)
    await pruneAudit(pruning)
    expect(await loadLinks(organizationId)).toEqual([])
  })

  it('deletes no entries from an export that has already begun', async () => {
    const { organizationId, pruning } = await createOldLog(3)
    const client = new pg.Client({ connectionString: test.url })
    await client.connect()
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    const pruneBeforeLinks = async (...args: unknown[]) => {
      if ((args[0] as { name?: string }).name === 'read-links') await pruneAudit(pruning)
      return query(...args)
    }
    Object.assign(client, { query: pruneBeforeLinks })

    const lines = await captureOutput(() => new AuditExporter(organizationId, 0, true).print(client))
    await client.end()

    expect(await loadLinks(organizationId)).toEqual([])
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['entry', 'entry', 'entry', 'head'])
  })

  it('does not delete entries that were changed in the database', async () => {
    const caller = await test.service.organization()
    const { organizationId } = caller
    await vendor(caller).subscriber('acme')
    await chainAllEntries(pool, organizationId)
    await pool.query('alter table audit_event disable trigger user')
    await pool.query(`update audit_event set route = '/org' where organization_id = $1`, [organizationId])
    await pool.query('alter table audit_event enable trigger user')
    const clock = createTestClock()
    clock.advance(40 * 24 * 3600)
    const warnings: string[] = []
    const logger = { error: (_: unknown, text?: string) => void warnings.push(text ?? '') }
    await pruneAudit({ pool, clock, keys: auditKeys, logger, retentionDays: 30, signal: new AbortController().signal })
    expect(await loadLinks(organizationId)).toHaveLength(1)
    expect(warnings).toContain('old entries of an audit log were changed in the database, and are not deleted')
  })
})

describe('audit:export', () => {
  it('writes a file in which audit:verify finds changed, missing, moved, added and deleted records', async () => {
    const caller = await test.service.organization()
    for (let n = 1; n <= 5; n++) await vendor(caller).subscriber(`customer_${n}`)
    await chainAllEntries(pool, caller.organizationId)
    const lines = await runAuditExport(env, caller.organizationId)
    const [one, two, three, four, five, head] = lines as [string, string, string, string, string, string]
    const ids = lines.map((line) => JSON.parse(line).audit_event_id)
    const [{ kid, x }] = deriveAuditKeys(createVault(Buffer.alloc(32, 1)))
    const earlier = JSON.stringify({ keys: [{ kid, x, purpose: 'audit-head' }] })
    const keys = writeLines([earlier, await (await fetch(`${test.service.url}/.well-known/jwks.json`)).text()])
    const verify = (records: string[], ...args: string[]) =>
      runAuditVerify(env, '--file', writeLines(records), '--keys', keys, ...args)

    expect(await verify(lines)).toEqual([])
    expect(await verify([one, two.replace('customer_2', 'customer_9'), three, four, five, head])).toEqual([
      ['changed', '2', ids[1]],
    ])
    expect(await verify([one, three, four, five, head])).toEqual([['missing', '2', '-']])
    expect(await verify([one, three, two, four, five, head])).toEqual([['reordered', '2', ids[1]]])
    expect(await verify([one, two, two, three, four, five, head])).toEqual([['inserted', '2', ids[1]]])
    expect(await verify([one, two, three, head])).toEqual([['cut off', '4-5', '-']])
    expect(await verify([one, two, three], '--head', writeLines([head]))).toEqual([['cut off', '4-5', '-']])
    expect(await verify([four, five, head], '--after', '3')).toEqual([])
    expect(await verify([head], '--after', '5')).toEqual([])
    expect(await verify([head], '--after', '3')).toEqual([['cut off', '4-5', '-']])
    expect(await verify([...lines.slice(0, 5), head.replace('"position":5', '"position":4')])).toEqual([
      ['changed', '4', 'head'],
    ])
  })

  it('writes the records after --after, and with --follow new ones too, even after a lost connection', async () => {
    const caller = await test.service.organization()
    for (let n = 1; n <= 2; n++) await vendor(caller).subscriber(`customer_${n}`)
    await chainAllEntries(pool, caller.organizationId)
    const { run } = await import('../start/server-process.ts')
    const args = ['--organization', caller.organizationId, '--after', '1', '--follow']
    const { child, stdout, ended } = run({ script: 'src/cli/audit-export.ts', args, env })
    const positions = () =>
      stdout()
        .split('\n')
        .flatMap((line) => (line.startsWith('{"kind":"entry"') ? JSON.parse(line).position : []))
    await until(async () => positions().length === 1)
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity 
        where application_name = 'entitlements-service audit export' and datname = current_database()`,
    )
    await vendor(caller).subscriber('customer_3')
    await chainAllEntries(pool, caller.organizationId)
    await until(async () => positions().length === 2)
    child.kill('SIGTERM')
    await ended
    expect(positions()).toEqual([2, 3])
  })
})
