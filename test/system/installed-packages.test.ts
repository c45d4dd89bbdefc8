import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { limitOf } from '../support/limit-of.ts'
import { run, runWithVariables } from '../support/pack.ts'
import { startService } from '../support/service.ts'

/*
 * The packages as the guides install them: from the server, into empty folders outside the repository. npm asks its registry for
 * the optional peers of the client, and installs none of them.
 */

const installMs = limitOf(300_000)
const service = await startService()
const folder = await mkdtemp(join(tmpdir(), 'users-of-packages-'))
atEnd(() => rm(folder, { recursive: true, force: true }))
const npm = join(folder, 'npm')
/** No registry answers, and no package is cached. */
const withoutRegistry = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache') }
const integrityAtDocs = async () => {
  const text = await (await fetch(`${service.url}/docs.md`)).text()
  return text.match(/sha512-[^`]+/g)
}

const check = `
import { createEntitlements } from '@entitlements-service/client'
const [url, apiKey] = process.argv.slice(2)
const client = createEntitlements({ baseUrl: url, apiKey })
console.log(await client.check('globex', 'sso'))
client.close()
`

async function emptyProject(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'product', private: true, type: 'module' }))
  await writeFile(join(path, 'check.js'), check)
}

/** The output of a check through the installed client, and the version of the installed command line. */
async function usePackages(path: string): Promise<string[]> {
  const { key, rest } = await service.organization()
  await rest('POST', '/org/features', { key: 'sso', name: 'Single sign-on', kind: 'flag' })
  await rest('POST', '/org/subscribers', { subscriber_id: 'globex' })
  await rest('PUT', '/org/subscribers/globex/overrides/sso', { kind: 'flag', allowed: true })
  const env = { ...withoutRegistry, ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: key }
  return [
    await run(path, process.execPath, 'check.js', service.url, key),
    await runWithVariables(env, path, 'npx', '@entitlements-service/cli', 'check', 'globex', 'sso'),
  ]
}

const answers = ['true\n', 'sso  allowed (by an override)\n']

beforeAll(async () => {
  await emptyProject(npm)
  const install = ['install', '--no-audit', '--prefer-offline']
  await run(npm, 'npm', ...install, `${service.url}/packages/client.tgz`)
  await run(npm, 'npm', ...install, '--save-dev', `${service.url}/packages/cli.tgz`)
}, installMs)

describe('npm, in an empty folder,', () => {
  it('installs both packages and nothing else, and the client and the command work', async () => {
    const lock = JSON.parse(await readFile(join(npm, 'package-lock.json'), 'utf8'))

    expect(await usePackages(npm)).toEqual(answers)
    expect(Object.keys(lock.packages)).toEqual([
      '',
      'node_modules/@entitlements-service/cli',
      'node_modules/@entitlements-service/client',
    ])
  })

  it(
    'writes the integrity that /docs shows into the lock file, from which `npm ci` installs without a registry',
    async () => {
      const lock = JSON.parse(await readFile(join(npm, 'package-lock.json'), 'utf8'))
      const written = ['client', 'cli'].map(
        (name) => lock.packages[`node_modules/@entitlements-service/${name}`].integrity,
      )
      await rm(join(npm, 'node_modules'), { recursive: true })

      await runWithVariables(withoutRegistry, npm, 'npm', 'ci', '--no-audit')

      expect(written).toEqual(await integrityAtDocs())
      expect(await usePackages(npm)).toEqual(answers)
    },
    installMs,
  )

  it(
    'starts the tools for agents as the README of the command line describes',
    async () => {
      const readme = await readFile(join(npm, 'node_modules/@entitlements-service/cli/README.md'), 'utf8')
      const [, settings = ''] = /```json\n(.*?)```/s.exec(readme) ?? []
      const { command, args } = JSON.parse(settings).mcpServers.entitlements
      const { key } = await service.organization('viewer')
      const env = { ...process.env, ...withoutRegistry, ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: key }
      const own = args.map((word: string) => word.replace('https://<your server>', service.url))

      const running = promisify(execFile)(command, own, { cwd: folder, env })
      const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      running.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client })}\n`)

      expect(JSON.parse((await running).stdout).result.serverInfo.name).toBe('@entitlements-service/cli')
    },
    installMs,
  )
})

describe.each([
  ['pnpm', ['add'], ['install', '--frozen-lockfile']],
  ['yarn', ['add'], ['install', '--frozen-lockfile']],
])('%s', (program, add, fromLock) => {
  it(
    'installs both packages, also from its lock file',
    async ({ skip }) => {
      skip(spawnSync(program, ['--version']).error !== undefined, `${program} is not installed`)
      const project = join(folder, program)
      await emptyProject(project)

      for (const name of ['client', 'cli']) await run(project, program, ...add, `${service.url}/packages/${name}.tgz`)
      await rm(join(project, 'node_modules'), { recursive: true })
      await run(project, program, ...fromLock)

      expect(await usePackages(project)).toEqual(answers)
    },
    installMs,
  )
})
