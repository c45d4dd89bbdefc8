import { z } from 'zod'
import {
  dataFolder,
  highestCaps,
  httpOrigin,
  httpUrl,
  isNetworkList,
  masterKey,
  postgresUrl,
  waitsInSeconds,
  wholeNumber,
  wholeNumberOrUnlimited,
  yesOrNo,
} from './config-values.ts'
import { isLoopback } from './core/public-address.ts'
import { StartupError } from './core/startup-error.ts'

/** Every variable that the service reads, with what is allowed. Absent and empty are the same. */
const variables = {
  NODE_ENV: z.string().default('development').describe('production, or anything else'),
  PORT: wholeNumber(0, 65_535).default(4000),
  WORKER_PORT: wholeNumber(0, 65_535).optional(),
  HOST: z.string().default('127.0.0.1').describe('an address to listen on'),
  DATABASE_URL: postgresUrl().optional(),
  DATABASE_DIRECT_URL: postgresUrl().optional(),
  PGBOUNCER: yesOrNo().default(false),
  EMBEDDED_DATABASE: yesOrNo().optional(),
  DATA_DIR: dataFolder().prefault('.data'),
  MASTER_KEY: masterKey().optional(),
  PUBLIC_URL: httpOrigin().optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('one of trace, debug, info, warn, error, fatal, silent'),
  EVAL_RATE_LIMIT_PER_SECOND: wholeNumber(1, 1_000_000_000).default(100),
  EVAL_MONTHLY_ALLOTMENT: wholeNumberOrUnlimited(0, Number.MAX_SAFE_INTEGER).default(null),
  MAX_FEATURES: wholeNumber(1, highestCaps.features).default(10_000),
  MAX_PLANS: wholeNumber(1, highestCaps.plans).default(1000),
  MAX_CATALOG_BYTES: wholeNumber(1, 1_000_000_000).default(16_777_216),
  MAX_OVERRIDE_BYTES: wholeNumber(1, 1_000_000_000).default(4_194_304),
  MAX_ORGANIZATIONS_PER_PERSON: wholeNumberOrUnlimited(0, 1_000_000).default(10),
  MAX_STORED_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
  MAX_RECEIVING_BYTES: wholeNumber(1, 1_000_000_000_000).default(67_108_864),
  MAX_WAITING_BYTES: wholeNumber(1, 1_000_000_000_000).default(67_108_864),
  ANSWER_TIMEOUT_MS: wholeNumber(1_000, 3_600_000).default(30_000),
  MAX_ANSWER_BYTES: wholeNumber(1, 1_000_000_000).default(16_777_216),
  MAX_ANSWER_ROWS: wholeNumber(1, 1_000_000_000).default(20_000),
  BODY_LIMIT_BYTES: wholeNumber(1, 1_000_000_000).default(1_048_576),
  MAX_PARSED_BYTES: wholeNumber(65_536, 100_000_000_000).default(67_108_864),
  MAX_RUNNING_REQUESTS: wholeNumber(1, 12).default(4),
  MAX_WAITING_REQUESTS: wholeNumber(1, 1_000_000).default(500),
  MAX_PASSWORDS_AT_ONCE: wholeNumber(1, 64).default(1),
  WEBHOOK_RETRY_WAITS_SECONDS: waitsInSeconds().default([30, 300, 1800, 7200, 18_000, 36_000, 86_400]),
  WEBHOOK_ATTEMPT_TIMEOUT_MS: wholeNumber(1, 600_000).default(5000),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: yesOrNo().optional(),
  WEBHOOK_RETENTION_DAYS: wholeNumber(1, 36_500).default(30),
  GRAPHIQL: yesOrNo().optional(),
  SIGN_UP: z.enum(['open', 'invited']).optional().describe('open or invited'),
  AUTH_JWKS_URL: httpUrl().optional(),
  AUTH_ISSUER: z.string().optional().describe('the issuer as its tokens name it'),
  AUTH_AUDIENCE: z.string().optional().describe('the audience as tokens for this service name it'),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).optional(),
  TRUST_PROXY: z
    .union([wholeNumber(0, 100), yesOrNo(), z.string().refine(isNetworkList)])
    .default(false)
    .describe('false, true, the number of proxies in front, or their addresses and networks separated by commas'),
} satisfies Record<string, z.ZodType>

