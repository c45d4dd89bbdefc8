import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { gateStatement } from '../../src/modules/entitlements/gate-statement.ts'
import { featureOf, size, subscriberId } from './model.ts'

const client = new pg.Client({ connectionString: process.env.BENCH_DB })
await client.connect()
const n = 64,
  pick = (k: number) => Math.floor(Math.random() * k)
const keyRows = (await client.query('select key_hash from api_key')).rows.map((r) => r.key_hash as Buffer)
const version = (await client.query('select catalog_version from organization limit 1')).rows[0].catalog_version
const defaults = {
  roles: ['admin', 'developer', 'evaluator'],
  rateLimitPerSecond: 100,
  monthlyAllotment: null,
  lockTimeoutMs: 2500,
}
const st = gateStatement(
  Array.from({ length: n }, () => ({
    keyHash: keyRows[pick(keyRows.length)],
    held: String(version),
    subscriberId: subscriberId(pick(size.subscribers)),
    features: [featureOf(pick(size.features)).key],
    known: true,
  })) as never,
  defaults,
)
const text = process.argv[2] ? await readFile(process.argv[2], 'utf8') : st.text
const lit = (v: unknown) =>
  v === null ? 'null' : typeof v === 'number' ? String(v) : `'${String(v).replace(/'/g, "''")}'`
await client.query(`prepare g as ${text}`)
await client.query(`set plan_cache_mode = force_generic_plan`)
await client.query('begin')
for (let i = 0; i < 5; i++) {
  const r = await client.query(
    `explain (analyze, ${i < 4 ? 'timing off,' : ''} costs on, buffers off) execute g(${(st.values as unknown[]).map(lit).join(',')})`,
  )
  if (i === 4) console.log(r.rows.map((x) => x['QUERY PLAN']).join('\n'))
  else console.log(r.rows.at(-1))
}
await client.query('rollback')
await client.end()
