import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { Metrics } from '../../src/metrics/metrics.ts'
import { fromHeadFields, type SignedHead } from '../../src/recording/chain/head.ts'
import { genesis, hashLink, rowOf, toColumns, withoutOutcome } from '../../src/recording/chain/link.ts'
import { startChaining } from '../../worker/audit-chain.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { testMasterKey } from '../support/master-key.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { auditKeys, chainAllEntries, runAuditVerify, verifyChain, writeLines } from './chain.ts'

const logger = { info() {}, warn() {}, error() {} }

const test = await startDeliveryTest()
const { pool } = test.service.database
const env = { DATABASE_URL: test.url, MASTER_KEY: testMasterKey }

/** Creates an organization with a chain of seven records. `ids` are those of their entries, by position. */
async function createChain(): Promise<{
  caller: Caller
  ids: string[]
  verify: (...heads: SignedHead[]) => Promise<string[][]>
}> {
  const caller = await test.service.organization()
  for (let n = 1; n <= 7; n++) await vendor(caller).subscriber(`customer_${n}`)
  expect(await chainAllEntries(pool, caller.organizationId)).toBe(7)
  const { rows } = await pool.query(
    'select audit_event_id as id from audit_link where organization_id = $1 order by position',
    [caller.organizationId],
  )
  const verify = (...heads: SignedHead[]) => verifyChain(test.url, caller.organizationId, heads)
  return { caller, ids: ['', ...rows.map(({ id }) => id)], verify }
}

const copyOfEntry = `insert into audit_event
  select (jsonb_populate_record(entry, jsonb_build_object('audit_event_id', $2::text))).*
    from audit_event entry where audit_event_id = $1`

/** The hash that the entry would have as the record at this position. */
async function hashAt(position: number, organizationId: string, id: string): Promise<string> {
  const { rows } = await pool.query(
    `select hash, (select ${rowOf('entry')} from audit_event entry where audit_event_id = $3) as entry
       from audit_link where organization_id = $1 and position = $2 - 1`,
    [organizationId, position, id],
  )
  return hashLink({ organizationId, position, columns: toColumns(rows[0].entry) }, rows[0].hash)
}

/** Acts as an attacker with every right in the database, but without the master key. */
async function tamper(...statements: [text: string, values: unknown[]][]): Promise<void> {
  const client = new pg.Client({ connectionString: test.url })
  await client.connect()
  try {
    await client.query('begin; alter table audit_event disable trigger user')
    for (const [text, values] of statements) await client.query(text, values)
    await client.query('alter table audit_event enable trigger user; commit')
  } finally {
    await client.end()
  }
}

