import { expect, it } from 'vitest'
import { gateTexts } from '../../src/gate/statement/gate-text.ts'
import { database } from './harness.ts'

it("the gate's statement reads overrides of single features by their primary key", async () => {
  const client = await database.connect()
  try {
    await client.query('begin')
    // Makes PostgreSQL plan as for a large table: the database of the tests may have few rows and no statistics.
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query('set local enable_seqscan = off')
    await client.query('set local enable_bitmapscan = off')
    await client.query(`prepare gate_plan as ${gateTexts().counting.byKey}`)
    const { rows } = await client.query(`explain execute gate_plan(${new Array(16).fill('null').join()})`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')

    const [, index] = plan.match(/using (\S+) on override/) ?? []
    expect(index).toBe('override_pkey')
  } finally {
    await client.query('rollback; deallocate gate_plan')
    client.release()
  }
})
