import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { startWorker } from '../worker/main.ts'
import { createApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { StartupError } from './core/startup-error.ts'
import type { Vault } from './core/vault.ts'
import { connectDatabase, type Database } from './database/client.ts'
import {
  findGivenDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from './database/locate-database.ts'
import { openVault } from './database/master-key.ts'
import { migrate } from './database/migrate.ts'
import { startJobs } from './events/jobs.ts'
import { createFirstOrganization } from './modules/organizations/create-first-organization.ts'
import { describeFirstSteps, describeMissingOrganization, describeService } from './welcome.ts'

/** `api` and `worker` are the halves that `npm run start:api` and `start:worker` run; without a word both start. */
const half = findHalf(process.argv[2])

const workerConnections = 6

/** A stop that takes longer is cut short; the time during which requests are still served does not count. */
const stopTimeoutMs = 30_000
/** Ctrl-C reaches us twice under npm, from the terminal and from npm: only a later signal is a second one. */
const secondSignalAfterMs = 1_000

/** Everything that was started; disposing of it stops all of it in reverse. */
const started = new AsyncDisposableStack()
/** Aborted by the first signal. */
const stopping = new AbortController()
/** How long requests are still served after it; nobody sends any before there is a port. */
let graceMs = 0
let logger: Logger | null = null
let stopRequestedAt: number | null = null
let isStarted = false
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal())
process.on('uncaughtException', (error) => {
  if (isStopping) process.exit(1)
  logger?.fatal({ err: error }, 'uncaught exception')
  void stop(1)
})

try {
  await start()
  isStarted = true
  // A signal that came during the start.
  if (stopRequestedAt !== null) await stop(0)
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  await stop(1)
}

function findHalf(word: string | undefined): 'api' | 'worker' | null {
  return word === 'api' || word === 'worker' ? word : null
}

async function start(): Promise<void> {
  const config = loadConfig(process.env)
  logger = pino({ level: config.logLevel })

  const located = await locateDatabase(config)
  started.defer(() => located.stop())
  void located.ended.then(() => onDatabaseEnded())
  await migrate({ url: located.directUrl })

  const database = connectDatabase({ url: located.url, pooled: located.pooled, logger })
  started.defer(() => database.close())

  const vault = await openVault({ pool: database.pool, ...config })
  if (half !== 'api') await work({ config, located, vault })
  if (half === 'worker') {
    console.log('The worker sends events and tells of overrides that expire.')
    return
  }

  const jobs = await startJobs(database, logger)
  started.defer(() => jobs.stop())
  const app = await createApp({ config, database, vault, jobs, logger, stopping: stopping.signal })
  started.defer(() => app.close())
  const url = await listen(app, config)
  graceMs = config.shutdownGraceMs
  await welcome({ config, database, vault, located, url })
}

/** On connections of its own: requests that wait for one must not keep deliveries waiting. */
async function work({ config, located, vault }: { config: Config; located: LocatedDatabase; vault: Vault }) {
  const workerLogger = logger as Logger
  const { url, pooled, directUrl } = located
  const database = connectDatabase({ url, pooled, maxConnections: workerConnections, logger: workerLogger })
  started.defer(() => database.close())
  const worker = await startWorker({ config, database, directUrl, vault, logger: workerLogger })
  started.defer(() => worker.stop())
}

async function locateDatabase(config: Config): Promise<LocatedDatabase> {
  const given = await findGivenDatabase(config)
  if (given) return given
  if (half === null) return startEmbeddedDatabase(config, console.log)
  const running = await findRunningDatabase(config)
  if (running) return running
  throw new StartupError(
    `DATABASE_URL is required to run the halves apart, unless a whole server runs on the same data folder (${config.dataDir}).`,
  )
}

/** Resolves to the address that the server answers at. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw explainListenError(error as NodeJS.ErrnoException, host, port)
  }
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${named.includes(':') ? `[${named}]` : named}:${actualPort}`
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(`Port ${port} on ${host} is taken: stop what listens there, or set PORT to another one.`)
    case 'EACCES':
      return new StartupError(`Port ${port} may not be opened by this user: set PORT to one from 1024 on.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`HOST must be an address of this machine, but is ${JSON.stringify(host)}.`)
    default:
      return error
  }
}

type Parts = { config: Config; database: Database; vault: Vault; located: LocatedDatabase; url: string }

async function welcome(parts: Parts) {
  const { config, located, url } = parts
  const baseUrl = config.publicUrl ?? url
  const dataDir = located.kind === 'given' ? null : config.dataDir
  const service = describeService({ url: baseUrl, graphiql: config.graphiql, dataDir })
  const firstSteps = await describeFirst(parts, baseUrl)
  console.log(service + firstSteps)
}

/** Nothing, once there is an organization. A database of somebody's own is not written to unasked. */
async function describeFirst({ config, database, vault, located, url }: Parts, baseUrl: string): Promise<string> {
  if ((await database.prisma.organization.count({ take: 1 })) > 0) return ''
  if (located.kind !== 'embedded') return describeMissingOrganization()
  const { apiKey, inviteLink } = await createFirstOrganization(database, { vault, baseUrl })
  return describeFirstSteps({ url, apiKey, inviteLink, graphiql: config.graphiql })
}

function onSignal(): void {
  if (stopRequestedAt !== null) {
    if (Date.now() - stopRequestedAt > secondSignalAfterMs) process.exit(1)
    return
  }
  stopRequestedAt = Date.now()
  stopping.abort()
  if (isStarted) void wait(graceMs).then(() => stop(0))
}

function onDatabaseEnded(): void {
  if (isStopping) return
  logger?.fatal('the embedded PostgreSQL ended by itself')
  void stop(1)
}

/** Lets requests that are running end, then closes the database, then ends the embedded PostgreSQL. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  setTimeout(() => {
    console.error(`Not everything stopped within ${stopTimeoutMs / 1000} seconds.`)
    process.exit(1)
  }, stopTimeoutMs).unref()
  try {
    await started.disposeAsync()
  } catch (error) {
    logger?.error({ err: error }, 'could not stop in order')
    process.exit(1)
  }
  process.exit(exitCode)
}
