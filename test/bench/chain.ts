import type pg from 'pg'
import { measureInPairs } from './beside.ts'
import { nextPut } from './exchanges.ts'
import { runLoad } from './http-load.ts'
import { cpuMilliseconds, type Service } from './processes.ts'

type Options = { service: Service; pool: pg.Pool; keys: readonly string[]; connections: number; durationMs: number }

/** Writes keep this part of their rate while the audit log is chained. */
const aim = 0.97

/**
 * Writes whose entries are not chained, and such as are: in alternating pairs, on one service. A trigger that drops each row of the
 * list of unchained entries takes away both the row and the work of the worker. Yields lines to print.
 */
export async function* runChain({ service, pool, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const { port, pid } = service
  let [written, chained] = [0, 0]
  const measure = async () => {
    const before = await cpuMilliseconds(pid)
    const { perSecond, requests } = await runLoad({ port, connections, durationMs, next: () => nextPut(keys) })
    return { perSecond, requests, cpuMicros: ((await cpuMilliseconds(pid)) - before) * (1000 / requests) }
  }
  const measureOff = async () => {
    await pool.query(
      `create trigger unlisted before insert on audit_event_unchained for each row execute function unlisted()`,
    )
    const measured = await measure()
    await pool.query('drop trigger unlisted on audit_event_unchained')
    return measured
  }
  const measureOn = async () => {
    const before = await countLinks(pool)
    const measured = await measure()
    written += measured.requests
    chained += (await countLinks(pool)) - before
    await untilChained(pool)
    return measured
  }
  await pool.query(`create function unlisted() returns trigger language plpgsql as 'begin return null; end'`)
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
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The worker did not chain within five minutes what was written.')
}
