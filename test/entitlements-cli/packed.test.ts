import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { limitOf } from '../support/limit-of.ts'
import { builtPackage, runWithVariables } from '../support/pack.ts'
import { startService } from '../support/service.ts'

/*
 * The package as users get it: packed, installed in an empty project, and run by the example for GitHub Actions as far as that is
 * possible without GitHub.
 */

const installMs = limitOf(600_000)
/** The oldest Node.js that the package supports. It is installed in the project, so npx runs it. */
const oldestNode = '20.11.1'
const workspace = 'src/entitlements-cli'
const service = await startService()
const project = mkdtempSync(join(tmpdir(), 'entitlements-cli-packed-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const run = (command: string, args: readonly string[], env: Record<string, string> = {}) =>
  runWithVariables(env, project, command, ...args)

beforeAll(async () => {
  const manifest = {
    name: 'product',
    private: true,
    devDependencies: { node: oldestNode },
    allowScripts: { node: true },
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', builtPackage('cli')])
}, installMs)

describe('the packed command line', () => {
  it('contains compiled code, the schema and the examples, and no sources', () => {
    const installed = join(project, 'node_modules/@entitlements-service/cli')
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (file) => !file.startsWith('node_modules'),
    )

    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'entitlements.schema.json', 'examples/entitlements.yaml']),
    )
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual([])
  })

  it('runs in an empty project, with the schema where a pulled file refers to it', async () => {
    const { key } = await service.organization()
    const env = { ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: key }

    expect((await run('npx', ['node', '--version'])).trim()).toBe(`v${oldestNode}`)
    const help = await run('npx', ['@entitlements-service/cli', '--help'])
    const version = await run('npx', ['@entitlements-service/cli', '--version'])
    const pulled = await run('npx', ['@entitlements-service/cli', 'pull'], env)

    for (const name of ['pull', 'diff', 'apply', 'types', 'check', 'import', 'listen', 'mcp'])
      expect(help).toMatch(`  ${name} `)
    expect(version.trim()).toBe(JSON.parse(readFileSync(`${workspace}/package.json`, 'utf8')).version)
    expect(pulled).toBe(`Wrote entitlements.yaml: 0 features and 0 plans of Acme at ${service.url}.\n`)
    const text = readFileSync(join(project, 'entitlements.yaml'), 'utf8')
    const schema = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] as string
    expect(JSON.parse(readFileSync(join(project, schema), 'utf8')).title).toMatch('catalog')
  })
})

const author = ['-c', 'user.name=CI', '-c', 'user.email=ci@example.com']

type Step = { uses?: string; run?: string }
type Job = { if: string; env: Record<string, string>; steps: Step[] }
type Workflow = { on: object; jobs: Record<string, Job> }

describe('the example for GitHub Actions', () => {
  const workflow: Workflow = parse(readFileSync(`${workspace}/examples/github-actions.yml`, 'utf8'))

  /** Runs the job's own steps with bash, as GitHub does, with these variables and secrets. */
  async function runJob(name: string, values: Record<string, string>): Promise<string> {
    const job = workflow.jobs[name] as Job
    const summary = join(project, 'summary.md')
    const env = Object.fromEntries(
      Object.entries(job.env).map(([variable, text]) => [
        variable,
        text.replace(/\$\{\{ *(\S+) *\}\}/g, (_, expression: string) => {
          const value = values[expression]
          if (value === undefined) throw new Error(`${variable} needs ${expression}`)
          return value
        }),
      ]),
    )
    writeFileSync(summary, '')
    let output = ''
    for (const step of job.steps) {
      if (step.run === undefined) continue
      const stdout = await run('bash', ['-eo', 'pipefail', '-c', step.run], {
        ...env,
        GITHUB_STEP_SUMMARY: summary,
      })
      output += stdout
    }
    return output + readFileSync(summary, 'utf8')
  }

  it(
    'shows the changes of a pull request, and applies them when it is merged',
    async () => {
      const { key, organizationId } = await service.organization('developer')
      const viewer = await service.member(organizationId, 'viewer')
      const values = {
        'vars.ENTITLEMENTS_URL': service.url,
        'secrets.ENTITLEMENTS_VIEWER_KEY': viewer.key,
        'secrets.ENTITLEMENTS_API_KEY': key,
      }
      copyFileSync(`${workspace}/examples/entitlements.yaml`, join(project, 'entitlements.yaml'))
      await run('git', ['init', '--quiet', '--bare', 'origin.git'])
      await run('git', ['init', '--quiet'])
      await run('git', ['remote', 'add', 'origin', 'origin.git'])
      const commit = async () => {
        await run('git', ['add', 'entitlements.yaml'])
        await run('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'Change the catalog'])
      }
      await commit()

      const proposed = await runJob('diff', values)
      const merged = await runJob('apply', values)
      const repeated = await runJob('apply', values)
      // The apply of the first of these two commits has failed, or was canceled.
      for (const [from, to] of [
        ['Export', 'Exports'],
        ['Exports', 'All exports'],
      ] as const) {
        const text = readFileSync(join(project, 'entitlements.yaml'), 'utf8')
        writeFileSync(join(project, 'entitlements.yaml'), text.replace(`name: ${from}`, `name: ${to}`))
        await commit()
      }
      const later = await runJob('apply', values)

      expect(Object.values(workflow.jobs).map((job) => job.if)).toEqual([
        "github.event_name == 'pull_request'",
        "github.event_name == 'push'",
      ])
      expect(proposed).toMatch(
        /### What merging this would change\n```\nFrom entitlements\.yaml to Acme at .*:\n\n\+ feature export/,
      )
      expect(merged).toMatch('✓ create plan enterprise\nApplied 7 changes to Acme')
      expect(repeated).toMatch('Nothing to change')
      expect(later).toMatch('✓ update feature export\nApplied 1 change to Acme')
      expect(await run('git', ['ls-remote', 'origin', 'entitlements-applied'])).toMatch(
        (await run('git', ['rev-parse', 'HEAD'])).trim(),
      )
    },
    installMs,
  )
})
