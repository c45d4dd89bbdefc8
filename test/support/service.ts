import type { FastifyInstance } from 'fastify'
import { inject, vi } from 'vitest'
import { newApiKey } from '../../src/access/api-key.ts'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { newId } from '../../src/core/ids.ts'
import { connectDatabase, type Database } from '../../src/database/client.ts'
import type { Role } from '../../src/database/generated/enums.ts'
import { openVault } from '../../src/database/master-key.ts'
import { startJobs } from '../../src/events/jobs.ts'
import { listen } from '../../src/listen.ts'
import { createLog } from '../../src/logging/log.ts'
import type { Metrics } from '../../src/metrics/metrics.ts'
import type { Observer } from '../../src/operation/observation.ts'
import type { Tracing } from '../../src/tracing/tracing.ts'
import { assertMatchesDescription } from './answers.ts'
import { atEnd } from './at-end.ts'
import { createTestDatabaseClient } from './database-of-tests.ts'
import { assertNamesOfGraphql } from './graphql-names.ts'
import { testMasterKey } from './master-key.ts'

export type Answer = {
  status: number
  headers: Headers
  /** The parsed JSON body; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape.
  body: any
}

/** Someone with an API key, for both APIs. */
export type Caller = {
  organizationId: string
  memberId: string
  key: string
  /** One REST request. `body` is sent as JSON; a string is sent unchanged. */
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** One GraphQL request; the body has `data` and `errors`. */
  graphql(query: string, variables?: Record<string, unknown>): Promise<Answer>
}

/** A line of the log. */
export type LogEntry = { level: number; msg: string; [name: string]: unknown }

/** The lines that are not about a single request, or about background work that failed, as it may on a busy machine. */
export function noticesIn(log: readonly LogEntry[]): LogEntry[] {
  return log.filter(({ requestId, err }) => requestId === undefined && err === undefined)
}

export type TestService = {
  url: string
  /** Stops it before the end of the test or the file. */
  stop(): Promise<void>
  app: FastifyInstance
  /** For the tests' own statements. */
  database: Database
  /** The service's own connections. */
  ownDatabase: Database
  /** Creates an organization, and a caller with this role in it. */
  organization(role?: Role): Promise<Caller>
  /** Creates another member of the organization, with a key. */
  member(organizationId: string, role: Role): Promise<Caller>
}

type ServiceOptions = {
  /** Aborted when a newer version has migrated the database. */
  outdated?: AbortSignal
  maxRefusalsPerMinute?: number
  /** How long requests wait for each other. */
  maxWaitMs?: number
  followersPublishedEveryMs?: number
  namedStatements?: boolean
  metrics?: Metrics | undefined
  tracing?: Tracing | undefined
}

/** A server of its own, which stops after the test or the file. */
export async function startService(...settings: Parameters<typeof start>): Promise<TestService> {
  const service = await start(...settings)
  atEnd(async () => {
    await service.stop()
    await service.database.close()
  })
  return service
}

/**
 * The real server on its own port, on the database of the test run or of DATABASE_URL. With LOG_LEVEL, adds its log lines to
 * `log`. `namedStatements`: whether it assumes that the database keeps them.
 */
async function start(
  env: Record<string, string> = {},
  log?: LogEntry[],
  observe?: Observer,
  { namedStatements, ...options }: ServiceOptions = {},
): Promise<TestService> {
  const config = loadConfig({
    DATABASE_URL: inject('databaseUrl'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    MASTER_KEY: testMasterKey,
    EVAL_RATE_LIMIT_PER_SECOND: '1000000',
    EVAL_MONTHLY_ALLOTMENT: 'unlimited',
    // Receivers in tests are on this machine.
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    ...env,
  })
  const { logger } = createLog({
    level: config.logLevel,
    format: 'json',
    stream: { write: (line) => void (log ? log.push(JSON.parse(line)) : process.stdout.write(line)) },
  })
  const pooling = { pooled: config.pgbouncer, namedStatements: namedStatements ?? !config.pgbouncer }
  const url = config.databaseUrl as string
  const standbyUrl = config.standbyDatabaseUrl
  const ownDatabase = connectDatabase({ url, standbyUrl, maxConnections: 8, logger, ...pooling })
  // Bypasses poolers, and proxies that break connections.
  const database = createTestDatabaseClient(config.databaseDirectUrl ?? url)
  // On a busy machine, the first connection may take longer than the service waits for it.
  await vi.waitFor(() => ownDatabase.ping(), inject('waitMs'))
  const vault = await openVault({ pool: ownDatabase.pool, ...config })
  const jobs = await startJobs(ownDatabase, logger)
  const app = await createApp({
    config,
    database: ownDatabase,
    directUrl: config.databaseDirectUrl ?? url,
    vault,
    jobs,
    logger,
    ...options,
    ...(observe && { observe }),
  })
  const address = await listen(app, { port: 0, host: '127.0.0.1', variable: 'PORT' })
  let stopped: Promise<void> | undefined
  async function end(): Promise<void> {
    await app.close()
    await jobs.stop()
    await ownDatabase.close()
  }
  const stop = () => (stopped ??= end())

  async function member(organizationId: string, role: Role): Promise<Caller> {
    const { values, ...identity } = newMember(organizationId, role)
    await database.pool.query(`with ${insertMember}`, values)
    return callerOf(address, identity)
  }

  return {
    url: address,
    stop,
    app,
    database,
    ownDatabase,
    member,
    async organization(role = 'admin') {
      const { values, ...identity } = newMember(newId(), role)
      await database.pool.query(`with ${insertOrganization}, ${insertMember}`, values)
      return callerOf(address, identity)
    },
  }
}

// One statement, because thousands of tests begin with it: with Prisma, it took five times as long.
const insertOrganization = `
  organization as (insert into organization (organization_id, name, created_at, updated_at) values ($1, 'Acme', $8, $8)),
  counter as (insert into eval_counter (organization_id) values ($1))`
const insertMember = `
  member as (insert into member (organization_id, member_id, service_account_id, display_name, role, created_at, updated_at)
    values ($1, $2, $3, $4::text, $4::text::role, $8, $8)),
  account as (insert into service_account (organization_id, service_account_id, member_id, name, created_at, updated_at)
    values ($1, $3, $2, $4::text, $8, $8))
  insert into api_key (organization_id, key_id, service_account_id, member_id, key_hash, key_prefix, name, created_at)
    values ($1, $5, $3, $2, $6, $7, 'test', $8)`

function newMember(organizationId: string, role: Role) {
  const [memberId, key] = [newId(), newApiKey()]
  const values = [organizationId, memberId, newId(), role, newId(), key.hash, key.prefix, new Date()]
  return { organizationId, memberId, key: key.key, values }
}

const shared = new Map<string, Promise<TestService>>()

/**
 * A service with these variables that the files of a worker share, until the worker's process ends. Only for files that send
 * requests to it: a file that stops it, or counts its work, starts its own.
 */
export function sharedService(env: Record<string, string> = {}): Promise<TestService> {
  const name = JSON.stringify(env)
  const service = shared.get(name) ?? start(env)
  shared.set(name, service)
  return service
}

/** A caller who sends requests with this key to the server at `url`, whichever process runs it. */
export function callerOf(url: string, identity: { organizationId: string; memberId: string; key: string }): Caller {
  return {
    ...identity,
    rest: (method, path, body, headers = {}) =>
      send(`${url}${path}`, method, body, { 'x-api-key': identity.key, ...headers }),
    graphql: (query, variables) => send(`${url}/graphql`, 'POST', { query, variables }, { 'x-api-key': identity.key }),
  }
}

/**
 * Sends a request with exactly these headers, and the content type of a body. Throws if an answer of the REST API differs
 * from its operation's description, or if a GraphQL error has REST's names.
 */
export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type = takesLines(url) ? 'application/x-ndjson' : 'application/json'
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /^application\/(?!x-ndjson).*json/.test(response.headers.get('content-type') ?? '')
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text || undefined,
  }
  assertMatchesDescription(method, url, answer)
  assertNamesOfGraphql(url, answer)
  return answer
}

/** Whether the body has one JSON object per line. */
function takesLines(url: string): boolean {
  return new URL(url).pathname === '/org/subscribers/import'
}
