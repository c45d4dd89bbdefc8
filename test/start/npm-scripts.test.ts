import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { testMasterKey } from '../support/master-key.ts'
import { installedCheckout, npmRun, waitUntilServing } from './npm-process.ts'
import { emptyFolder, migratedFolder } from './server-process.ts'

const givenDatabase = { DATABASE_URL: inject('databaseUrl'), MASTER_KEY: testMasterKey }

it('npm start runs the whole service, does not rebuild an unchanged console, and stops cleanly at Ctrl-C', async () => {
  const server = npmRun('start', { DATA_DIR: emptyFolder() })
  await waitUntilServing(server)

  expect(server.output()).not.toContain('building')
  expect(await server.end()).toBe(0)
})

it('npm start runs the service in production', async () => {
  await waitUntilServing(npmRun('start', { NODE_ENV: 'production', SHUTDOWN_GRACE_MS: '0', ...givenDatabase }))
})

it('npm run start:api and start:worker run the two halves of the service', async () => {
  const worker = npmRun('start:worker', givenDatabase)
  await waitUntilServing(npmRun('start:api', givenDatabase))
  await expect.poll(worker.output).toContain('The worker sends events')
})

it('npm start rebuilds the console when its sources have changed', async () => {
  const folder = installedCheckout()
  const { mtimeMs } = statSync(join(folder, 'dist/console/index.html'))

  appendFileSync(join(folder, 'src/console/main.tsx'), '\n// changed\n')
  const server = npmRun('start', givenDatabase, folder)
  await waitUntilServing(server)

  expect(server.output()).toContain('The sources of the console changed: building.')
  expect(server.output()).not.toContain('failed')
  expect(statSync(join(folder, 'dist/console/index.html')).mtimeMs).toBeGreaterThan(mtimeMs)
})

it('npm run dev rebuilds the console when one of its files changes, and restarts when another file does', async () => {
  const folder = installedCheckout()
  const server = npmRun('dev', { DATA_DIR: migratedFolder() }, folder)
  await waitUntilServing(server)
  const build = () => readFileSync(join(folder, 'dist/console/assets/build.json'), 'utf8')
  const first = build()

  appendFileSync(join(folder, 'src/console/main.tsx'), '\n// changed\n')
  await expect.poll(build).not.toBe(first)

  appendFileSync(join(folder, 'src/welcome.ts'), '\n// changed\n')
  await waitUntilServing(server, 2)
})
