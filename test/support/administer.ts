import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** Runs one statement on its own connection, to create or drop a database. */
export async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await repeatPastAutovacuum(() => client.query(sql))
  } finally {
    await client.end()
  }
}

/** Repeats `run` while an autovacuum runs in the database: until it ends, nobody can drop the database, even by force. */
async function repeatPastAutovacuum(run: () => Promise<unknown>): Promise<void> {
  for (let attemptsLeft = 50; ; attemptsLeft--) {
    try {
      await run()
      return
    } catch (error) {
      const isRefused = error instanceof pg.DatabaseError && error.message === 'permission denied to terminate process'
      if (!isRefused || attemptsLeft === 0) throw error
      await wait(200)
    }
  }
}
