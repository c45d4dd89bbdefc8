import { setTimeout as wait } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { TextRow } from './sql.ts'
import { TextQuery } from './text-query.ts'

const pauseMs = 100

/** Returns no row on a server that is not a standby. */
const text = `
select pg_last_wal_receive_lsn()::text, pg_last_wal_replay_lsn()::text,
  coalesce(pg_last_wal_replay_lsn() >= coalesce($1::pg_lsn, pg_last_wal_receive_lsn()), true)
where pg_is_in_recovery()`

/**
 * Resolves when a standby has applied everything that it has received so far, because a write may be answered before the
 * standby applies it. Also resolves when the standby applies nothing more: the remaining bytes are the beginning of a record
 * whose end was never sent.
 */
export async function awaitReplay(client: PoolClient, timeoutMs: number): Promise<void> {
  let goal: string | null = null
  let applied: string | null | undefined
  for (;;) {
    const query = new TextQuery({ name: 'replayed', text, values: [goal] }, timeoutMs)
    const [row]: TextRow[] = await client.query(query).received
    if (row === undefined || row[2] === 't' || row[1] === applied) return
    goal ??= row[0] ?? null
    applied = row[1]
    await wait(pauseMs)
  }
}
