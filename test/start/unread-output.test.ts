import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { builtScript } from '../support/built-service.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { testMasterKey } from '../support/master-key.ts'
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

it('a command whose result cannot be written says so, and does not exit with 0', () => {
  const env = { ...inheritedEnv, DATABASE_URL: inject('databaseUrl'), MASTER_KEY: testMasterKey }
  const { status, stderr } = spawnSync(process.execPath, [builtScript('src/cli/org-create.ts'), '--name', 'Acme'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })

  expect(stderr).toMatch(/^The output ended early, because it cannot be written: ENOSPC\b.*\n$/)
  expect(status).toBe(1)
})
