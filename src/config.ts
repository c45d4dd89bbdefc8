import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { relayVariables } from './config-relay-variables.ts'
import { toTracing } from './config-tracing.ts'
import type { Variable } from './config-variable.ts'
import { variables } from './config-variables.ts'
import { type Columns, toCamelCase, toColumns } from './core/names.ts'
import { perProcessLimit } from './core/per-process-limit.ts'
import { isLoopback, isSocketPath } from './core/public-address.ts'
import { withoutSlashesAtEnd } from './core/slashes.ts'
import { reasonOf, StartupError } from './core/startup-error.ts'

type Table = Record<string, Variable<unknown>>

/** The parsed variables in camel case: MAX_PLANS is `maxPlans`. */
type ParsedVariables<Of extends Table> = Columns<{
  [Name in keyof Of & string as Lowercase<Name>]: z.output<Of[Name]['kind']>
}>

type Variables = ParsedVariables<typeof variables>

/** config-variables.ts describes each setting. */
export type Config = Readonly<ReturnType<typeof toConfig>>

/** The only reader of the environment. Throws for a wrong variable: one line with its name and the allowed values. */
export function loadConfig(env: Record<string, string | undefined>, { delivers = true } = {}): Config {
  const read = readVariables(env, variables)
  const production = read.nodeEnv === 'production'
  assertDatabase(read, production)
  if (production && read.databaseUrl && !read.masterKey) {
    // Each machine would create its own key file, and none could read another's secrets.
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
  const oidc = toOidc(read)
  assertSomeSignIn({ ...read, oidc, externalIssuer })
  return {
    ...others,
    ...sharesOf(read, variables),
    ...standardsOf(read, production),
    production,
    /** Whether webhooks are sent: not with the option --no-delivery. */
    delivers,
    publicUrl: read.publicUrl && withoutSlashesAtEnd(read.publicUrl),
    maxStoredBytes: read.maxStoredBytes ?? null,
    webhookAllowPrivateNetworks: read.webhookAllowPrivateNetworks ?? (!production && isOnOwnMachine(read)),
    graphiql: read.graphiql ?? !production,
    tracing: toTracing(read),
    signUp: read.signUp ?? (production ? 'invited' : 'open'),
    externalIssuer,
    oidc,
    groupOrganizations: read.oidcGroupOrganizations ?? [],
  }
}

/** The configuration of a relay: the address to listen on, the service that it asks, and what it remembers. */
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
  // Anybody who reaches the port could read what every subscriber may do.
  if (tokens.length === 0 && !isLoopback(read.host) && !isSocketPath(read.host)) {
    throw new StartupError(
      `RELAY_TOKENS is required with HOST=${read.host}: without tokens, a relay listens only on this machine (127.0.0.1) or a Unix socket (HOST=/path/relay.sock).`,
    )
  }
  return {
    ...others,
    ...sharesOf(read, relayVariables),
    ...standardsOf(read, read.nodeEnv === 'production'),
    upstreamUrl,
    apiKey,
    tokens,
    maxSubscribers: read.relayMaxSubscribers,
    store: read.relayStore,
    warm: read.relayWarm,
    onUnavailable: read.relayOnUnavailable,
  }
}

/** The values that both have, with defaults that depend on other variables. */
function standardsOf(
  read: Pick<Variables, 'shutdownGraceMs' | 'metricsHost' | 'host' | 'logFormat'>,
  production: boolean,
) {
  return {
    shutdownGraceMs: read.shutdownGraceMs ?? (production ? 5000 : 0),
    metricsHost: read.metricsHost ?? (isSocketPath(read.host) ? '127.0.0.1' : read.host),
    logFormat: read.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  } as const
}

/** The shared limits, as each process's part of them. */
function sharesOf(read: { processes: number }, table: Table): { [name: string]: never } {
  const shared = Object.entries(table).filter(([, { isShared }]) => isShared)
  const names = shared.map(([name]) => toCamelCase(name.toLowerCase()))
  return Object.fromEntries(names.map((name) => [name, perProcessLimit(read[name as never], read.processes)])) as never
}

