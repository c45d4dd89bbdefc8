import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { markDatabaseError } from '../database/outage.ts'

export type ListenHandle = { close(): Promise<void> }

type ListenOptions = {
  /** Must not go through a PgBouncer in transaction mode, because LISTEN needs a session. */
  url: string
  logger: Pick<Logger, 'warn'>
  /** The log line to write when the connection is lost. */
  lostMessage: string
  onNotification(payload: string): void
}

const retryMs = 1000
const heartbeatMs = 5000
const heartbeatTimeoutMs = 3000
const closeTimeoutMs = 1000

/**
 * Listens on a channel until `close` is called. If connecting fails or the connection is lost, connects again after a second;
 * notifications that are sent before that are missed.
 */
export function listenForNotifications(
  channel: string,
  { url, logger, lostMessage, onNotification }: ListenOptions,
): ListenHandle {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  function after(ms: number, run: () => Promise<void>): void {
    if (isClosed) return
    timer = setTimeout(() => void run(), ms)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'entitlements-service listener',
      connectionTimeoutMillis: heartbeatTimeoutMs,
      query_timeout: heartbeatTimeoutMs,
      statement_timeout: heartbeatTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: heartbeatMs,
    })
    client = next
    next.on('error', (error) => handleLoss(next, error))
    next.on('end', () => handleLoss(next, new Error('The connection ended.')))
    next.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
    } catch (error) {
      handleLoss(next, error as Error)
      return
    }
    if (client !== next) return
    after(heartbeatMs, () => sendHeartbeat(next))
  }

  async function sendHeartbeat(current: pg.Client): Promise<void> {
    try {
      await current.query('select 1')
      if (client === current) after(heartbeatMs, () => sendHeartbeat(current))
    } catch (error) {
      handleLoss(current, error as Error)
    }
  }

  function handleLoss(current: pg.Client, error: Error): void {
    if (client !== current) return
    client = null
    if (timer) clearTimeout(timer)
    current.end().catch(() => {})
    if (isClosed) return
    markDatabaseError(error)
    logger.warn({ err: error }, lostMessage)
    after(retryMs, connect)
  }

  void connect()
  return {
    async close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      const ended = client?.end().catch(() => {})
      // Limited, because a database that has stopped answering never confirms the end of the connection.
      await Promise.race([ended, wait(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}
