import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { newApiKey } from '../../src/access/api-key.ts'
import { gateStatement } from '../../src/modules/entitlements/gate-statement.ts'
import { TextQuery } from '../../src/modules/entitlements/text-query.ts'
import { featureOf, size, subscriberId } from './model.ts'
import { seedBench } from './seed.ts'

const url = process.env.BENCH_DB as string
const client = new pg.Client({ connectionString: url })
await client.connect()
const pool = new pg.Pool({ connectionString: url, max: 1 })
const n = Number(process.argv[2] ?? 64)
const seconds = Number(process.argv[3] ?? 3)
const file = process.argv[4]
const keyRows = (await pool.query('select key_hash from api_key')).rows.map((r) => r.key_hash as Buffer)
const version = (await pool.query('select catalog_version from organization limit 1')).rows[0].catalog_version
const defaults = {
  roles: ['admin', 'developer', 'evaluator'],
  rateLimitPerSecond: 100,
  monthlyAllotment: null,
  lockTimeoutMs: 2500,
}
const pick = (k: number) => Math.floor(Math.random() * k)
const batches = Array.from({ length: 400 }, () =>
  gateStatement(
    Array.from({ length: n }, () => ({
      keyHash: keyRows[pick(keyRows.length)],
      held: String(version),
      subscriberId: subscriberId(pick(size.subscribers)),
      features: [featureOf(pick(size.features)).key],
      known: true,
    })) as never,
    defaults,
  ),
)
const text = file ? await readFile(file, 'utf8') : batches[0].text
const pid = (await client.query('select pg_backend_pid() p')).rows[0].p
const cpu = async () => {
  const f = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ')
  return (Number(f[11]) + Number(f[12])) * 10
}
for (let i = 0; i < 300; i++) await run(i)
const c0 = await cpu()
const t0 = performance.now()
let k = 0
while (performance.now() - t0 < seconds * 1000) await run(k++)
const c1 = await cpu()
const t = performance.now() - t0
console.log(
  `n=${n}: ${((t / k) * 1000).toFixed(0)} us wall/statement, pg cpu ${(((c1 - c0) / k) * 1000).toFixed(0)} us/statement, ${(((c1 - c0) / k / n) * 1000).toFixed(1)} us/eval`,
)
async function run(i: number) {
  const q = new TextQuery({ ...batches[i % batches.length], text, name: 'x' } as never, 5000)
  client.query(q as never)
  await q.received
}
await client.end()
await pool.end()
