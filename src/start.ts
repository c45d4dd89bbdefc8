import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { startWorker, type Worker } from '../worker/main.ts'
import { createApp } from './app.ts'
import { awaitSchema } from './await-schema.ts'
import { baseUrlOf, type Config, loadConfig } from './config.ts'
import { connectionsOf } from './connections.ts'
import { printNote } from './core/print.ts'
import { isSocketPath } from './core/public-address.ts'
import { StartupError } from './core/startup-error.ts'
import type { Vault } from './core/vault.ts'
import { connectDatabase, type Database } from './database/client.ts'
import {
  describePooling,
  findConfiguredDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from './database/locate-database.ts'
import { openVault } from './database/master-key.ts'
import { migrate } from './database/migrate.ts'
import { describeAppliedMigrations, type MigrationProgress } from './database/migration-progress.ts'
import { watchDatabase } from './database/watch.ts'
import { probeUsability } from './database/write-probe.ts'
import { startJobs } from './events/jobs.ts'
import { createHealthApp } from './health.ts'
import { closeGracefully } from './http/end-connections.ts'
import { ensureAddressFree, findListenAddresses, type ListenAddress, listen } from './listen.ts'
import { createLog } from './logging/log.ts'
import { addPool, beginTracing, createMetrics } from './measure.ts'
import type { Metrics } from './metrics/metrics.ts'
import { OtherProcesses } from './metrics/other-processes.ts'
import type { MetricsJson } from './metrics/registry.ts'
import { createFirstOrganization } from './modules/memberships/create-first-organization.ts'
import { ApiProcesses } from './processes/api-processes.ts'
import { answerPrimary, sendLastAnswer, sendToPrimary } from './processes/primary.ts'
import type { Tracing } from './tracing/tracing.ts'
import { ensureBuilds } from './web/ensure-builds.ts'
import { describeFirstSteps, describeMissingOrganization, describeService, describeWorker } from './welcome.ts'

const workerConnections = 6
/** The connections of a primary, which watches the migrations and the clock, and counts organizations for all processes. */
const primaryConnections = 2
/** The time limit for the open connections of a process that leaves the port, unless SHUTDOWN_GRACE_MS is longer. */
const drainMs = 5000

/** Whether this process is one of several API processes of a primary: see startProcesses. */
const isOneOfSeveral = cluster.isWorker
/** Prints to standard error: standard output is for the log's JSON lines. With several processes, only the primary prints. */
const printForPeople = isOneOfSeveral ? () => {} : printNote

export type StartOptions = {
  /** Null for both halves. */
  half: 'api' | 'worker' | null
  /** Whether webhooks are sent. */
  delivers: boolean
  /** Collects everything that must be stopped later. */
  started: AsyncDisposableStack
  /** Aborts when the start must end early; `start` then rejects. */
  signal: AbortSignal
  useLogger(logger: Logger): void
  /** Called when the embedded PostgreSQL has ended for any reason. */
  onDatabaseEnded(): void
}

export type StartedService = {
  /** How long the process still serves requests after a signal. */
  shutdownGraceMs: number
  /** Replaces the API processes one after another; exists only in their primary. */
  restart?: () => void
  /** Leaves the port to the other API processes; resolves when this process may stop. Exists only in one of several. */
  leave?: () => Promise<void>
}

/** Starts the selected half or both halves, and resolves once they work. */
export async function start(options: StartOptions): Promise<StartedService> {
  const { half, delivers, started, signal, useLogger, onDatabaseEnded } = options
  const config = loadConfig(process.env, { delivers })
  const { logger, followDatabase, end } = createLog({ level: config.logLevel, format: config.logFormat })
  started.defer(end)
  useLogger(logger)
  if (!delivers) logger.warn('this process sends no webhooks (--no-delivery): events are queued, and wait')
  const { listenAddress, healthAddress, metricsAddress } = findListenAddresses(config)
  const ownAddress = half === 'worker' ? healthAddress : listenAddress
  if (!isOneOfSeveral) for (const each of [ownAddress, metricsAddress]) await ensureAddressFree(each)

  const built = half === 'worker' ? null : ensureBuilds({ signal, print: printForPeople })
  const located = await locateDatabase(config, half)
  started.defer(() => located.stop())
  void located.ended.then(onDatabaseEnded)
  const pooling = describePooling(located)
  if (pooling) printForPeople(pooling)
  signal.throwIfAborted()
  const { url: databaseUrl, directUrl, pooled, namedStatements } = located
  if (config.migrate) {
    const onApplied = (names: string[]) =>
      logger.info(describeAppliedMigrations(names), 'brought the database up to date')
    const onProgress = (progress: MigrationProgress) => logger.info(progress, 'still migrating the database')
    await migrate({ url: directUrl, signal, onApplied, onProgress })
  } else {
    // On a shared port, another process answers health checks meanwhile.
    const healthUntilReady = isOneOfSeveral || ownAddress?.isShared ? null : ownAddress
    await awaitSchema({ url: directUrl, signal, logger, listenAddress: healthUntilReady })
  }

  const hasProcesses = half !== 'worker' && config.processes > 1 && !isOneOfSeveral
  const maxConnections = hasProcesses ? primaryConnections : connectionsOf(config.processes).all
  const standbyUrl = half === 'worker' || hasProcesses ? undefined : config.standbyDatabaseUrl
  const database = connectDatabase({ url: databaseUrl, standbyUrl, pooled, namedStatements, maxConnections, logger })
  started.defer(() => database.close())
  started.defer(followDatabase(() => probeUsability(database.pool)))
  const watch = await watchDatabase({ pool: database.pool, logger })
  started.defer(() => watch.close())
  const { outdated } = watch
  const metrics = metricsAddress
    ? createMetrics({ perOrganization: config.metricsPerOrganization, pool: database.pool })
    : undefined
  const observability = { metrics, tracing: await beginTracing(config, logger, started) }
  const vault = await openVault({ pool: database.pool, ...config })
  signal.throwIfAborted()

  const workOptions = { ...observability, config, located, vault, started, logger, outdated }
  const worker = half === 'api' ? null : await startOwnWorker(workOptions)
  signal.throwIfAborted()
  if (half === 'worker') {
    if (metrics && metricsAddress) await serveMetrics({ listenAddress: metricsAddress, metrics, started })
    if (healthAddress) await serveHealth({ listenAddress: healthAddress, database, signal, outdated, started })
    printForPeople(describeWorker(delivers))
    return { shutdownGraceMs: 0 }
  }

  const parts = { ...observability, config, database, vault, located, logger, metricsAddress, signal, started, built }
  if (hasProcesses) return startProcesses(parts)
  return serve({ ...parts, listenAddress, outdated, worker })
}

type ServeOptions = ServeParts & { listenAddress: ListenAddress; outdated: AbortSignal; worker: Worker | null }

/** Serves the API in this process. */
async function serve({ listenAddress, outdated, worker, ...parts }: ServeOptions): Promise<StartedService> {
  const { config, database, vault, located, logger, metrics, tracing, metricsAddress } = parts
  const { signal, started, built } = parts
  const jobs = await startJobs(database, logger, worker ?? undefined)
  started.defer(() => jobs.stop())
  signal.throwIfAborted()
  const leaving = new AbortController()
  const { directUrl } = located
  const stopSignals = { stopping: signal, leaving: leaving.signal, outdated }
  if (isOneOfSeveral) started.defer(sendLastAnswer)
  const app = await createApp({ config, database, directUrl, vault, jobs, logger, metrics, tracing, ...stopSignals })
  started.defer(() => app.close())
  signal.throwIfAborted()
  await built
  signal.throwIfAborted()
  const url = await listen(app, listenAddress)
  const { shutdownGraceMs } = config
  if (!isOneOfSeveral) {
    if (metrics && metricsAddress) await serveMetrics({ listenAddress: metricsAddress, metrics, started })
    await welcome({ config, database, vault, located, url })
    return { shutdownGraceMs }
  }
  if (metrics) answerPrimary((await import('./metrics/registry.ts')).metricsReader(metrics))
  void sendToPrimary({ kind: 'ready', url })
  return {
    shutdownGraceMs,
    leave() {
      leaving.abort()
      return closeGracefully(app, Math.max(shutdownGraceMs, drainMs))
    },
  }
}

/** The metrics and traces of this process; each is undefined if it is disabled. */
type Observability = { metrics: Metrics | undefined; tracing: Tracing | undefined }

type ServeParts = Observability & {
  config: Config
  database: Database
  vault: Vault
  located: LocatedDatabase
  logger: Logger
  metricsAddress: ListenAddress | null
  signal: AbortSignal
  started: AsyncDisposableStack
  built: Promise<void> | null
}

/** Starts the processes that serve the API; this one is their primary. */
async function startProcesses({ signal, started, built, ...parts }: ServeParts): Promise<StartedService> {
  const { config, logger, metrics, metricsAddress } = parts
  await built
  signal.throwIfAborted()
  // The primary has built the files that all processes serve.
  const env = { BUILT_ELSEWHERE: 'true' }
  const others = new OtherProcesses(metrics?.organizations ?? null)
  const onEnded = (last: unknown) => others.addEnded(last as MetricsJson)
  const processes = new ApiProcesses({ command: 'api', count: config.processes, logger, env, onEnded })
  const url = await processes.startUntilEnd({ signal, started })
  if (metrics && metricsAddress) {
    const readOtherProcesses = () => others.read(processes.ask() as Promise<MetricsJson[]>)
    await serveMetrics({ listenAddress: metricsAddress, metrics, started, ofOthers: readOtherProcesses })
  }
  await welcome({ ...parts, url })
  return { shutdownGraceMs: config.shutdownGraceMs, restart: () => processes.restart() }
}

type WorkOptions = Observability & {
  config: Config
  located: LocatedDatabase
  vault: Vault
  started: AsyncDisposableStack
  logger: Logger
  outdated: AbortSignal
}

/** Starts a worker with its own connections, so that requests that wait for a connection do not delay deliveries. */
async function startOwnWorker(options: WorkOptions): Promise<Worker> {
  const { config, located, vault, started, logger, metrics, tracing, outdated } = options
  const { url, pooled, namedStatements, directUrl } = located
  const database = connectDatabase({ url, pooled, namedStatements, maxConnections: workerConnections, logger })
  started.defer(() => database.close())
  if (metrics) addPool(metrics, 'worker', database.pool)
  const worker = await startWorker({ config, database, directUrl, vault, logger, metrics, tracing })
  // Stops when outdated: this version may no longer understand the tables, and a newer worker sends the queued events.
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= worker.stop())
  // Ignores an error here: `started` awaits the same promise, and reports the error when the process stops.
  outdated.addEventListener('abort', () => void stop().catch(() => {}), { once: true })
  if (outdated.aborted) await stop()
  started.defer(stop)
  return worker
}

