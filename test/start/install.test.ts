import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environment } from './npm-process.ts'
import { root, temporaryFolder } from './server-process.ts'

it.each([
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.0.0', true],
  ['24.0.0', true],
])(
  'npm ci on Node %s works: %s; if it does not, it says which versions can install the package',
  (version, isEnough) => {
    const env = { ...environment, npm_config_user_agent: `npm/10.8.2 node/v${version} linux x64 workspaces/false` }

    const { status, stderr } = spawnSync(process.execPath, ['src/cli/assert-installer.cjs'], {
      cwd: root,
      env,
      encoding: 'utf8',
    })

    expect({ status, stderr }).toEqual(
      isEnough
        ? { status: 0, stderr: '' }
        : {
            status: 1,
            stderr: `npm runs with Node ${version} here, which is too old to install this service.
Install Node 20.19, 22.12 or a later one (https://nodejs.org), then run npm ci again.
`,
          },
    )
  },
)

it('npm ci without development packages says that it needs them, or a release', () => {
  const folder = temporaryFolder()
  cpSync(join(root, 'src/tools/assert-packages.cjs'), join(folder, 'assert-packages.cjs'))

  const { status, stderr } = spawnSync(process.execPath, ['assert-packages.cjs'], { cwd: folder, encoding: 'utf8' })

  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `The packages that build the service were left out (--omit=dev, or NODE_ENV=production).
Run npm ci --include=dev, or install a release: docs/operations/install.md.
`,
  })
})

it('the package names the Node versions that can install it', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(engines.node).toBe('^20.19.0 || >=22.12.0')
})
