import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { relayVariables } from './config-relay-variables.ts'
import { toTracingOptions } from './config-tracing.ts'
import type { Variable } from './config-variable.ts'
import { variables } from './config-variables.ts'
import { type Columns, toCamelCase, toColumns } from './core/names.ts'
import { perProcessLimit } from './core/per-process-limit.ts'
import { hostForPort, isLoopback, isSocketPath } from './core/public-address.ts'
import { reasonOf, StartupError } from './core/startup-error.ts'
import { withoutTrailingSlashes } from './core/trailing-slashes.ts'

type Table = Record<string, Variable<unknown>>

/** The parsed variables in camel case: MAX_PLANS is `maxPlans`. */
type ParsedVariables<Of extends Table> = Columns<{
  [Name in keyof Of & string as Lowercase<Name>]: z.output<Of[Name]['kind']>
}>

type Variables = ParsedVariables<typeof variables>

/** The settings, which config-variables.ts describes. */
export type Config = Readonly<ReturnType<typeof toConfig>>

/** The only code that reads the environment. For a wrong variable, throws one line with its name and the allowed values. */
export function loadConfig(env: Record<string, string | undefined>, { delivers = true } = {}): Config {
  const read = readVariables(env, variables)
  const production = read.nodeEnv === 'production'
  assertDatabaseVariables(read, production)
  if (production && read.databaseUrl && !read.masterKey) {
    // Otherwise each machine would create its own key file, and could not read secrets that another machine has encrypted.
    throw new StartupError(
      'MASTER_KEY is required with DATABASE_URL in production: generate one with `openssl rand -base64 32`.',
    )
  }
  return Object.freeze(toConfig(read, production, delivers))
}

/** The settings, including defaults that depend on other variables. */
function toConfig(read: Variables, production: boolean, delivers: boolean) {
  const { nodeEnv: _, embeddedDatabase: _embedded, authJwksUrl, authIssuer, authAudience, ...others } = read
  const externalIssuer = toExternalIssuer({
    AUTH_JWKS_URL: authJwksUrl,
    AUTH_ISSUER: authIssuer,
    AUTH_AUDIENCE: authAudience,
  })
  const oidc = toOidcSettings(read)
  assertSignInPossible({ ...read, oidc, externalIssuer })
  return {
    ...others,
    ...perProcessLimits(read, variables),
    ...commonSettings(read, production),
    production,
    /** False with the option --no-delivery: webhooks are not sent. */
    delivers,
    publicUrl: read.publicUrl && withoutTrailingSlashes(read.publicUrl),
    maxStoredBytes: read.maxStoredBytes ?? null,
    webhookAllowPrivateNetworks: read.webhookAllowPrivateNetworks ?? (!production && isOnlyLocal(read)),
    graphiql: read.graphiql ?? !production,
    tracing: toTracingOptions(read),
    signUp: read.signUp ?? (production ? 'invited' : 'open'),
    externalIssuer,
    oidc,
    groupOrganizations: read.oidcGroupOrganizations ?? [],
  }
}

/** The settings of a relay, which config-relay-variables.ts describes. */
export type RelayConfig = Readonly<ReturnType<typeof toRelayConfig>>

export function loadRelayConfig(env: Record<string, string | undefined>): RelayConfig {
  return Object.freeze(toRelayConfig(readVariables(env, relayVariables)))
}

function toRelayConfig(read: ParsedVariables<typeof relayVariables>) {
  const { relayUpstreamUrl: upstreamUrl, entitlementsApiKey: apiKey, relayTokens: tokens = [], ...others } = read
  if (upstreamUrl === undefined) throw new StartupError('RELAY_UPSTREAM_URL is required: the address of the service.')
  if (apiKey === undefined) {
    throw new StartupError(
      'ENTITLEMENTS_API_KEY is required: the key of a service account. The role evaluator is enough.',
    )
  }
  // Without tokens, anyone who reaches the port could read all entitlements.
  if (tokens.length === 0 && !isLoopback(read.host) && !isSocketPath(read.host)) {
    throw new StartupError(
      `RELAY_TOKENS is required with HOST=${read.host}: without tokens, a relay listens only on this machine (127.0.0.1) or a Unix socket (HOST=/path/relay.sock).`,
    )
  }
  return {
    ...others,
    ...perProcessLimits(read, relayVariables),
    ...commonSettings(read, read.nodeEnv === 'production'),
    upstreamUrl,
    apiKey,
    tokens,
    maxSubscribers: read.relayMaxSubscribers,
    store: read.relayStore,
    warm: read.relayWarm,
    onUnavailable: read.relayOnUnavailable,
  }
}

/** Settings of both the service and the relay whose defaults depend on other variables. */
function commonSettings(
  read: Pick<Variables, 'shutdownGraceMs' | 'metricsHost' | 'host' | 'logFormat'>,
  production: boolean,
) {
  return {
    shutdownGraceMs: read.shutdownGraceMs ?? (production ? 5000 : 0),
    metricsHost: read.metricsHost ?? hostForPort(read.host),
    logFormat: read.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  } as const
}

