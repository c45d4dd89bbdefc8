import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { expect, inject, it } from 'vitest'
import { assertMigrated } from '../../src/database/assert-migrated.ts'
import { builtScript } from '../support/built-service.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { testMasterKey } from '../support/master-key.ts'
import { createEmptyDatabase, createOwnDatabase } from '../support/own-database.ts'
import { run, startServer } from './server-process.ts'

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

it('webhook:listen ends quietly at the first webhook after its reader has stopped reading', async () => {
  const env = { WEBHOOK_SECRET: `whsec_${'a'.repeat(43)}` }
  const { child, ended } = run({ script: 'src/cli/webhook-listen.ts', args: ['--port', '0'], env })
  const [line] = await once(child.stdout as Readable, 'data')
  child.stdout?.destroy()

  const url = /http:\S+/.exec(`${line}`)?.[0] as string
  await fetch(url, { method: 'POST', body: '{}' }).catch(() => {})

  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

it('org:usage ends quietly if nobody reads its output', async () => {
  const DATABASE_URL = await createOwnDatabase()
  const { child, ended } = run({ script: 'src/cli/org-usage.ts', env: { DATABASE_URL } })
  child.stdout?.destroy()

  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

it('a command that changes something continues if nobody reads its output, and says that the output is incomplete', async () => {
  const DATABASE_URL = await createEmptyDatabase()
  const { child, ended } = run({ script: 'src/cli/migrate.ts', env: { DATABASE_URL } })
  child.stdout?.destroy()

  expect(await ended).toMatchObject({
    code: 1,
    stderr: 'The output ended early, because it cannot be written: write EPIPE\n',
  })
  await assertMigrated(DATABASE_URL)
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
