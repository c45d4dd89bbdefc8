import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { isStatementLost } from './outage.ts'

/** The behavior of a pooler, if any, between the service and PostgreSQL. */
type Pooling = {
  /** Whether each transaction may run on another connection to the server, as behind a PgBouncer in transaction mode. */
  moves: boolean
  /** Whether a named statement still exists in the next transaction. PgBouncer supports this from 1.21 on, if configured. */
  namedStatements: boolean
}

const queryTimeoutMs = 2000
/** The number of connections to compare. */
const clientCount = 3
/** The maximum number of rounds, because a pooler may assign the same server connection again by chance. */
const maxRounds = 5

/** The behavior of a PgBouncer before 1.21 in transaction mode. */
export const poolerWithoutNames: Pooling = { moves: true, namedStatements: false }

/** What one transaction observes. */
type Observation = {
  /** The id of the server's process. */
  pid: number
  /** Whether the client received this process id when it connected; a pooler gives its clients other ids. */
  isOwn: boolean
  /** Whether the server has the statement under another name; a pooler that keeps named statements renames them. */
  isRenamed: boolean
}

/**
 * Compares transactions on several connections, at least two on each. In transaction mode, several of these connections share a
 * connection to the server, or one of them gets several. Other clients can only influence which connections to the server the
 * pooler assigns.
 */
export async function probePooling(url: string): Promise<Pooling> {
  const clients: pg.Client[] = []
  try {
    const observations: (Observation & { connection: number })[] = []
    for (let connection = 0; connection < clientCount; connection++) clients.push(await connect(url))
    let isDirect = false
    let changesConnection = false
    for (let round = 0; round < maxRounds && !isDirect && !changesConnection; round++) {
      for (const client of [...clients, ...clients]) {
        observations.push({ connection: clients.indexOf(client), ...(await observe(client)) })
      }
      isDirect = observations.every(({ isOwn }) => isOwn)
      changesConnection = !isDirect && !hasOneConnectionPerClient(observations)
    }
    return {
      moves: changesConnection,
      namedStatements: isDirect || observations.every(({ isRenamed }) => isRenamed),
    }
  } catch (error) {
    // A timeout means that all connections of a pooler are busy.
    if (isStatementLost(error) || isTimeout(error)) return poolerWithoutNames
    throw error
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: queryTimeoutMs })
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Observes one transaction. Its statement has a new name each time, because behind a pooler a statement stays on the server's
 * connection after its client has left.
 */
async function observe(client: pg.Client): Promise<Observation> {
  const name = `probe-${randomUUID()}`
  await client.query('begin')
  await client.query({ name, text: 'select 1' })
  const { rows } = await client.query<{ pid: number; has_name: boolean }>(
    `select pg_backend_pid() as pid, exists (select from pg_prepared_statements where name = $1) as has_name`,
    [name],
  )
  await client.query('commit')
  const { pid, has_name: hasName } = rows[0] as { pid: number; has_name: boolean }
  return { pid, isOwn: pid === client.processID, isRenamed: !hasName }
}

/** Whether each connection observed only one server process, and no two connections observed the same process. */
function hasOneConnectionPerClient(observations: readonly { connection: number; pid: number }[]): boolean {
  const pairs = new Set(observations.map(({ connection, pid }) => `${connection} ${pid}`))
  const pids = new Set(observations.map(({ pid }) => pid))
  return pairs.size === clientCount && pids.size === clientCount
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message)
}
