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
import { createLog } from './log.ts'
import { createFirstOrganization } from './modules/memberships/create-first-organization.ts'
import { ensureConsole } from './web/ensure-console.ts'
import { describeFirstSteps, describeMissingOrganization, describeService } from './welcome.ts'

const workerConnections = 6

export type StartOptions = {
  /** Null: both halves. */
  half: 'api' | 'worker' | null
  /** Takes everything that must be stopped later. */
  started: AsyncDisposableStack
  /** Aborted when the start must end early, which it does by rejecting. */
  signal: AbortSignal
  useLogger(logger: Logger): void
  /** The embedded PostgreSQL ended, asked or not. */
  onDatabaseEnded(): void
}

/** Prints a text for people: standard output is for the log's JSON lines. */
const printForPeople = console.error

export type Started = {
  /** How long it still serves after a signal. */
  shutdownGraceMs: number
}

/** Starts what `half` names, and resolves when it works. */
export async function start(options: StartOptions): Promise<Started> {
  const { half, started, signal, useLogger, onDatabaseEnded } = options
  const config = loadConfig(process.env)
  const { logger, followDatabase } = createLog(config.logLevel)
  useLogger(logger)
  const { place, healthPlace } = findPlaces(config)
  await ensureFree(half === 'worker' ? healthPlace : place)

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
  const vault = await openVault({ pool: database.pool, ...config })
  signal.throwIfAborted()

  const worker = half === 'api' ? null : await work({ config, located, vault, started, logger, outdated })
  signal.throwIfAborted()
  if (half === 'worker') {
    if (healthPlace) await showHealth({ place: healthPlace, database, signal, outdated, started })
    printForPeople('The worker sends events and notifies receivers of overrides that expire.')
    return { shutdownGraceMs: 0 }
  }

  const jobs = await startJobs(database, logger, worker?.wake)
  started.defer(() => jobs.stop())
  signal.throwIfAborted()
  const app = await createApp({ config, database, vault, jobs, logger, stopping: signal, outdated })
  started.defer(() => app.close())
  signal.throwIfAborted()
  await consoleBuilt
  signal.throwIfAborted()
  const url = await listen(app, place)
  await welcome({ config, database, vault, located, url })
  return { shutdownGraceMs: config.shutdownGraceMs }
}

type WorkOptions = {
  config: Config
  located: LocatedDatabase
  vault: Vault
  started: AsyncDisposableStack
  logger: Logger
  outdated: AbortSignal
}

/** On its own connections: requests that wait for one must not delay deliveries. */
async function work({ config, located, vault, started, logger, outdated }: WorkOptions): Promise<Worker> {
  const { url, pooled, namedStatements, directUrl } = located
  const database = connectDatabase({ url, pooled, namedStatements, maxConnections: workerConnections, logger })
  started.defer(() => database.close())
  const worker = await startWorker({ config, database, directUrl, vault, logger })
  // A newer version of the worker sends what is queued; this one may not understand the tables any more.
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= worker.stop())
  // If it fails, the stop of the process says so.
  outdated.addEventListener('abort', () => void stop().catch(() => {}), { once: true })
  if (outdated.aborted) await stop()
  started.defer(stop)
  return worker
}

/** The worker half listens only when it has a port, and only to say whether it is ready. */
function findPlaces({ host, port, workerPort }: Config): { place: Place; healthPlace: Place | null } {
  return {
    place: { host, port, variable: 'PORT' },
    healthPlace: workerPort === undefined ? null : { host, port: workerPort, variable: 'WORKER_PORT' },
  }
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
    `DATABASE_URL is required to run the halves apart, unless a whole server runs on the same data folder (${config.dataDir}).`,
  )
}

type Parts = { config: Config; database: Database; vault: Vault; located: LocatedDatabase; url: string }

async function welcome(parts: Parts): Promise<void> {
  const { config, located, url } = parts
  const baseUrl = config.publicUrl ?? url
  const dataDir = located.kind === 'given' ? null : config.dataDir
  const service = describeService({ url: baseUrl, listeningAt: url, graphiql: config.graphiql, dataDir })
  const firstSteps = await describeFirst(parts, baseUrl)
  printForPeople(service + firstSteps)
}

/** Does nothing once there is an organization. Does not write to somebody's own database unasked. */
async function describeFirst({ config, database, vault, located, url }: Parts, baseUrl: string): Promise<string> {
  if ((await database.prisma.organization.count({ take: 1 })) > 0) return ''
  if (located.kind !== 'embedded') return describeMissingOrganization()
  const { apiKey, inviteLink } = await createFirstOrganization(database, { vault, baseUrl })
  // The request to paste is sent from this machine, where PUBLIC_URL may not work yet.
  return describeFirstSteps({ url, apiKey, inviteLink, graphiql: config.graphiql })
}
