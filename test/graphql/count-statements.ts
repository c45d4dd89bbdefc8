import pg from 'pg'
import { vi } from 'vitest'

/** Runs, and gives the SQL that this process sent meanwhile, beside what a new connection begins with. */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    const statements = spy.mock.calls.map(([query]) =>
      typeof query === 'string' ? query : (query as { text: string }).text,
    )
    return statements.filter((text) => !text.startsWith('set time zone'))
  } finally {
    spy.mockRestore()
  }
}
