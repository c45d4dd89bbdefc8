import type { z } from 'zod'
import { type Variable, variables } from './config-variables.ts'
import { type Columns, toColumns } from './core/names.ts'
import { isLoopback } from './core/public-address.ts'
import { StartupError } from './core/startup-error.ts'

/** The variables as they were read: MAX_PLANS is `maxPlans`. */
type Variables = Columns<{
  [Name in keyof typeof variables as Lowercase<Name>]: z.output<(typeof variables)[Name]['kind']>
}>

/** What each setting means is said where its variable is described. */
export type Config = Readonly<ReturnType<typeof toConfig>>

/** The only reader of the environment. A wrong variable ends the start with one line that names it, and what is allowed. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const read = readVariables(env)
  const production = read.nodeEnv === 'production'
  assertDatabase(read, production)
  if (production && read.databaseUrl && !read.masterKey) {
    // A key file of one process would differ on the next machine, and neither could read the other's secrets.
    throw new StartupError(
      'MASTER_KEY is required with DATABASE_URL in production: `openssl rand -base64 32` makes one.',
    )
  }
  return Object.freeze(toConfig(read, production))
}

/** The settings, with the defaults that depend on others. */
function toConfig(read: Variables, production: boolean) {
  const { nodeEnv: _, embeddedDatabase: _embedded, authJwksUrl, authIssuer, authAudience, ...others } = read
  return {
    ...others,
    production,
    publicUrl: read.publicUrl?.replace(/\/+$/, ''),
    maxStoredBytes: read.maxStoredBytes ?? null,
    webhookAllowPrivateNetworks: read.webhookAllowPrivateNetworks ?? (!production && isOnOwnMachine(read)),
    graphiql: read.graphiql ?? !production,
    shutdownGraceMs: read.shutdownGraceMs ?? (production ? 5000 : 0),
    signUp: read.signUp ?? (production ? 'invited' : 'open'),
    outsideIssuer: toOutsideIssuer({
      AUTH_JWKS_URL: authJwksUrl,
      AUTH_ISSUER: authIssuer,
      AUTH_AUDIENCE: authAudience,
    }),
  }
}

/** In production a missing variable must not result in an empty database. */
function assertDatabase(read: Variables, production: boolean): void {
  if (read.pgbouncer && !(read.databaseUrl && read.databaseDirectUrl)) {
    throw new StartupError(
      'PGBOUNCER=true needs DATABASE_URL, through the PgBouncer, and DATABASE_DIRECT_URL, past it: migrations and LISTEN go there.',
    )
  }
  if (read.databaseUrl) return
  if (read.databaseDirectUrl) {
    throw new StartupError('DATABASE_DIRECT_URL needs DATABASE_URL beside it: set both, or neither.')
  }
  if (read.embeddedDatabase ?? !production) return
  throw new StartupError(
    `DATABASE_URL is required ${production ? 'in production' : 'with EMBEDDED_DATABASE=false'}: set it, or EMBEDDED_DATABASE=true to keep everything in DATA_DIR on the embedded PostgreSQL.`,
  )
}

/** Whether somebody tries the service out, reached by nobody else: elsewhere a vendor's URL could reach inner addresses. */
function isOnOwnMachine({ databaseUrl, host, publicUrl }: Variables): boolean {
  return !databaseUrl && isLoopback(host) && (!publicUrl || isLoopback(new URL(publicUrl).hostname))
}

/** The address at which people reach the service, without a slash at the end: PUBLIC_URL, or where it listens. */
export function baseUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** An outside identity provider; null when there is none. */
function toOutsideIssuer(given: Record<'AUTH_JWKS_URL' | 'AUTH_ISSUER' | 'AUTH_AUDIENCE', string | undefined>) {
  const { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = given
  if (jwksUrl && issuer && audience) return { jwksUrl, issuer, audience }
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (missing.length === 3) return null
  throw new StartupError(
    `${missing.join(' and ')} must be set as well: AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE go together.`,
  )
}

function readVariables(env: Record<string, string | undefined>): Variables {
  const read: Record<string, unknown> = {}
  for (const [name, { kind, fallback }] of Object.entries<Variable<unknown>>(variables)) {
    const text = env[name] || fallback
    read[name.toLowerCase()] = text === undefined ? undefined : parse(name, kind, text)
  }
  return toColumns(read) as Variables
}

function parse(name: string, kind: z.ZodType, text: string): unknown {
  const { success, data } = kind.safeParse(text)
  if (success) return data
  // A key, or an address that may contain a password, must not be shown in a terminal or a log.
  const given = name === 'MASTER_KEY' || name.endsWith('_URL') ? 'something else' : JSON.stringify(text)
  throw new StartupError(`${name} must be ${kind.description}, but is ${given}.`)
}
