import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { withDeadline } from './core/deadline.ts'
import { version } from './core/version.ts'
import { createUsabilityProbe } from './database/write-probe.ts'
import { Metrics } from './metrics/metrics.ts'
import type { Tracing } from './tracing/tracing.ts'

/** A database that takes longer to answer counts as down. The answer with the metrics must not wait longer. */
const outageAfterMs = 2000

/** Creates the metrics of this process, with values of the process and of its database. */
export function createMetrics({ perOrganization, pool }: { perOrganization: boolean; pool: Pool }): Metrics {
  const metrics = new Metrics({ perOrganization })
  metrics.buildInfo.addSource(() => [{ labels: { version, node: process.version }, value: 1 }])
  const probeDatabase = createUsabilityProbe(pool)
  metrics.databaseOutage.addSource(async () => {
    const isUsable = await withDeadline(performance.now() + outageAfterMs, probeDatabase()).then(
      (state) => state === 'ready',
      () => false,
    )
    return [{ value: isUsable ? 0 : 1 }]
  })
  addPool(metrics, 'main', pool)
  return metrics
}

/** Adds the connections of a pool to the metrics. */
export function addPool(metrics: Metrics, name: 'main' | 'worker', pool: Pool): void {
  metrics.databaseConnections.addSource(() => {
    const { totalCount, idleCount, waitingCount } = pool
    const counts = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    return Object.entries(counts).map(([state, value]) => ({ labels: { pool: name, state }, value }))
  })
}

/** Adds the number of client connections of this server to the metrics. */
export function addServer(metrics: Pick<Metrics, 'httpConnections'>, { server }: FastifyInstance): void {
  const count = promisify<number>((done) => server.getConnections((error, found) => done(error, found)))
  metrics.httpConnections.addSource(async () => [{ value: await count() }])
}

/** Loads OpenTelemetry's SDK only if traces are exported. Sends the last spans after everything else has stopped. */
export async function beginTracing(
  { tracing: options }: Config,
  logger: Logger,
  started: AsyncDisposableStack,
): Promise<Tracing | undefined> {
  if (!options) return undefined
  const { startTracing } = await import('./tracing/start-tracing.ts')
  const { tracing, close } = startTracing(options, logger)
  started.defer(close)
  return tracing
}
