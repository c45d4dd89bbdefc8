import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { testMasterKey } from '../support/master-key.ts'
import { answers, installedCheckout, npmRun, timeout } from './npm-process.ts'
import { temporaryFolder } from './server-process.ts'

const givenDatabase = { DATABASE_URL: inject('databaseUrl'), MASTER_KEY: testMasterKey }

it('npm start runs the whole service, and Ctrl-C stops it in order', async () => {
  const server = npmRun('start', { DATA_DIR: temporaryFolder() })
  await answers(server)

  expect(await server.end()).toBe(0)
})

it('npm start runs the service in production', async () => {
  await answers(npmRun('start', { NODE_ENV: 'production', SHUTDOWN_GRACE_MS: '0', ...givenDatabase }))
})

it('npm run start:api and start:worker run its halves', async () => {
  const worker = npmRun('start:worker', givenDatabase)
  await answers(npmRun('start:api', givenDatabase))
  await expect.poll(worker.said, { timeout }).toContain('The worker sends events')
})

it('npm run dev restarts it when a file changes', async () => {
  const folder = installedCheckout()
  const server = npmRun('dev', { DATA_DIR: temporaryFolder() }, folder)
  await answers(server)

  appendFileSync(join(folder, 'src/welcome.ts'), '\n// changed\n')

  await answers(server, 2)
})
