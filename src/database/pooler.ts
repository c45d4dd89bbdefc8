import pg from 'pg'

/** What stands between the service and PostgreSQL, described by its behaviour. */
export type Pooling = {
  /** Each transaction may run on another connection to the server, as behind a PgBouncer in transaction mode. */
  moves: boolean
  /** A named statement still exists in the next transaction. PgBouncer supports this from 1.21 on, if configured. */
  namedStatements: boolean
}

const queryTimeoutMs = 2000
/** A pooler that can choose among servers may return the same one to its client for up to this many attempts. */
const maxHolders = 4

/** PgBouncer before 1.21 in transaction mode. */
export const movesWithoutNames: Pooling = { moves: true, namedStatements: false }

/**
 * Asks with a named statement which server process answers. Then other clients occupy that process with transactions: a
 * client with its own session gets the same process again, and behind a pooler another, which may not know the name.
 */
export async function probePooling(url: string): Promise<Pooling> {
  const clients: pg.Client[] = []
  try {
    const asker = await connect(url, clients)
    const first = await askForProcess(asker)
    for (let holders = 0; holders < maxHolders; holders++) {
      const holder = await connect(url, clients)
      await holder.query('begin')
      await holder.query('select')
      if ((await askForProcess(asker)) !== first) return { moves: true, namedStatements: true }
    }
    return { moves: false, namedStatements: true }
  } catch (error) {
    // Any error of the server is about the name; no answer means that all its connections are busy, so it also moves.
    if (error instanceof pg.DatabaseError || isTimeout(error)) return movesWithoutNames
    throw error
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

async function connect(url: string, clients: pg.Client[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: queryTimeoutMs })
  client.on('error', () => {})
  clients.push(client)
  await client.connect()
  return client
}

async function askForProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>({
    name: 'pooler-probe',
    text: 'select pg_backend_pid() as pid',
  })
  return (rows[0] as { pid: number }).pid
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message)
}
