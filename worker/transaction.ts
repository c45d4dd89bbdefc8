import pg from 'pg'

/**
 * Runs this in a transaction on one connection. If the connection does not answer, it is destroyed at once: a rollback would
 * wait behind the unanswered statement.
 */
export async function inTransaction<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    broken = await rollBack(client, error as Error)
    throw error
  } finally {
    client.release(broken)
  }
}

/** Returns the error if the connection can no longer be used. */
async function rollBack(client: pg.PoolClient, error: Error): Promise<Error | undefined> {
  const { readyForQuery } = client
  if (!readyForQuery && !(error instanceof pg.DatabaseError)) return error
  return client.query('rollback').then(
    () => undefined,
    (cause: Error) => cause,
  )
}
