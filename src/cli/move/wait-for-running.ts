import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { firstIdAt } from '../../core/ids.ts'
import { StartupError } from '../../core/startup-error.ts'

const pollMs = 20
/** Longer than any statement or transaction of the service may take. */
const maxMs = 60_000
/** The maximum duration of a request: after this time, every request that was authenticated earlier has ended. */
export const maxRequestMs = 10_000

/**
 * Waits until every transaction of this database that was locking or writing rows has ended. Later statements see everything
 * that those transactions wrote, and no running transaction knows an older state of the organization.
 */
export async function waitForRunningTransactions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ begun: string[] }>(
    `select coalesce(array_agg(distinct virtualtransaction), '{}') as begun from pg_locks
      where locktype = 'relation' and mode in ('RowShareLock', 'RowExclusiveLock') and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`,
  )
  await until(client, maxMs, 'Some transactions of the service were still running after a minute.', {
    text: `select not exists (select from pg_locks where locktype = 'virtualxid' and virtualtransaction = any($1)) as done`,
    values: [rows[0]?.begun],
  })
}

/** Waits for running requests, whose audit entries have no outcome yet, and for delivery attempts. */
export async function waitForRunningWork(client: pg.Client, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  // Ignores older entries: those of killed processes never get an outcome.
  const recent = firstIdAt((rows[0] as { now: Date }).now.getTime() - maxRequestMs)
  await until(client, maxRequestMs, null, {
    text: `select not exists (select from audit_event where organization_id = $1 and audit_event_id > $2 and outcome = 'pending')
              and not exists (select from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()) as done`,
    values: [organizationId, recent],
  })
}

async function until(
  client: pg.Client,
  atMostMs: number,
  failure: string | null,
  query: { text: string; values: unknown[] },
): Promise<void> {
  const endsAt = performance.now() + atMostMs
  for (;;) {
    const { rows } = await client.query<{ done: boolean }>(query)
    if (rows[0]?.done) return
    if (performance.now() > endsAt) {
      if (failure === null) return
      throw new StartupError(`${failure} Run the command again.`)
    }
    await wait(pollMs)
  }
}
