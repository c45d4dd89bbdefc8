import pg from 'pg'

/** Runs one statement on its own connection: creates and drops databases. */
export async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