/** The part of each shared limit that one process gets. */
function perProcessLimits(read: { processes: number }, table: Table): { [name: string]: never } {
  const shared = Object.entries(table).filter(([, { isShared }]) => isShared)
  const names = shared.map(([name]) => toCamelCase(name.toLowerCase()))
  return Object.fromEntries(names.map((name) => [name, perProcessLimit(read[name as never], read.processes)])) as never
}

/** Throws if the database variables contradict each other, or if production would start with an empty embedded database. */
function assertDatabaseVariables(read: Variables, production: boolean): void {
  if (read.pgbouncer && !(read.databaseUrl && read.databaseDirectUrl)) {
    throw new StartupError(
      'PGBOUNCER=true needs DATABASE_URL, which leads through PgBouncer, and DATABASE_DIRECT_URL, which does not: migrations and LISTEN use the direct address.',
    )
  }
  if (read.databaseUrl) return
  if (read.standbyDatabaseUrl) throw new StartupError('STANDBY_DATABASE_URL also requires DATABASE_URL.')
  if (read.databaseDirectUrl) {
    throw new StartupError('DATABASE_DIRECT_URL requires DATABASE_URL: set both, or neither.')
  }
  if (read.embeddedDatabase ?? !production) return
  throw new StartupError(
    `DATABASE_URL is required ${production ? 'in production' : 'with EMBEDDED_DATABASE=false'}: set it, or EMBEDDED_DATABASE=true to keep everything in DATA_DIR on the embedded PostgreSQL.`,
  )
}

/** Whether only this machine can reach the service, as in a trial. Only then may webhooks go to internal addresses. */
function isOnlyLocal({ databaseUrl, host, publicUrl }: Variables): boolean {
  return !databaseUrl && isLoopback(host) && (!publicUrl || isLoopback(new URL(publicUrl).hostname))
}

/**
 * The address at which people reach the service, without a trailing slash: PUBLIC_URL, or the address of the port. With a Unix
 * socket, a proxy on this machine is assumed.
 */
export function baseUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl === undefined && isSocketPath(host)) return 'http://localhost'
  const hostname = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
}

/** The external identity provider, or null. */
function toExternalIssuer(values: Record<'AUTH_JWKS_URL' | 'AUTH_ISSUER' | 'AUTH_AUDIENCE', string | undefined>) {
  assertSetTogether(values)
  const { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = values
  return jwksUrl && issuer && audience ? { jwksUrl, issuer, audience } : null
}

/** The OpenID Connect provider where people sign in, or null. */
function toOidcSettings(read: Variables) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = read
  assertSetTogether({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret })
  if (!issuer || !clientId || !clientSecret) {
    if (read.oidcGroupOrganizations) throw new StartupError('OIDC_GROUP_ORGANIZATIONS also requires OIDC_ISSUER.')
    return null
  }
  const { oidcScopes: scopes, oidcName: name, oidcGroupsClaim: groupsClaim, oidcGroupsRequired: groupsRequired } = read
  return { issuer, clientId, clientSecret, scopes, name, groupsClaim, groupsRequired }
}

/** Throws if only some of these variables are set. */
function assertSetTogether(values: Record<string, string | undefined>): void {
  const names = Object.keys(values)
  const missing = names.filter((name) => values[name] === undefined)
  if (missing.length === 0 || missing.length === names.length) return
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  throw new StartupError(`${missing.join(' and ')} must be set as well: ${all} go together.`)
}

function assertSignInPossible({
  localSignIn,
  ...others
}: {
  localSignIn: boolean
  oidc: unknown
  externalIssuer: unknown
}) {
  if (localSignIn || others.oidc || others.externalIssuer) return
  throw new StartupError('LOCAL_SIGN_IN=false needs OIDC_ISSUER or AUTH_JWKS_URL, or nobody could sign in.')
}

function readVariables<Of extends Table>(env: Record<string, string | undefined>, table: Of): ParsedVariables<Of> {
  const read: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(table)) {
    const text = readText(env, name, variable)
    read[name.toLowerCase()] = text === undefined ? undefined : parse(name, variable, text)
  }
  return toColumns(read) as ParsedVariables<Of>
}

function readText(env: Record<string, string | undefined>, name: string, variable: Variable<unknown>) {
  const file = variable.isSecret && env[`${name}_FILE`]
  if (!file) return env[name] || variable.fallback
  if (env[name]) throw new StartupError(`${name} and ${name}_FILE are both set: set only one of them.`)
  return readSecretFile(`${name}_FILE`, file)
}

/** The file's text without the newline that editors and `echo` add to its end. */
function readSecretFile(name: string, file: string): string {
  const toError = (reason: string) =>
    new StartupError(`${name} must name a file with the secret, but ${JSON.stringify(file)} ${reason}.`)
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (text !== '') return text
  } catch (error) {
    throw toError(`cannot be read: ${reasonOf(error)}`)
  }
  throw toError('is empty')
}

function parse(name: string, { kind, isSecret }: Variable<unknown>, text: string): unknown {
  const { success, data } = kind.safeParse(text)
  if (success) return data
  // Terminals and logs must not show a secret. A URL may contain a password too.
  const value = isSecret || name.endsWith('_URL') ? 'something else' : JSON.stringify(text)
  throw new StartupError(`${name} must be ${kind.description}, but is ${value}.`)
}