async function loadLogColumns(): Promise<{ name: string; type: string }[]> {
  const { rows } = await pool.query(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = 'audit_event'::regclass and attnum > 0 and not attisdropped order by attnum`,
  )
  return rows
}

/** For each type of a column, an SQL expression whose value differs from that of the column `x`. */
const changedValues: Record<string, string> = {
  text: `coalesce(x, '') || '0'`,
  'timestamp with time zone': `coalesce(x, now()) + interval '1 millisecond'`,
  jsonb: `x || '{"more": 1.0}'`,
  integer: `coalesce(x, 0) + 1`,
  audit_outcome: `(case x::text when 'rejected' then 'responded' else 'rejected' end)::audit_outcome`,
}

describe('audit:verify --database', () => {
  it('reports nothing if nobody changed anything', async () => {
    const { caller } = await createChain()
    expect(await runAuditVerify(env, '--database', '--organization', caller.organizationId)).toEqual([])
  })

  it('names the entry if any of its columns was changed', async () => {
    const { caller, ids, verify } = await createChain()
    const { organizationId } = caller
    await pool.query('alter table audit_event drop constraint audit_event_rare_outcome_check')
    for (const { name, type } of await loadLogColumns()) {
      const change = (changedValues[type] ?? '').replaceAll(/\bx\b/g, `"${name}"`)
      expect(change, `a value for ${type}`).not.toBe('')
      const where = 'where organization_id = $1 and audit_event_id = $2'
      const { rows } = await pool.query(`select to_jsonb(entry) as row from audit_event entry ${where}`, [
        organizationId,
        ids[3],
      ])
      await tamper([`update audit_event set "${name}" = ${change} ${where}`, [organizationId, ids[3]]])

      const isGone = ['organization_id', 'audit_event_id'].includes(name)
      expect(await verify(), name).toEqual([
        [isGone ? 'missing' : 'changed', '3', ids[3]],
        ...(name === 'audit_event_id' ? [['inserted', '-', `${ids[3]}0`]] : []),
      ])

      await tamper(
        [
          `delete from audit_event where audit_event_id in ($2, $2 || '0') and organization_id like $1 || '%'`,
          [organizationId, ids[3]],
        ],
        [`insert into audit_event select (jsonb_populate_record(null::audit_event, $1)).*`, [rows[0].row]],
      )
      expect(await verify(), `${name}, as it was`).toEqual([])
    }
  })

  it('names a deleted entry, whether or not its link was deleted too', async () => {
    const { caller, ids, verify } = await createChain()
    await tamper(['delete from audit_event where audit_event_id = $1', [ids[2]]])
    expect(await verify()).toEqual([['missing', '2', ids[2]]])

    await tamper(['delete from audit_link where organization_id = $1 and position = 2', [caller.organizationId]])
    expect(await verify()).toEqual([['missing', '2', '-']])
  })

  it('names an added entry, whether it has no link or a link appended to the chain', async () => {
    const { caller, ids, verify } = await createChain()
    const { organizationId } = caller
    const added = newId()
    await tamper([copyOfEntry, [ids[4], added]])
    expect(await verify()).toEqual([['inserted', '-', added]])

    const hash = await hashAt(8, organizationId, added)
    await tamper(['insert into audit_link values ($1, 8, $2, false, $3)', [organizationId, added, hash]])
    expect(await verify()).toEqual([['inserted', '8', '-']])
  })

  it('names an added entry whose link was inserted in the middle, after all later links were moved', async () => {
    const { caller, ids, verify } = await createChain()
    const { organizationId } = caller
    const added = newId()
    await tamper([copyOfEntry, [ids[4], added]])
    const hash = await hashAt(3, organizationId, added)
    await tamper(
      ['update audit_link set position = -position - 1 where organization_id = $1 and position >= 3', [organizationId]],
      ['update audit_link set position = -position where organization_id = $1 and position < 0', [organizationId]],
      ['insert into audit_link values ($1, 3, $2, false, $3)', [organizationId, added, hash]],
    )

    expect(await verify()).toEqual([
      ['changed', '7', 'head'],
      ...[3, 4, 5, 6, 7].map((was) => ['changed', `${was + 1}`, ids[was]]),
      ['inserted', '8', '-'],
    ])
  })

  it('names swapped links, whether only their entries or the whole links were swapped', async () => {
    const swap = (set: string) => `update audit_link set ${set} where organization_id = $1 and position in (2, 5)`
    const { caller, ids, verify } = await createChain()
    const both = [
      ['reordered', '2', ids[5]],
      ['reordered', '5', ids[2]],
    ]
    await tamper([
      swap('audit_event_id = case position when 2 then $3 else $2 end'),
      [caller.organizationId, ids[2], ids[5]],
    ])
    expect(await verify()).toEqual(both)

    const other = await createChain()
    await tamper(
      [
        `update audit_link set position = -position where organization_id = $1 and position in (2, 5)`,
        [other.caller.organizationId],
      ],
      [
        `update audit_link set position = 7 + position where organization_id = $1 and position < 0`,
        [other.caller.organizationId],
      ],
    )
    expect(await other.verify()).toEqual([
      ['reordered', '2', other.ids[5]],
      ['reordered', '5', other.ids[2]],
    ])
  })

  it('names a changed hash', async () => {
    const { caller, ids, verify } = await createChain()
    await tamper([
      `update audit_link set hash = repeat('ab', 32) where organization_id = $1 and position = 3`,
      [caller.organizationId],
    ])
    expect(await verify()).toEqual([['changed', '3', ids[3]]])
  })

  it('names a missing end, even one that a reset of the stored head hides if a head was kept elsewhere', async () => {
    const { caller, ids, verify } = await createChain()
    const { organizationId } = caller
    const early = await pool.query('select * from audit_chain where organization_id = $1', [organizationId])
    await vendor(caller).subscriber('customer_8')
    await chainAllEntries(pool, organizationId)
    const keptHead = await caller.rest('GET', '/org/audit-events/head')
    expect(keptHead.body).toMatchObject({ position: 8, unchained: 0 })
    const head = fromHeadFields(keptHead.body, organizationId) as SignedHead
    expect(await verify(head)).toEqual([])

    await tamper(
      ['delete from audit_event where organization_id = $1 and audit_event_id > $2', [organizationId, ids[7]]],
      ['delete from audit_link where organization_id = $1 and position > 7', [organizationId]],
    )
    expect(await verify()).toEqual([['cut off', '8', '-']])
    const { position, hash, signed_at, signature } = early.rows[0]
    await tamper([
      'update audit_chain set position = $2, hash = $3, signed_at = $4, signature = $5 where organization_id = $1',
      [organizationId, position, hash, signed_at, signature],
    ])
    expect(await verify()).toEqual([])
    expect(await verify(head)).toEqual([['cut off', '8', '-']])
    const file = writeLines([JSON.stringify(keptHead.body)])
    expect(await runAuditVerify(env, '--database', '--organization', organizationId, '--head', file)).toEqual([
      ['cut off', '8', '-'],
    ])
  })

  it('names heads that were changed in any column', async () => {
    const { caller, verify } = await createChain()
    const { organizationId } = caller
    const { rows } = await pool.query('select to_jsonb(c) as row from audit_chain c where organization_id = $1', [
      organizationId,
    ])
    const set = async (change: string) =>
      tamper([`update audit_chain set ${change} where organization_id = $1`, [organizationId]])
    for (const change of [
      `hash = repeat('ab', 32)`,
      `signed_at = signed_at + interval '1 second'`,
      `signature = reverse(signature)`,
      `kid = reverse(kid)`,
    ]) {
      await set(change)
      expect(await verify(), change).toEqual([['changed', '7', 'head']])
      await set(`hash = '${rows[0].row.hash}', signed_at = '${rows[0].row.signed_at}',
                 signature = '${rows[0].row.signature}', kid = '${rows[0].row.kid}'`)
    }
    await set('position = 6')
    expect(await verify()).toEqual([
      ['changed', '6', 'head'],
      ['inserted', '7', '-'],
    ])
    await set('position = 9')
    expect(await verify()).toContainEqual(['changed', '9', 'head'])
    await set('position = 0, hash = default, signed_at = null, signature = null, kid = null')
    expect(await verify()).toEqual([['inserted', '1-7', '-']])
    // Only retention may delete the beginning of a chain.
    const forged = await createChain()
    await tamper(
      [
        `update audit_chain set cut_position = 2, cut_at = now(), cut_signature = signature, cut_kid = kid, cut_hash =
                (select hash from audit_link where organization_id = $1 and position = 2) where organization_id = $1`,
        [forged.caller.organizationId],
      ],
      [
        'delete from audit_event where organization_id = $1 and audit_event_id <= $2',
        [forged.caller.organizationId, forged.ids[2]],
      ],
      ['delete from audit_link where organization_id = $1 and position <= 2', [forged.caller.organizationId]],
    )
    expect(await forged.verify()).toEqual([
      ['changed', '2', 'cut'],
      ['missing', '1-2', '-'],
    ])
  })

  it('names a chain that was rewritten without the key, and no worker extends it', async () => {
    const { caller, ids, verify } = await createChain()
    const { organizationId } = caller
    const { body } = await caller.rest('GET', '/org/audit-events/head')
    await tamper([`update audit_event set ip = '203.0.113.9' where audit_event_id = $1`, [ids[1]]])
    const { rows } = await pool.query(
      `select position::int, ${rowOf('entry')} as entry
         from audit_link join audit_event entry using (organization_id, audit_event_id)
        where organization_id = $1 order by position`,
      [organizationId],
    )
    let hash = genesis
    for (const { position, entry } of rows) {
      hash = hashLink({ organizationId, position, columns: toColumns(entry) }, hash)
      await tamper([
        'update audit_link set hash = $3 where organization_id = $1 and position = $2',
        [organizationId, position, hash],
      ])
    }
    await tamper(['update audit_chain set hash = $2 where organization_id = $1', [organizationId, hash]])

    expect(await verify()).toEqual([['changed', '7', 'head']])
    expect(await verify(fromHeadFields(body, organizationId) as SignedHead)).toEqual([
      ['changed', '7', 'head'],
      ['changed', '7', 'head'],
    ])
    await vendor(caller).subscriber('customer_8')
    expect(await chainAllEntries(pool, organizationId)).toBe(7)
    // The metric shows operators that a chain is stuck.
    const metrics = new Metrics()
    const chaining = startChaining({ pool, clock: createTestClock(), keys: auditKeys, logger, metrics })
    const stuck = async () => (await metrics.auditChainsStuck.toJson()).values.map(({ value }) => value)
    await until(async () => (await stuck())[0] === 1)
    await chaining.stop()
  })
})

describe('the format of the chain', () => {
  it('contains the text of each column as PostgreSQL stores it', async () => {
    const text = `a "quoted" \\ one, with {brackets]: 漢字 \n and a null byte's name \\u0000`
    const { rows } = await pool.query(
      `select ${rowOf('entry')} as row from (
         select $1::text as text, ''::text as empty, null::text as none, 1.50 as number, true as "isTrue", '{}'::jsonb as object,
                '{"a": [1.0, {"b": "}\\""}], "c": 100000000000000000000}'::jsonb as nested, 'last'::text as last) entry`,
      [text],
    )
    expect(toColumns(rows[0].row)).toEqual({
      text,
      empty: '',
      none: null,
      number: '1.50',
      isTrue: 'true',
      object: '{}',
      nested: '{"a": [1.0, {"b": "}\\""}], "c": 100000000000000000000}',
      last: 'last',
    })
  })

  it('contains a pending entry with the columns that it had before its outcome', () => {
    const columns = {
      outcome: 'responded',
      status: '200',
      details: '{}',
      created_id: null,
      rare_outcome: null,
      changed_at: 'x',
      ip: '::1',
    }
    expect(withoutOutcome(columns)).toEqual({
      outcome: 'pending',
      status: null,
      details: null,
      created_id: null,
      rare_outcome: null,
      changed_at: null,
      ip: '::1',
    })
  })
})
