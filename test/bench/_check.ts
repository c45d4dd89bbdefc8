import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { newApiKey } from '../../src/access/api-key.ts'
import { nextCheck, nextSnapshot } from './exchanges.ts'
import { runLoad } from './http-load.ts'
import { size } from './model.ts'
import { residentMegabytes, startService } from './processes.ts'
import { seedBench } from './seed.ts'

const seconds = Number(process.argv[2] ?? 5)
const connections = Number(process.argv[3] ?? 128)
const service = await startService()
const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
const keys = Array.from({ length: size.organizations }, () => newApiKey())
await seedBench(
  pool,
  keys.map((k) => k.hash),
)
const texts = keys.map((k) => k.key)
const ticks = async (pid: number | string) => {
  const f = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ')
  return (Number(f[11]) + Number(f[12])) * 10
}
for (const [name, next] of [
  ['check', nextCheck],
  ['check', nextCheck],
  ['check', nextCheck],
  ['snapshot', nextSnapshot],
] as const) {
  await runLoad({ port: service.port, connections, durationMs: 1500, next: () => next(texts) })
  const gate = (
    await pool.query(
      `select pid from pg_stat_activity where query like '%set_config(''synchronous_commit''%' and pid <> pg_backend_pid()`,
    )
  ).rows[0].pid
  const before = [await ticks(service.pid), await ticks(gate), await ticks(process.pid)]
  const r = await runLoad({ port: service.port, connections, durationMs: seconds * 1000, next: () => next(texts) })
  const after = [await ticks(service.pid), await ticks(gate), await ticks(process.pid)]
  const us = after.map((a, i) => (((a - before[i]) * 1000) / r.requests).toFixed(1))
  const busy = after.map((a, i) => ((a - before[i]) / seconds / 10).toFixed(0))
  console.log(
    name,
    Math.round(r.perSecond),
    'p50',
    r.p50Ms,
    'p99',
    r.p99Ms,
    `us: node ${us[0]} pg ${us[1]} client ${us[2]}; busy% ${busy}`,
    Math.round(await residentMegabytes(service.pid)),
    'MB',
  )
}
await pool.end()
await service.stop()
