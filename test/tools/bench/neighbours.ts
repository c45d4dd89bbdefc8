/** Measures tenants with a small catalog while another tenant does its worst: `npm run bench -- --neighbours`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { newApiKey } from '../../../src/access/api-key.ts'
import { nextCheck } from './exchanges.ts'
import { type LoadResult, runLoad } from './http-load.ts'
import { residentMegabytes, type Service } from './processes.ts'
import { seedWorst, type Worst } from './worst-seed.ts'

const worsts: Worst[] = ['large values', 'many grants', 'large overrides', 'large plan']
const describedWorsts: Record<Worst, string> = {
  'large values': 'a change, then a check, with 16 MB of values in the catalog',
  'many grants': 'a change, then a check, with 300,000 grants in the catalog',
  'large overrides': '50 snapshots at once with 4 MB of overrides',
  'large plan': '20 snapshots at once with 10 MB of plan values',
}

type Neighbours = { service: Service; pool: Pool; keys: readonly string[]; durationMs: number }

/** The lines of a Markdown table: the neighbours' p99 alone and beside each worst case, and the tenant's own figures. */
export async function* runNeighbours(neighbours: Neighbours): AsyncGenerator<string> {
  yield '| one tenant | p50 ms by itself | p99 ms by itself | p50 ms beside | p99 ms beside | max ms beside | p99 ratio | peak MB | its answers |'
  yield '|---|---:|---:|---:|---:|---:|---:|---:|---|'
  for (const worst of worsts) {
    const { key, hash } = newApiKey()
    await seedWorst(neighbours.pool, hash, worst)
    await neighbours.pool.query('analyze')
    const byItself = await measure(neighbours)
    const { beside, peakMegabytes, report } = await measureBeside(neighbours, key, worst)
    const ratio = (beside.p99Ms / byItself.p99Ms).toFixed(1)
    const figures = [byItself.p50Ms, byItself.p99Ms, beside.p50Ms, beside.p99Ms, beside.maxMs].map((ms) =>
      ms.toFixed(1),
    )
    yield `| ${[describedWorsts[worst], ...figures, ratio, Math.round(peakMegabytes), report].join(' | ')} |`
  }
}

/** A load below the machine's limit, where every request would slow down all others. */
async function measure({ service, keys, durationMs }: Neighbours): Promise<LoadResult> {
  const load = { port: service.port, connections: 8, pauseMs: 20, next: () => nextCheck(keys) }
  await runLoad({ ...load, durationMs: durationMs / 4 })
  return runLoad({ ...load, durationMs })
}

async function measureBeside(neighbours: Neighbours, key: string, worst: Worst) {
  const { port, pid } = neighbours.service
  const script = fileURLToPath(new URL('worst-tenant.ts', import.meta.url))
  const tenant = spawn(process.execPath, [script, `${port}`, key, worst], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = readOutput(tenant)
  await once(tenant.stdout, 'data')
  let peakMegabytes = 0
  const sampling = setInterval(async () => {
    peakMegabytes = Math.max(peakMegabytes, await residentMegabytes(pid).catch(() => 0))
  }, 100)
  const beside = await measure(neighbours)
  clearInterval(sampling)
  tenant.kill('SIGTERM')
  await once(tenant, 'exit')
  return { beside, peakMegabytes, report: output().split('\n')[1] ?? '' }
}

function readOutput({ stdout }: ChildProcess): () => string {
  let text = ''
  stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
