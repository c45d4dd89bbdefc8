import { once } from 'node:events'
import { expect, it } from 'vitest'
import { createOwnDatabase } from '../support/own-database.ts'
import { startServer } from './server-process.ts'

it('a stop ends the process even if nobody reads its standard output any more', async () => {
  const DATABASE_URL = await createOwnDatabase()
  const env = { DATABASE_URL, LOG_LEVEL: 'trace', SHUTDOWN_GRACE_MS: '0' }
  const { child, url } = await startServer({ args: ['api'], env })
  child.stdout?.pause()
  // More lines than the pipe holds.
  const path = `${url}/org?${'x'.repeat(1000)}`
  for (let round = 0; round < 40; round++) {
    await Promise.all(Array.from({ length: 50 }, async () => (await fetch(path)).text()))
  }

  child.kill('SIGTERM')

  expect(await once(child, 'exit')).toEqual([0, null])
  child.stdout?.resume()
})
