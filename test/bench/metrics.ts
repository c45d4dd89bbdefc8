import { findFreePort } from '../support/free-port.ts'
import { nextCheck } from './exchanges.ts'
import { runLoad } from './http-load.ts'
import { cpuMilliseconds, type Half, type Service, startHalf } from './processes.ts'
import { toColumnTable } from './table.ts'

type Options = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

/** Checks keep this part of their rate while they are counted. */
const aim = 0.97
const pairs = 10

type Measured = { perSecond: number; cpuMicros: number }

/**
 * Checks without metrics and with metrics, which are asked for once in each run: two processes on one database, in alternating
 * pairs. Yields lines to print.
 */
export async function* runMetrics({ service, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const { databaseUrl, dataDir } = service
  const metricsPort = await findFreePort()
  const without = await startHalf('api', { databaseUrl, dataDir })
  const counting = await startHalf('api', { databaseUrl, dataDir, env: { METRICS_PORT: `${metricsPort}` } })
  const ask = async () => void (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
  const next = () => nextCheck(keys)
  const measure = async ({ port, pid }: Half, ask: () => Promise<void>): Promise<Measured> => {
    const before = await cpuMilliseconds(pid)
    const [{ perSecond, requests }] = await Promise.all([runLoad({ port, connections, durationMs, next }), ask()])
    return { perSecond, cpuMicros: ((await cpuMilliseconds(pid)) - before) * (1000 / requests) }
  }
  try {
    for (const { port } of [without, counting]) {
      // Each catalog is read for the first time: a few at once, or some would be late on a busy machine.
      await runLoad({ port, connections: 4, requests: 5_000, next })
      await runLoad({ port, connections, requests: 30_000, next })
    }
    const rows: { off: Measured; on: Measured }[] = []
    for (let pair = 0; pair < pairs; pair++) {
      // Whichever runs first may find the machine in another state.
      const first = pair % 2 === 0 ? await measure(without, async () => {}) : await measure(counting, ask)
      const second = pair % 2 === 0 ? await measure(counting, ask) : await measure(without, async () => {})
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
    yield toColumnTable(['', 'checks/s', 'with metrics', 'ratio', 'node µs', 'with metrics'], cells)
    const ratio = medianOf(rows.map(({ off, on }) => on.perSecond / off.perSecond))
    const cpu = medianOf(rows.map(({ off, on }) => off.cpuMicros / on.cpuMicros))
    yield `with metrics, checks keep ${ratio.toFixed(3)} of their rate (median; aim: ${aim}), and ${cpu.toFixed(3)} by processor time`
  } finally {
    await counting.stop()
    await without.stop()
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}
