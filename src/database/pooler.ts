import pg from 'pg'

/** What stands between the service and PostgreSQL, by what it does. */
export type Pooling = {
  /** Each transaction may run on another connection to the server, as behind a PgBouncer in transaction mode. */
  moves: boolean
  /** A statement prepared under a name is there in the next transaction. PgBouncer does it from 1.21 on, where set so. */
  namedStatements: boolean
}

const queryTimeoutMs = 2000
/** A pooler with servers to choose from may give the asker the one it had, for as many others as it has seen. */
const maxHolders = 4

/** PgBouncer before 1.21 in transaction mode. */
export const movesWithoutNames: Pooling = { moves: true, namedStatements: false }

/**
 * Asks by a named statement which server process answers. Then others take that one for transactions of theirs: whoever
 * has a session of its own gets the same process again, and behind a pooler another, which may not know the name.
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
    // Every error of the server is about the name; no answer means that all its connections are taken, so it moves too.
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
