import pg from 'pg'
import { vi } from 'vitest'

/**
 * Runs the function three times, and returns the SQL statements that this process sent during the run with the fewest, because
 * background work only adds statements. Omits the setup of new connections, the key's last use, which is written later, and
 * the notifications that wake followers.
 */
export async function listFewestStatements(run: () => Promise<unknown>): Promise<string[]> {
  const lists = [await listStatements(run), await listStatements(run), await listStatements(run)]
  return lists.toSorted((one, other) => one.length - other.length)[0] as string[]
}

const isBackgroundStatement = /^set time zone|set last_used_at|pg_notify/

async function listStatements(run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    const statements = spy.mock.calls.map(([query]) =>
      typeof query === 'string' ? query : (query as { text: string }).text,
    )
    return statements.filter((text) => !isBackgroundStatement.test(text))
  } finally {
    spy.mockRestore()
  }
}
