import pg from 'pg'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { explainDatabaseError } from './explain-error.ts'
import { isMissingRight } from './missing-rights.ts'

const oldestMajor = 14

type ServerToAssert = {
  url: string
  /** The name of the environment variable with the address. */
  variable: string
  /** Whether the address may lead to a PgBouncer; otherwise it must lead to PostgreSQL itself. */
  mayBePooled: boolean
  /** Whether the server may be a standby, which takes no writes. */
  mayBeStandby?: boolean
}

/** Throws a StartupError unless the service can use the database at the address. */
export async function assertServer({
  url,
  variable,
  mayBePooled,
  mayBeStandby = false,
}: ServerToAssert): Promise<void> {
  const client = connectionFor(url, variable, mayBePooled)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Server>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
              pg_is_in_recovery() as "isStandby"`,
    )
    assertSupported(rows[0], `${variable} (${withoutSecrets(url)})`)
    if (rows[0]?.isStandby && !mayBeStandby) {
      throw new StartupError(
        `The database of ${variable} (${withoutSecrets(url)}) is a standby, which takes no writes: set ${variable} to the primary, or promote this standby.`,
      )
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    if (reasonOf(error).includes('unsupported startup parameter')) {
      throw new StartupError(
        `${variable} (${withoutSecrets(url)}) leads to a PgBouncer: DATABASE_DIRECT_URL has to name PostgreSQL itself.`,
      )
    }
    const advice = isMissingRight(error) ? `. As its owner, run: ${grantConnect(url)}` : ''
    throw new StartupError(
      `Cannot use the database of ${variable} (${withoutSecrets(url)}): ${explainDatabaseError(error)}${advice}`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

function connectionFor(url: string, variable: string, mayBePooled: boolean): pg.Client {
  // PgBouncer in transaction mode refuses a connection that sends a setting.
  const setting = mayBePooled ? {} : { lock_timeout: 5000 }
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000, ...setting })
  } catch (error) {
    throw new StartupError(`${variable} is not a usable PostgreSQL address: ${reasonOf(error)}`)
  }
}

type Server = { version: number; encoding: string; isStandby: boolean }

function assertSupported(server: Server | undefined, where: string): void {
  const major = Math.floor((server?.version ?? 0) / 10_000)
  if (major < oldestMajor) {
    throw new StartupError(`The database of ${where} is PostgreSQL ${major}; ${oldestMajor} or newer is needed.`)
  }
  if (server?.encoding !== 'UTF8') {
    throw new StartupError(`The database of ${where} has the encoding ${server?.encoding}; UTF8 is needed.`)
  }
}

function grantConnect(url: string): string {
  const { pathname, username } = new URL(url)
  const name = (text: string) => pg.escapeIdentifier(decodeURIComponent(text))
  return `GRANT CONNECT ON DATABASE ${name(pathname.slice(1))} TO ${name(username)};`
}

/** The database's location without user and password, for messages. */
function withoutSecrets(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  const socketFolder = searchParams.get('host')
  return socketFolder === null ? `${host}${pathname}` : `${pathname.slice(1)} in ${socketFolder}`
}
