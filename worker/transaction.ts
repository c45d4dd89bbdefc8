import pg from 'pg'

/**
 * Runs a function in a transaction on one connection. A connection that does not answer is destroyed at once, because a
 * rollback would wait for the statement that is still unanswered.
 */
export async function inTransaction<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let connectionError: Error | undefined
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    connectionError = await rollBack(client, error as Error)
    throw error
  } finally {
    client.release(connectionError)
  }
}

/** Rolls the transaction back. Returns an error if the connection can no longer be used. */
async function rollBack(client: pg.PoolClient, error: Error): Promise<Error | undefined> {
  const { readyForQuery } = client
  if (!readyForQuery && !(error instanceof pg.DatabaseError)) return error
  return client.query('rollback').then(
    () => undefined,
    (cause: Error) => cause,
  )
}
