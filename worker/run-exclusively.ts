import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { markDatabaseError } from '../src/database/outage.ts'

const timeoutMs = 3000
/** The longest wait for a server to confirm that a connection has closed. */
const closeTimeoutMs = 1000

type ExclusiveOptions = {
  /** Must not go through a PgBouncer in transaction mode, because the lock needs a session of its own. */
  url: string
  name: string
  /** Ends the work early. */
  signal: AbortSignal
}

/**
 * Runs the work unless another process is running it. The lock belongs to a connection, and so ends with the process. If the
 * connection is lost, the work's signal aborts. Returns whether the work ran.
 */
export async function runExclusively(
  { url, name, signal }: ExclusiveOptions,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `entitlements-service ${name}`,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  })
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  const withMarkedErrors = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    answer.catch(markDatabaseError)
    return answer
  }
  try {
    await withMarkedErrors(client.connect())
    const { rows } = await withMarkedErrors(
      client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as "isOurs"', [name]),
    )
    if (!rows[0].isOurs) return false
    await run(AbortSignal.any([signal, lost.signal]))
    return true
  } finally {
    await Promise.race([client.end().catch(() => {}), wait(closeTimeoutMs, undefined, { ref: false })])
    client.connection.stream.destroy()
  }
}
