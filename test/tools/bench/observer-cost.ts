import { nextCheck } from './exchanges.ts'
import { median } from './growth/line.ts'
import { runLoad } from './http-load.ts'
import { cpuMilliseconds, type Service, type ServiceHalf, startHalf } from './processes.ts'
import { toColumnTable } from './table.ts'

export type ObserverCostOptions = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

type Variant = {
  /** The name of the second of each pair, such as "with metrics". */
  name: string
  env: Record<string, string>
  /** Called once in each run of the variant. */
  during?: () => Promise<void>
}

const pairs = 10

type Measurement = { perSecond: number; cpuMicros: number }

/**
 * Compares checks without and with an observer: two processes on one database, in alternating pairs. Returns the table of the
 * pairs, and the medians of the remaining rate and of the remaining rate by processor time.
 */
export async function measureObserverCost(
  options: ObserverCostOptions,
  { name, env, during = async () => {} }: Variant,
) {
  const { service, keys, connections, durationMs } = options
  const { databaseUrl, dataDir } = service
  const without = await startHalf('api', { databaseUrl, dataDir })
  const watched = await startHalf('api', { databaseUrl, dataDir, env })
  const next = () => nextCheck(keys)
  const measure = async ({ port, pid }: ServiceHalf, during: () => Promise<void>): Promise<Measurement> => {
    const before = await cpuMilliseconds(pid)
    const [{ perSecond, requests }] = await Promise.all([runLoad({ port, connections, durationMs, next }), during()])
    return { perSecond, cpuMicros: ((await cpuMilliseconds(pid)) - before) * (1000 / requests) }
  }
  const measureOff = () => measure(without, async () => {})
  const measureOn = () => measure(watched, during)
  try {
    for (const { port } of [without, watched]) {
      // The service reads each catalog for the first time: with more connections, some answers would be late on a busy machine.
      await runLoad({ port, connections: 4, requests: 5_000, next })
      await runLoad({ port, connections, requests: 30_000, next })
    }
    return await measureInPairs({ what: 'checks', name, measureOff, measureOn })
  } finally {
    await watched.stop()
    await without.stop()
  }
}

type Pair = {
  /** The unit, such as "checks". */
  what: string
  /** The name of the second of each pair, such as "with metrics". */
  name: string
  measureOff(): Promise<Measurement>
  measureOn(): Promise<Measurement>
}

/** Measures alternating pairs. Returns their table, and the medians of the remaining rate and of that by processor time. */
export async function measureInPairs({ what, name, measureOff, measureOn }: Pair) {
  const rows: { off: Measurement; on: Measurement }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // Alternate the order: the first run may find the machine in another state.
    const first = pair % 2 === 0 ? await measureOff() : await measureOn()
    const second = pair % 2 === 0 ? await measureOn() : await measureOff()
    rows.push(pair % 2 === 0 ? { off: first, on: second } : { off: second, on: first })
  }
  const cells = rows.map(({ off, on }, index) => [
    `pair ${index + 1}`,
    off.perSecond.toFixed(0),
    on.perSecond.toFixed(0),
    (on.perSecond / off.perSecond).toFixed(3),
    off.cpuMicros.toFixed(0),
    on.cpuMicros.toFixed(0),
  ])
  return {
    table: toColumnTable(['', `${what}/s`, name, 'ratio', 'node µs', name], cells),
    rate: median(rows.map(({ off, on }) => on.perSecond / off.perSecond)).toFixed(3),
    cpu: median(rows.map(({ off, on }) => off.cpuMicros / on.cpuMicros)).toFixed(3),
  }
}
