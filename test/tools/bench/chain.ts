import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { nextPut } from './exchanges.ts'
import { runLoad } from './http-load.ts'
import { measureInPairs } from './observer-cost.ts'
import { type Service, treeCpuMilliseconds } from './processes.ts'

type Options = { service: Service; pool: pg.Pool; keys: readonly string[]; connections: number; durationMs: number }

/** The part of their rate that writes must keep while the audit log is chained. */
const aim = 0.97

/**
 * Compares writes whose entries are not chained with writes whose entries are: in alternating pairs, on one service. While
 * another transaction locks the chains, the worker leaves their entries in the list. The processor time is that of the service
 * and of its embedded PostgreSQL, until all entries are chained; without chaining, for the same time. Yields lines to print.
 */
export async function* runChain({ service, pool, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const { port, pid } = service
  let [written, chained, settledMs] = [0, 0, 0]
  const measure = async (finish: (requests: number) => Promise<void>) => {
    const before = await treeCpuMilliseconds(pid)
    const { perSecond, requests } = await runLoad({ port, connections, durationMs, next: () => nextPut(keys) })
    await finish(requests)
    return { perSecond, cpuMicros: ((await treeCpuMilliseconds(pid)) - before) * (1000 / requests) }
  }
  const measureOff = async () => {
    await pool.query('begin')
    await pool.query('select from audit_chain for update')
    const measured = await measure(() => wait(settledMs))
    await pool.query('delete from audit_event_unchained')
    await pool.query('commit')
    return measured
  }
  const measureOn = async () => {
    const before = await countLinks(pool)
    return measure(async (requests) => {
      written += requests
      chained += (await countLinks(pool)) - before
      const startedAt = performance.now()
      await untilChained(pool)
      settledMs = performance.now() - startedAt
    })
  }
  await runLoad({ port, connections, durationMs, next: () => nextPut(keys) })
  await untilChained(pool)
  const { table, rate, cpu } = await measureInPairs({ what: 'writes', name: 'chained', measureOff, measureOn })
  yield table
  yield `chained, writes keep ${rate} of their rate (median; aim: ${aim}), and ${cpu} by processor time`
  yield `${((chained / written) * 100).toFixed(0)} % of the entries were chained while the writes went on`
}

async function countLinks(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select coalesce(sum(position), 0)::int as count from audit_chain')
  return rows[0].count
}

async function untilChained(pool: pg.Pool): Promise<void> {
  const deadline = performance.now() + 300_000
  while (performance.now() < deadline) {
    const { rowCount } = await pool.query('select from audit_event_unchained limit 1')
    if (rowCount === 0) return
    await wait(100)
  }
  throw new Error('The worker did not chain within five minutes what was written.')
}
