import type { Pool } from 'pg'
import { cpuMilliseconds } from '../processes.ts'

/**
 * Starts to measure the processor milliseconds of these databases' backends. Backends that end meanwhile are not counted: they
 * may belong to an earlier load.
 */
export async function startBackendTime(pools: readonly Pool[]): Promise<() => Promise<number>> {
  const before = await readTimes(pools)
  return async () => {
    let sum = 0
    for (const [pid, ms] of await readTimes(pools)) sum += ms - (before.get(pid) ?? 0)
    return sum
  }
}

async function readTimes(pools: readonly Pool[]): Promise<Map<number, number>> {
  const results = await Promise.all(
    pools.map((pool) => pool.query<{ pid: number }>('select pid from pg_stat_activity')),
  )
  const pids = results.flatMap(({ rows }) => rows.map(({ pid }) => pid))
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuMilliseconds(pid).catch(() => 0)] as const)))
}
