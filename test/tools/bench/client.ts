/** Measures the client of a vendor's product: `npm run bench -- --client`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createEntitlements, type Entitlements } from '../../../src/client/index.ts'
import { bundleSizeOf } from '../../support/bundle-size.ts'
import { nextCheck } from './exchanges.ts'
import { median } from './growth/line.ts'
import { runLoad } from './http-load.ts'
import { featureOf, size, subscriberId } from './model.ts'
import type { Service } from './processes.ts'
import { toColumnTable } from './table.ts'

type Options = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

const replicas = 10
const changes = 100
const rounds = 5
const checksOfRound = 2_000_000
const aims = { cachedPerSecond: 1_000_000, firstCheckMs: 20 }
const entries = ['index.ts', ...['react', 'express', 'fastify', 'hono'].map((name) => `frameworks/${name}.ts`)]
/** The subscriber whose limit changes; the concurrent checks are of other subscribers. */
const changed = size.subscribers - 1
/** The key of a feature of kind limit. */
const feature = featureOf(1).key

/** Yields lines to print. Throws if a replica answers an old value after it received the change. */
export async function* runClient(options: Options): AsyncGenerator<string> {
  const { service, keys } = options
  const access = { baseUrl: `http://127.0.0.1:${service.port}`, apiKey: keys[0] as string }
  const clients = Array.from({ length: replicas }, () => createEntitlements(access))
  try {
    await Promise.all(clients.map((client) => client.waitUntilReady()))
    yield await measureCached(clients[0] as Entitlements)
    yield await measureChanges(clients, 'a quiet service')
    const loaded = runLoad({ ...options, port: service.port, next: () => nextCheck(keys, changed) })
    yield await measureChanges(clients, `beside checks on ${options.connections} connections`)
    await loaded
    yield await measureSizes()
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

async function measureSizes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-sizes-'))
  try {
    const rows = await Promise.all(
      entries.map(async (entry) => {
        const size = await bundleSizeOf(folder, `export * from '${resolve('src/client', entry)}'`)
        return [entry, `${size}`]
      }),
    )
    return toColumnTable(['minified and gzipped', 'bytes'], rows)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Compares a cached check with awaiting a value from a `Map`. */
async function measureCached(client: Entitlements): Promise<string> {
  const ids = Array.from({ length: 100 }, (_, subscriber) => subscriberId(subscriber))
  for (const id of ids) await client.check(id, feature)
  const known = new Map(ids.map((id) => [id, new Map([[feature, true]])]))
  const rows: { bare: number; cached: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const bare = await perSecond(ids, async (id) => known.get(id)?.get(feature) ?? false)
    rows.push({ bare, cached: await perSecond(ids, (id) => client.check(id, feature)) })
  }
  const cached = median(rows.map((row) => row.cached))
  const ratio = median(rows.map((row) => row.cached / row.bare))
  const text = `${Math.round(cached)} cached checks a second, ${ratio.toFixed(2)} of an awaited Map`
  return `${text}; aim: ${aims.cachedPerSecond}`
}

async function perSecond(ids: readonly string[], check: (id: string) => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  for (let count = 0; count < checksOfRound; count += 1) await check(ids[count % ids.length] as string)
  return (checksOfRound / (performance.now() - startedAt)) * 1_000
}

/** Measures, for one change at a time, when each replica receives it, and how long the replica's first check then takes. */
async function measureChanges(clients: readonly Entitlements[], how: string): Promise<string> {
  const id = subscriberId(changed)
  const [writer] = clients as [Entitlements]
  for (const client of clients) await client.check(id, feature)
  const heard: number[] = []
  const first: number[] = []
  for (let limit = 1; limit <= changes; limit += 1) {
    const sentAt = performance.now()
    const answered = clients.slice(1).map(async (client) => {
      await nextChange(client, id)
      const heardAt = performance.now()
      if ((await client.limit(id, feature)) !== limit) throw new Error('an old value after its change was heard')
      heard.push(heardAt - sentAt)
      first.push(performance.now() - heardAt)
    })
    await writer.api.putOverride({ subscriber_id: id, feature_key: feature, kind: 'limit', limit })
    await Promise.all(answered)
  }
  const table = toColumnTable(
    ['ms', 'p50', 'p99'],
    [
      ['from sending the write to hearing of it', ...quantiles(heard)],
      ['first check after that', ...quantiles(first)],
    ],
  )
  return `${replicas - 1} replicas, ${how}; aim: a first check in ${aims.firstCheckMs} ms (median)\n${table}`
}

function nextChange(client: Entitlements, id: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.on('changed', ({ subscriber }) => {
      if (subscriber !== id) return
      stop()
      resolve()
    })
  })
}

function quantiles(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.99].map((share) => (sorted[Math.floor(sorted.length * share)] as number).toFixed(1))
}