/** Ensures that in production, a missing variable does not result in an empty database. */
function assertDatabase(read: Variables, production: boolean): void {
  if (read.pgbouncer && !(read.databaseUrl && read.databaseDirectUrl)) {
    throw new StartupError(
      'PGBOUNCER=true needs DATABASE_URL, which leads through PgBouncer, and DATABASE_DIRECT_URL, which does not: migrations and LISTEN use that one.',
    )
  }
  if (read.databaseUrl) return
  if (read.standbyDatabaseUrl) throw new StartupError('STANDBY_DATABASE_URL needs DATABASE_URL beside it.')
  if (read.databaseDirectUrl) {
    throw new StartupError('DATABASE_DIRECT_URL needs DATABASE_URL beside it: set both, or neither.')
  }
  if (read.embeddedDatabase ?? !production) return
  throw new StartupError(
    `DATABASE_URL is required ${production ? 'in production' : 'with EMBEDDED_DATABASE=false'}: set it, or EMBEDDED_DATABASE=true to keep everything in DATA_DIR on the embedded PostgreSQL.`,
  )
}

/** Whether only this machine can reach the service, as in a trial. Otherwise a vendor's URL could reach internal addresses. */
function isOnOwnMachine({ databaseUrl, host, publicUrl }: Variables): boolean {
  return !databaseUrl && isLoopback(host) && (!publicUrl || isLoopback(new URL(publicUrl).hostname))
}

/** The address at which people reach the service: PUBLIC_URL, or where it listens; without a slash at the end. */
export function baseUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The external identity provider, or null. */
function toExternalIssuer(given: Record<'AUTH_JWKS_URL' | 'AUTH_ISSUER' | 'AUTH_AUDIENCE', string | undefined>) {
  assertSetTogether(given)
  const { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = given
  return jwksUrl && issuer && audience ? { jwksUrl, issuer, audience } : null
}

/** The OpenID Connect provider where people sign in, or null. */
function toOidc(read: Variables) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = read
  assertSetTogether({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret })
  if (!issuer || !clientId || !clientSecret) {
    if (read.oidcGroupOrganizations) throw new StartupError('OIDC_GROUP_ORGANIZATIONS needs OIDC_ISSUER beside it.')
    return null
  }
  const { oidcScopes: scopes, oidcName: name, oidcGroupsClaim: groupsClaim, oidcGroupsRequired: groupsRequired } = read
  return { issuer, clientId, clientSecret, scopes, name, groupsClaim, groupsRequired }
}

/** Throws if some of these variables are set, and others are not. */
function assertSetTogether(given: Record<string, string | undefined>): void {
  const names = Object.keys(given)
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length === 0 || missing.length === names.length) return
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  throw new StartupError(`${missing.join(' and ')} must be set as well: ${all} go together.`)
}

function assertSomeSignIn({
  localSignIn,
  ...others
}: {
  localSignIn: boolean
  oidc: unknown
  externalIssuer: unknown
}) {
  if (localSignIn || others.oidc || others.externalIssuer) return
  throw new StartupError('LOCAL_SIGN_IN=false needs OIDC_ISSUER, or nobody could sign in.')
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
  const refused = (reason: string) =>
    new StartupError(`${name} must name a file with the secret, but ${JSON.stringify(file)} ${reason}.`)
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (text !== '') return text
  } catch (error) {
    throw refused(`cannot be read: ${reasonOf(error)}`)
  }
  throw refused('is empty')
}

function parse(name: string, { kind, isSecret }: Variable<unknown>, text: string): unknown {
  const { success, data } = kind.safeParse(text)
  if (success) return data
  // Terminals and logs must not show a secret. Other addresses may contain a password too.
  const given = isSecret || name.endsWith('_URL') ? 'something else' : JSON.stringify(text)
  throw new StartupError(`${name} must be ${kind.description}, but is ${given}.`)
}
