import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { residentMegabytes, treeCpuMilliseconds } from '../processes.ts'

/** Counted since the start of the processes. */
export type Counters = { pid: number; nodeMs: number; postgresMs: number; statements: number; wal: number; io: number }

type MeasuredProcess = { pid: number; database: string; postmaster: number; superuser: pg.Pool }

/** The processor time of PostgreSQL is that of all its processes, also of those that have ended. */
export async function readCounters({ pid, database, postmaster, superuser }: MeasuredProcess): Promise<Counters> {
  const { rows } = await superuser.query(
    `select coalesce(sum(calls), 0)::float8 as statements, pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal
       from pg_stat_statements where dbid = (select oid from pg_database where datname = $1)`,
    [database],
  )
  return {
    pid,
    nodeMs: await treeCpuMilliseconds(pid),
    postgresMs: await treeCpuMilliseconds(postmaster),
    statements: rows[0].statements,
    wal: Number(rows[0].wal),
    io: await readAndWritten(pid),
  }
}

/** Bytes that a process read and wrote, mostly through sockets. */
async function readAndWritten(pid: number): Promise<number> {
  const io = await readFile(`/proc/${pid}/io`, 'utf8')
  return Number(/rchar: (\d+)/.exec(io)?.[1]) + Number(/wchar: (\d+)/.exec(io)?.[1])
}

/** The cost of one request in a turn. */
export type Cost = {
  nodeMicros: number
  postgresMicros: number
  statements: number
  walBytes: number
  ioBytes: number
  megabytes: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

export async function costOf(
  before: Counters,
  after: Counters,
  { requests, perSecond = Number.NaN, p50Ms = Number.NaN, p99Ms = Number.NaN }: Partial<Cost> & { requests: number },
): Promise<Cost> {
  // A process that started meanwhile has counted from zero.
  const baseline = before.pid === after.pid ? before : { nodeMs: 0, io: 0 }
  return {
    nodeMicros: ((after.nodeMs - baseline.nodeMs) * 1000) / requests,
    postgresMicros: ((after.postgresMs - before.postgresMs) * 1000) / requests,
    statements: (after.statements - before.statements) / requests,
    walBytes: (after.wal - before.wal) / requests,
    ioBytes: (after.io - baseline.io) / requests,
    megabytes: await residentMegabytes(after.pid),
    perSecond,
    p50Ms,
    p99Ms,
  }
}
