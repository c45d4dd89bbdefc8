/**
 * `npm run bench -- soak`: a steady load for a long time. At its end, memory, queues and tables must be as they were at its
 * start.
 */
import { readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { nextCheck, nextPut, nextSnapshot } from './exchanges.ts'
import { runLoad } from './http-load.ts'
import { countQueuedEvents, type Running, startMixed, untilDelivered } from './mixed/mixed.ts'
import { residentMegabytes } from './processes.ts'
import { toColumnTable } from './table.ts'

const connections = 16
/** The load is far below the machine's limit, so that nothing queues because of it. */
const pauseMs = 20
const samples = 100
/** Tables whose rows change all the time. */
const hotTables = ['eval_counter', 'override', 'webhook_lane', 'eval_batch']
/** A table whose rows live only briefly after each write. Vacuum runs at 5,000 dead rows: about a megabyte. */
const shortLived = 'audit_event_unchained'

/** A figure by name, at one moment. */
type Sample = ReadonlyMap<string, number>

/** How much a figure may grow from the second to the last fifth of the time: a ratio, and an absolute allowance. */
const mayGrow = { ratio: 1.15, megabytes: 8, descriptors: 8, events: 50, bytesPerRow: 64, kilobytes: 1500 }

export async function* runSoak(minutes: number, isBroken: () => void): AsyncGenerator<string> {
  await using cleanup = new AsyncDisposableStack()
  const running = await startMixed(cleanup)
  const { api, pool, keys } = running
  const seen: Sample[] = []
  const ended = new AbortController()
  const durationMs = minutes * 60_000
  const next = () => {
    const drawn = Math.random()
    return drawn < 0.8 ? nextCheck(keys, 100) : drawn < 0.9 ? nextSnapshot(keys, 100) : nextPut(keys, 100)
  }
  const sampling = sampleUntil(ended.signal, durationMs / samples, async () => void seen.push(await sample(running)))
  const result = await runLoad({ port: api.port, connections, pauseMs, durationMs, next })
  ended.abort()
  await sampling
  await untilDelivered(pool)
  yield `${minutes} minutes, ${result.requests} requests, ${result.perSecond.toFixed(0)} a second, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, longest ${result.maxMs.toFixed(0)} ms`
  yield describe(seen, isBroken)
}

async function sampleUntil(signal: AbortSignal, everyMs: number, take: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await take()
    await wait(everyMs, undefined, { signal }).catch(() => {})
  }
}

async function sample({ api, worker, pool }: Running): Promise<Sample> {
  const figures = new Map<string, number>()
  for (const [name, { pid }] of Object.entries({ API: api, worker })) {
    figures.set(`${name}: resident MB`, await residentMegabytes(pid))
    figures.set(`${name}: descriptors`, (await readdir(`/proc/${pid}/fd`)).length)
  }
  figures.set('queued events', await countQueuedEvents(pool))
  for (const [name, size] of await readSizes(pool)) figures.set(name, size)
  return figures
}

/** The disk space of each table and its indexes, for each row that is alive: bloat makes it grow. */
async function readSizes(pool: pg.Pool): Promise<[string, number][]> {
  const read: [string, number][] = []
  for (const table of hotTables) {
    const { rows } = await pool.query<{ bytes: number }>(
      `select pg_total_relation_size('${table}')::float8 / greatest(1, (select count(*) from ${table})) as bytes`,
    )
    read.push([`${table}: bytes a row`, rows[0]?.bytes ?? 0])
  }
  const { rows } = await pool.query(`select pg_total_relation_size('${shortLived}')::float8 / 1000 as kilobytes`)
  return [...read, [`${shortLived}: kB`, rows[0].kilobytes]]
}

function describe(seen: readonly Sample[], isBroken: () => void): string {
  const fifth = Math.max(1, Math.floor(seen.length / 5))
  // In the first fifth, code is compiled, caches fill, and tables reach the size at which vacuum keeps them.
  const [first, last] = [seen.slice(fifth, 2 * fifth), seen.slice(-fifth)]
  const rows = [...(seen[0]?.keys() ?? [])].map((name) => {
    const [before, after] = [meanOf(first, name), meanOf(last, name)]
    const isKept = after <= before * mayGrow.ratio + slackOf(name)
    if (!isKept) isBroken()
    return [name, before.toFixed(0), after.toFixed(0), isKept ? '✓' : '✗']
  })
  return toColumnTable(['', 'second fifth', 'last fifth', ''], rows)
}

function slackOf(name: string): number {
  if (name.endsWith('MB')) return mayGrow.megabytes
  if (name.endsWith('kB')) return mayGrow.kilobytes
  if (name.endsWith('descriptors')) return mayGrow.descriptors
  return name.endsWith('a row') ? mayGrow.bytesPerRow : mayGrow.events
}

function meanOf(all: readonly Sample[], name: string): number {
  return all.reduce((sum, figures) => sum + (figures.get(name) ?? 0), 0) / Math.max(1, all.length)
}