export type Config = Readonly<{
  production: boolean
  port: number
  /** The port at which the worker half answers whether it lives and is ready; absent: it does not listen. */
  workerPort: number | undefined
  host: string
  /** Absent: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined
  /** The direct address, without PgBouncer, for LISTEN, migrations and advisory locks; absent: the same as `databaseUrl`. */
  databaseDirectUrl: string | undefined
  /** Whether `databaseUrl` is declared to lead through a PgBouncer that keeps no named statements. */
  pgbouncer: boolean
  /** Absolute. */
  dataDir: string
  /** 32 bytes; absent: a file under `dataDir`, created once. */
  masterKey: Uint8Array | undefined
  /** Without a slash at the end. */
  publicUrl: string | undefined
  logLevel: string
  evalRateLimitPerSecond: number
  /** Evals in a calendar month; null is unlimited. */
  evalMonthlyAllotment: number | null
  /** For an organization. */
  maxFeatures: number
  maxPlans: number
  /** For the features and grants of an organization. */
  maxCatalogBytes: number
  /** For the values of a subscriber's overrides. */
  maxOverrideBytes: number
  /** Organizations that one person may create; null is unlimited. */
  maxOrganizationsPerPerson: number | null
  /** For everything that an organization stores; null is unlimited. */
  maxStoredBytes: number | null
  maxConnections: number
  /** Bytes of unfinished bodies, and of those whose requests still run, in the whole process. */
  maxReceivingBytes: number
  /** Bytes of answers that wait to be read by their clients, in the whole process. */
  maxWaitingBytes: number
  /** A client that takes nothing of its answer for this long counts as gone. */
  answerTimeoutMs: number
  /** For a GraphQL request. */
  maxAnswerBytes: number
  maxAnswerRows: number
  bodyLimitBytes: number
  /** The memory of parsed large bodies in the process together. */
  maxParsedBytes: number
  /** Reads and writes of one organization that run at once in a process. */
  maxRunningRequests: number
  /** Requests that wait behind them. */
  maxWaitingRequests: number
  /** Hashed at the same time: each takes a core and 19 MiB. */
  maxPasswordsAtOnce: number
  /** Waits before the second attempt, the third and so on; the number of attempts is one more. */
  webhookRetryWaitsSeconds: readonly number[]
  webhookAttemptTimeoutMs: number
  /** Whether events may go to addresses that are not public. */
  webhookAllowPrivateNetworks: boolean
  /** How long delivered and failed events are kept. */
  webhookRetentionDays: number
  graphiql: boolean
  trustProxy: boolean | number | string
  /** How long a process still serves after a stop signal, so that balancers notice that it is not ready any more. */
  shutdownGraceMs: number
  /** Whether signing up needs an invite. */
  signUp: 'open' | 'invited'
  /** An outside identity provider; null when there is none. */
  outsideIssuer: { jwksUrl: string; issuer: string; audience: string } | null
}>