type MetricsOptions = {
  listenAddress: ListenAddress
  metrics: Metrics
  started: AsyncDisposableStack
  /** The metrics of the API processes of this primary. */
  ofOthers?: () => Promise<MetricsJson[]>
}

/** Must be called after all parts with metrics have started. */
async function serveMetrics(options: MetricsOptions): Promise<void> {
  const { listenAddress, metrics, started, ofOthers = async () => [] } = options
  const { createMetricsApp, metricsReader } = await import('./metrics/registry.ts')
  const read = metricsReader(metrics)
  const app = createMetricsApp(async () => (await Promise.all([[await read()], ofOthers()])).flat())
  started.defer(() => app.close())
  printForPeople(`The metrics are at ${await listen(app, listenAddress)}/metrics`)
}

type HealthOptions = {
  listenAddress: ListenAddress
  database: Database
  signal: AbortSignal
  outdated: AbortSignal
  started: AsyncDisposableStack
}

async function serveHealth({ listenAddress, database, signal, outdated, started }: HealthOptions): Promise<void> {
  const app = createHealthApp({ database, stopping: signal, outdated })
  started.defer(() => app.close())
  const url = await listen(app, listenAddress)
  printForPeople(`The worker says whether it is ready at ${url}/readyz`)
}

async function locateDatabase(config: Config, half: StartOptions['half']): Promise<LocatedDatabase> {
  const given = await findConfiguredDatabase(config)
  if (given) return given
  if (half === null) return startEmbeddedDatabase(config, printForPeople)
  const running = await findRunningDatabase(config)
  if (running) return running
  throw new StartupError(
    `DATABASE_URL is required to run the API and the worker separately, unless a whole server runs on the same data folder (${config.dataDir}).`,
  )
}

