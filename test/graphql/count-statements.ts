import pg from 'pg'
import { vi } from 'vitest'

/**
 * Runs the function and returns the SQL that this process sent meanwhile, except the setup of new connections, and the key's
 * last use, which is written later.
 */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    const statements = spy.mock.calls.map(([query]) =>
      typeof query === 'string' ? query : (query as { text: string }).text,
    )
    return statements.filter((text) => !text.startsWith('set time zone') && !text.includes('set last_used_at'))
  } finally {
    spy.mockRestore()
  }
}