/** The only reader of the environment. A wrong variable ends the start with one line that names it, and what is allowed. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const read = readVariables(env)
  const production = read.NODE_ENV === 'production'
  assertDatabase(read, production)
  if (production && read.DATABASE_URL && !read.MASTER_KEY) {
    // A key file of one process would differ on the next machine, and neither could read the other's secrets.
    throw new StartupError(
      'MASTER_KEY is required with DATABASE_URL in production: `openssl rand -base64 32` makes one.',
    )
  }
  return Object.freeze({
    production,
    port: read.PORT,
    workerPort: read.WORKER_PORT,
    host: read.HOST,
    databaseUrl: read.DATABASE_URL,
    databaseDirectUrl: read.DATABASE_DIRECT_URL,
    pgbouncer: read.PGBOUNCER,
    masterKey: read.MASTER_KEY,
    dataDir: read.DATA_DIR,
    publicUrl: read.PUBLIC_URL?.replace(/\/+$/, ''),
    logLevel: read.LOG_LEVEL,
    evalRateLimitPerSecond: read.EVAL_RATE_LIMIT_PER_SECOND,
    evalMonthlyAllotment: read.EVAL_MONTHLY_ALLOTMENT,
    maxFeatures: read.MAX_FEATURES,
    maxPlans: read.MAX_PLANS,
    maxCatalogBytes: read.MAX_CATALOG_BYTES,
    maxOverrideBytes: read.MAX_OVERRIDE_BYTES,
    maxOrganizationsPerPerson: read.MAX_ORGANIZATIONS_PER_PERSON,
    maxStoredBytes: read.MAX_STORED_BYTES ?? null,
    maxConnections: read.MAX_CONNECTIONS,
    maxReceivingBytes: read.MAX_RECEIVING_BYTES,
    maxWaitingBytes: read.MAX_WAITING_BYTES,
    answerTimeoutMs: read.ANSWER_TIMEOUT_MS,
    maxAnswerBytes: read.MAX_ANSWER_BYTES,
    maxAnswerRows: read.MAX_ANSWER_ROWS,
    bodyLimitBytes: read.BODY_LIMIT_BYTES,
    maxParsedBytes: read.MAX_PARSED_BYTES,
    maxRunningRequests: read.MAX_RUNNING_REQUESTS,
    maxWaitingRequests: read.MAX_WAITING_REQUESTS,
    maxPasswordsAtOnce: read.MAX_PASSWORDS_AT_ONCE,
    webhookRetryWaitsSeconds: read.WEBHOOK_RETRY_WAITS_SECONDS,
    webhookAttemptTimeoutMs: read.WEBHOOK_ATTEMPT_TIMEOUT_MS,
    webhookAllowPrivateNetworks: read.WEBHOOK_ALLOW_PRIVATE_NETWORKS ?? (!production && isOnOwnMachine(read)),
    webhookRetentionDays: read.WEBHOOK_RETENTION_DAYS,
    graphiql: read.GRAPHIQL ?? !production,
    trustProxy: read.TRUST_PROXY,
    shutdownGraceMs: read.SHUTDOWN_GRACE_MS ?? (production ? 5000 : 0),
    signUp: read.SIGN_UP ?? (production ? 'invited' : 'open'),
    outsideIssuer: readOutsideIssuer(read),
  })
}

/** In production a missing variable must not result in an empty database. */
function assertDatabase(read: Variables, production: boolean): void {
  if (read.PGBOUNCER && !(read.DATABASE_URL && read.DATABASE_DIRECT_URL)) {
    throw new StartupError(
      'PGBOUNCER=true needs DATABASE_URL, through the PgBouncer, and DATABASE_DIRECT_URL, past it: migrations and LISTEN go there.',
    )
  }
  if (read.DATABASE_URL) return
  if (read.DATABASE_DIRECT_URL) {
    throw new StartupError('DATABASE_DIRECT_URL needs DATABASE_URL beside it: set both, or neither.')
  }
  if (read.EMBEDDED_DATABASE ?? !production) return
  throw new StartupError(
    `DATABASE_URL is required ${production ? 'in production' : 'with EMBEDDED_DATABASE=false'}: set it, or EMBEDDED_DATABASE=true to keep everything in DATA_DIR on the embedded PostgreSQL.`,
  )
}

/** Whether somebody tries the service out, reached by nobody else: elsewhere a vendor's URL could reach inner addresses. */
function isOnOwnMachine({ DATABASE_URL, HOST, PUBLIC_URL }: Variables): boolean {
  return !DATABASE_URL && isLoopback(HOST) && (!PUBLIC_URL || isLoopback(new URL(PUBLIC_URL).hostname))
}

/** The address at which people reach the service, without a slash at the end: PUBLIC_URL, or where it listens. */
export function baseUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function readOutsideIssuer(read: Variables): Config['outsideIssuer'] {
  const { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = read
  if (jwksUrl && issuer && audience) return { jwksUrl, issuer, audience }
  const missing = Object.entries({ AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name)
  if (missing.length === 3) return null
  throw new StartupError(
    `${missing.join(' and ')} must be set as well: AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE go together.`,
  )
}

type Variables = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]> }

function readVariables(env: Record<string, string | undefined>): Variables {
  const read: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(variables)) {
    const text = env[name] === '' ? undefined : env[name]
    const parsed = schema.safeParse(text)
    if (!parsed.success) {
      // A key, or an address that may contain a password, must not be shown in a terminal or a log.
      const given = name === 'MASTER_KEY' || name.endsWith('_URL') ? 'something else' : JSON.stringify(text)
      throw new StartupError(`${name} must be ${describe(schema)}, but is ${given}.`)
    }
    read[name] = parsed.data
  }
  return read as Variables
}

/** The description is on the schema, or on the one that a default wraps. */
function describe(schema: z.ZodType): string {
  const inner =
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional
      ? schema.def.innerType
      : schema
  return schema.description ?? (inner as z.ZodType).description ?? 'valid'
}