type WelcomeOptions = { config: Config; database: Database; vault: Vault; located: LocatedDatabase; url: string }

async function welcome(parts: WelcomeOptions): Promise<void> {
  const { config, located, url } = parts
  // With PORT=0, only the process knows the port.
  const baseUrl = config.publicUrl ?? (isSocketPath(config.host) ? baseUrlOf(config) : url)
  const dataDir = located.kind === 'given' ? null : config.dataDir
  const service = describeService({ ...config, url: baseUrl, listeningAt: url, dataDir })
  const firstSteps = await describeFirstOrganization(parts, baseUrl)
  printForPeople(service + firstSteps)
}

/** Describes the first steps; in the embedded database, creates the first organization. Empty if an organization exists. */
async function describeFirstOrganization(
  { config, database, vault, located, url }: WelcomeOptions,
  baseUrl: string,
): Promise<string> {
  if ((await database.prisma.organization.count({ take: 1 })) > 0) return ''
  if (located.kind !== 'embedded') return describeMissingOrganization()
  const { apiKey, inviteLink } = await createFirstOrganization(database, { vault, baseUrl })
  // The example request is sent from this machine, where PUBLIC_URL may not work yet.
  return describeFirstSteps({ url, apiKey, inviteLink, graphiql: config.graphiql })
}
