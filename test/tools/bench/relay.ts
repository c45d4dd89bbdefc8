/** Measures a relay: `npm run bench -- relay`. */
import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { nextCheckOf } from './exchanges.ts'
import { median } from './growth/line.ts'
import { type LoadResult, runLoad } from './http-load.ts'
import { checkBody, featureOf, planKey, size } from './model.ts'
import { cpuMilliseconds, residentMegabytes, type Service, startBareServer, startRelay } from './processes.ts'
import { runBeside } from './relay-beside.ts'
import { toColumnTable } from './table.ts'

type Options = {
  service: Service
  keys: readonly string[]
  connections: number
  durationMs: number
  subscribers: number
  /** The folder with other products; undefined: they are not measured. */
  products: string | undefined
}

const rounds = 5
const aims = { cpuRatio: 1.6, p99Ms: 1, megabytes: 600 }

/** Yields lines to print. */
export async function* runRelay(options: Options): AsyncGenerator<string> {
  const { service, keys, products: folder, durationMs } = options
  if (folder !== undefined) {
    yield* runBeside({ service, key: keys[0] as string, folder, connections: 64, durationMs })
    return
  }
  yield* measureChecks(options)
  if (options.subscribers > 0) yield* measureMemory(options)
}

/** Compares a check that the relay has cached with a bare server that answers the same bytes, in alternating rounds. */
async function* measureChecks({ service, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const [key] = keys as [string]
  const relay = await startRelay(service, key)
  const bare = await startBareServer(checkBody(0, 1, 1))
  const hasOwnCore = [relay.pid, bare.pid].every((pid) => pin(pid, 0)) && pin(process.pid, 1)
  const ofRelay = () => nextCheckOf(key, 0)
  const ofBare = () => ({ ...nextCheckOf(key, 0), faultOf: (status: string) => (status === '200' ? null : status) })
  const measure = async ({ port, pid }: { port: number; pid: number }, next: typeof ofRelay) => {
    const before = await cpuMilliseconds(pid)
    const result = await runLoad({ port, connections, durationMs, next })
    return { ...result, cpuMicros: (((await cpuMilliseconds(pid)) - before) * 1_000) / result.requests }
  }
  try {
    // Warm up: the relay caches every subscriber, and V8 compiles the code of both.
    for (const [server, next] of [
      [relay, ofRelay],
      [bare, ofBare],
    ] as const) {
      await runLoad({ port: server.port, connections, durationMs, next })
    }
    const pairs: { ofRelay: LoadResult & { cpuMicros: number }; ofBare: LoadResult & { cpuMicros: number } }[] = []
    for (let round = 0; round < rounds; round += 1) {
      pairs.push({ ofRelay: await measure(relay, ofRelay), ofBare: await measure(bare, ofBare) })
    }
    const row = (name: string, results: readonly (LoadResult & { cpuMicros: number })[]) => [
      name,
      median(results.map(({ perSecond }) => perSecond)).toFixed(0),
      median(results.map(({ cpuMicros }) => cpuMicros)).toFixed(1),
      median(results.map(({ p50Ms }) => p50Ms)).toFixed(2),
      median(results.map(({ p99Ms }) => p99Ms)).toFixed(2),
    ]
    yield toColumnTable(
      ['', 'a second', 'CPU µs', 'p50 ms', 'p99 ms'],
      [
        row(
          'a check from memory',
          pairs.map(({ ofRelay }) => ofRelay),
        ),
        row(
          'a bare server',
          pairs.map(({ ofBare }) => ofBare),
        ),
      ],
    )
    const ratio = median(pairs.map(({ ofRelay, ofBare }) => ofRelay.cpuMicros / ofBare.cpuMicros))
    yield `processor time of a check: ${ratio.toFixed(2)} of the bare server's; aim: ${aims.cpuRatio}`
    // At full load, a connection's answer takes the median time. At half the rate, the pause is nearly the whole interval.
    const pauseMs = 2 * median(pairs.map(({ ofRelay }) => ofRelay.p50Ms))
    const load = { connections, durationMs, pauseMs, polls: hasOwnCore }
    const half = await runLoad({ ...load, port: relay.port, next: ofRelay })
    const halfOfBare = await runLoad({ ...load, port: bare.port, next: ofBare })
    const describe = ({ perSecond, p50Ms, p99Ms }: LoadResult) =>
      `${perSecond.toFixed(0)} a second: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`
    const cores = hasOwnCore ? 'a core for the server, one for the load' : 'the load on the same cores'
    yield `${cores}, at ${describe(half)}; aim: ${aims.p99Ms}; the bare server, at ${describe(halfOfBare)}`
  } finally {
    await relay.stop()
    await bare.stop()
  }
}

/** Keeps a process on one core. False where `taskset` is not installed, or there is no such core. */
function pin(pid: number, core: number): boolean {
  return spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${core}`, `${pid}`]).status === 0
}

/** Measures the relay's memory once it has cached subscribers on all plans of 100 features, each with an override. */
async function* measureMemory({ service, keys, subscribers }: Options): AsyncGenerator<string> {
  const [key] = keys as [string]
  await importSubscribers(service, key, subscribers)
  const relay = await startRelay(service, key, {
    RELAY_WARM: 'all',
    RELAY_MAX_SUBSCRIBERS: String(subscribers + size.subscribers),
  })
  try {
    const startedAt = performance.now()
    const all = subscribers + size.subscribers
    const known = () => relay.metric('entitlements_relay_subscribers')
    while ((await known()) < all) await wait(1_000)
    const seconds = (performance.now() - startedAt) / 1_000
    const megabytes = await residentMegabytes(relay.pid)
    const bytes = (await relay.metric('entitlements_relay_bytes')) / 1e6
    yield `${all} subscribers of ${size.features} features: ${megabytes.toFixed(0)} MB resident, ${bytes.toFixed(0)} MB by its own count, known after ${seconds.toFixed(0)} s; aim: ${aims.megabytes} MB`
  } finally {
    await relay.stop()
  }
}

async function importSubscribers({ port }: Service, key: string, count: number): Promise<void> {
  const limit = featureOf(1).key
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      subscriber_id: `more-${index}`,
      plan_id: planKey(index % size.plans),
      overrides: { [limit]: { kind: 'limit', limit: index } },
    }),
  )
  const answer = await fetch(`http://127.0.0.1:${port}/org/subscribers/import`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  if (answer.status !== 200) throw new Error(`the import was refused: ${await answer.text()}`)
}
