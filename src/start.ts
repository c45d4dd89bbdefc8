import type { Logger } from 'pino'
import { startWorker, type Worker } from '../worker/main.ts'
import { createApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { StartupError } from './core/startup-error.ts'
import type { Vault } from './core/vault.ts'
import { connectDatabase, type Database } from './database/client.ts'
import {
  describePooling,
  findGivenDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from './database/locate-database.ts'
import { openVault } from './database/master-key.ts'
import { migrate } from './database/migrate.ts'
import { watchDatabase } from './database/watch.ts'
import { askUsability } from './database/write-probe.ts'
import { startJobs } from './events/jobs.ts'
import { createHealthApp } from './health.ts'
import { ensureFree, listen, type Place } from './listen.ts'
import { createLog } from './logging/log.ts'
import { addPool, createMetrics, createMetricsApp } from './measure.ts'
import type { Metrics } from './metrics/metrics.ts'
import { metricsReader } from './metrics/registry.ts'
import { createFirstOrganization } from './modules/memberships/create-first-organization.ts'
import { ensureConsole } from './web/ensure-console.ts'
import { describeFirstSteps, describeMissingOrganization, describeService } from './welcome.ts'

const workerConnections = 6

export type StartOptions = {
  /** Null: both halves. */
  half: 'api' | 'worker' | null
  /** Collects everything that must be stopped later. */
  started: AsyncDisposableStack
  /** Aborted when the start must end early; `start` then rejects. */
  signal: AbortSignal
  useLogger(logger: Logger): void
  /** Called when the embedded PostgreSQL has ended, for any reason. */
  onDatabaseEnded(): void
}

/** Prints text for people to standard error: standard output is for the log's JSON lines. */
const printForPeople = console.error

export type Started = {
  /** How long the process still serves requests after a signal. */
  shutdownGraceMs: number
}

/** Starts the halves that `half` selects, and resolves once they work. */
export async function start(options: StartOptions): Promise<Started> {
  const { half, started, signal, useLogger, onDatabaseEnded } = options
  const config = loadConfig(process.env)
  const { logger, followDatabase, end } = createLog({ level: config.logLevel, format: config.logFormat })
  started.defer(end)
  useLogger(logger)
  const { place, healthPlace, metricsPlace } = findPlaces(config)
  await ensureFree(half === 'worker' ? healthPlace : place)
  await ensureFree(metricsPlace)

  const consoleBuilt = half === 'worker' ? null : ensureConsole({ signal, print: printForPeople })
  const located = await locateDatabase(config, half)
  started.defer(() => located.stop())
  void located.ended.then(onDatabaseEnded)
  const pooling = describePooling(located)
  if (pooling) printForPeople(pooling)
  signal.throwIfAborted()
  await migrate({
    url: located.directUrl,
    signal,
    onApplied: (migrations) => logger.info({ migrations }, 'brought the database up to date'),
  })

  const { url: databaseUrl, pooled, namedStatements } = located
  const database = connectDatabase({ url: databaseUrl, pooled, namedStatements, logger })
  started.defer(() => database.close())
  started.defer(followDatabase(() => askUsability(database.pool)))
  const watch = await watchDatabase({ pool: database.pool, logger })
  started.defer(() => watch.close())
  const { outdated } = watch
  const metrics = metricsPlace
    ? createMetrics({ perOrganization: config.metricsPerOrganization, pool: database.pool })
    : undefined
  const vault = await openVault({ pool: database.pool, ...config })
  signal.throwIfAborted()

  const worker = half === 'api' ? null : await work({ config, located, vault, started, logger, metrics, outdated })
  signal.throwIfAborted()
  if (half === 'worker') {
    if (metrics && metricsPlace) await showMetrics({ place: metricsPlace, metrics, started })
    if (healthPlace) await showHealth({ place: healthPlace, database, signal, outdated, started })
    printForPeople('The worker sends events and notifies receivers of overrides that expire.')
    return { shutdownGraceMs: 0 }
  }

  const jobs = await startJobs(database, logger, worker?.wake)
  started.defer(() => jobs.stop())
  signal.throwIfAborted()
  const { directUrl } = located
  const app = await createApp({ config, database, directUrl, vault, jobs, logger, metrics, stopping: signal, outdated })
  started.defer(() => app.close())
  signal.throwIfAborted()
  await consoleBuilt
  signal.throwIfAborted()
  const url = await listen(app, place)
  if (metrics && metricsPlace) await showMetrics({ place: metricsPlace, metrics, started })
  await welcome({ config, database, vault, located, url })
  return { shutdownGraceMs: config.shutdownGraceMs }
}

type WorkOptions = {
  config: Config
  located: LocatedDatabase
  vault: Vault
  started: AsyncDisposableStack
  logger: Logger
  metrics: Metrics | undefined
  outdated: AbortSignal
}

/** Uses its own connections, so that requests waiting for a connection do not delay deliveries. */
async function work({ config, located, vault, started, logger, metrics, outdated }: WorkOptions): Promise<Worker> {
  const { url, pooled, namedStatements, directUrl } = located
  const database = connectDatabase({ url, pooled, namedStatements, maxConnections: workerConnections, logger })
  started.defer(() => database.close())
  if (metrics) addPool(metrics, 'worker', database.pool)
  const worker = await startWorker({ config, database, directUrl, vault, logger, metrics })
  // Stops when outdated: this version may no longer understand the tables, and a newer worker sends the queued events.
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= worker.stop())
  // An error is reported when the process stops.
  outdated.addEventListener('abort', () => void stop().catch(() => {}), { once: true })
  if (outdated.aborted) await stop()
  started.defer(stop)
  return worker
}

type Places = { place: Place; healthPlace: Place | null; metricsPlace: Place | null }

/** The worker half listens only if it has a port, and only for health checks. */
function findPlaces({ host, port, workerPort, metricsHost, metricsPort }: Config): Places {
  return {
    place: { host, port, variable: 'PORT' },
    healthPlace: workerPort === undefined ? null : { host, port: workerPort, variable: 'WORKER_PORT' },
    metricsPlace:
      metricsPort === undefined
        ? null
        : { host: metricsHost, port: metricsPort, variable: 'METRICS_PORT', hostVariable: 'METRICS_HOST' },
  }
}

type MetricsOptions = { place: Place; metrics: Metrics; started: AsyncDisposableStack }

/** Called once everything that adds to the metrics is started. */
async function showMetrics({ place, metrics, started }: MetricsOptions): Promise<void> {
  const read = metricsReader(metrics)
  const app = createMetricsApp(async () => [await read()])
  started.defer(() => app.close())
  printForPeople(`The metrics are at ${await listen(app, place)}/metrics`)
}

type HealthOptions = {
  place: Place
  database: Database
  signal: AbortSignal
  outdated: AbortSignal
  started: AsyncDisposableStack
}

async function showHealth({ place, database, signal, outdated, started }: HealthOptions): Promise<void> {
  const app = createHealthApp({ database, stopping: signal, outdated })
  started.defer(() => app.close())
  const url = await listen(app, place)
  printForPeople(`The worker says whether it is ready at ${url}/readyz`)
}

async function locateDatabase(config: Config, half: StartOptions['half']): Promise<LocatedDatabase> {
  const given = await findGivenDatabase(config)
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
  const baseUrl = config.publicUrl ?? url
  const dataDir = located.kind === 'given' ? null : config.dataDir
  const service = describeService({ url: baseUrl, listeningAt: url, graphiql: config.graphiql, dataDir })
  const firstSteps = await describeFirst(parts, baseUrl)
  printForPeople(service + firstSteps)
}

/** Empty once there is an organization. Creates the first one only in an embedded database, never in a given one. */
async function describeFirst(
  { config, database, vault, located, url }: WelcomeOptions,
  baseUrl: string,
): Promise<string> {
  if ((await database.prisma.organization.count({ take: 1 })) > 0) return ''
  if (located.kind !== 'embedded') return describeMissingOrganization()
  const { apiKey, inviteLink } = await createFirstOrganization(database, { vault, baseUrl })
  // The example request is sent from this machine, where PUBLIC_URL may not work yet.
  return describeFirstSteps({ url, apiKey, inviteLink, graphiql: config.graphiql })
}
