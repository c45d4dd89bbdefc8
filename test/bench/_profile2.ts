import { writeFile } from 'node:fs/promises'
import pg from 'pg'
import { newApiKey } from '../../src/access/api-key.ts'
import { nextCheck, nextSnapshot } from './exchanges.ts'
import { runLoad } from './http-load.ts'
import { size } from './model.ts'
import { residentMegabytes, startService } from './processes.ts'
import { seedBench } from './seed.ts'

const service = await startService()
const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
const keys = Array.from({ length: size.organizations }, () => newApiKey())
await seedBench(
  pool,
  keys.map((k) => k.hash),
)
const texts = keys.map((k) => k.key)
const [{ webSocketDebuggerUrl }] = (await (await fetch('http://127.0.0.1:9339/json')).json()) as never
const ws = new WebSocket(webSocketDebuggerUrl)
await new Promise((r) => ws.addEventListener('open', r))
let id = 0
const pending = new Map()
ws.addEventListener('message', (m) => {
  const d = JSON.parse(m.data)
  if (d.id) {
    pending.get(d.id)?.(d.result ?? d.error)
    pending.delete(d.id)
  }
})
const call = (method: string, params = {}) =>
  new Promise<any>((r) => {
    const n = ++id
    pending.set(n, r)
    ws.send(JSON.stringify({ id: n, method, params }))
  })
const usage = async (label: string) => {
  const r = await call('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())', returnByValue: true })
  const u = JSON.parse(r.result.value)
  console.log(
    label,
    Object.fromEntries(Object.entries(u).map(([k, v]) => [k, Math.round((v as number) / 1e6)])),
    Math.round(await residentMegabytes(service.pid)),
  )
}
await usage('idle')
await call('HeapProfiler.enable')
await call('HeapProfiler.collectGarbage')
await usage('idle after gc')
await call('Profiler.enable')
for (const [name, next] of [
  ['check', nextCheck],
  ['snapshot', nextSnapshot],
] as const) {
  await runLoad({ port: service.port, connections: 128, durationMs: 2000, next: () => next(texts) })
  await usage(name)
  await call('HeapProfiler.collectGarbage')
  await usage(name + ' after gc')
  await call('Profiler.setSamplingInterval', { interval: 250 })
  await call('Profiler.start')
  let r = await runLoad({ port: service.port, connections: 128, durationMs: 4000, next: () => next(texts) })
  await writeFile(`/tmp/${name}.cpuprofile`, JSON.stringify((await call('Profiler.stop')).profile))
  console.log(name, r.requests)
  await call('HeapProfiler.startSampling', {
    samplingInterval: 16384,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false,
  })
  r = await runLoad({ port: service.port, connections: 128, durationMs: 3000, next: () => next(texts) })
  await writeFile(`/tmp/${name}.major.heapprofile`, JSON.stringify((await call('HeapProfiler.stopSampling')).profile))
  console.log(name, r.requests, 'for heap')
}
ws.close()
await pool.end()
await service.stop()
