import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answers, checkout, environment, npmRun } from './npm-process.ts'
import { root } from './server-process.ts'

it('npm ci --omit=dev installs everything that npm start needs, and builds the console', {
  timeout: 400_000,
}, async (context) => {
  const folder = checkout()
  // From npm's cache, which the installation of this checkout has filled; a network is not needed.
  const install = spawnSync('npm', ['ci', '--omit=dev', '--offline'], {
    cwd: folder,
    env: { ...environment, NODE_ENV: 'production' },
    encoding: 'utf8',
    timeout: 300_000,
  })
  context.skip(install.stderr.includes('ENOTCACHED'), 'npm’s cache does not hold the packages')
  expect(install.stderr).not.toMatch(/^npm error/m)

  expect(existsSync(join(folder, 'dist/console/index.html'))).toBe(true)

  const env = { NODE_ENV: 'production', EMBEDDED_DATABASE: 'true', SHUTDOWN_GRACE_MS: '0' }
  await answers(npmRun('start', { ...env, DATA_DIR: join(folder, '.data') }, folder))
})

it('the package names the Node version that it needs', () => {
  const { engines, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(engines.node).toBe(`>=${dependencies.node.split('.')[0]}`)
})
