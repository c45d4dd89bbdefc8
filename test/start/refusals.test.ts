import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { toReleasedScripts } from '../../src/tools/release/build-release.ts'
import { testMasterKey } from '../support/master-key.ts'
import { onlyLine, run, runCommand, startServer, temporaryFolder } from './server-process.ts'

const DATABASE_URL = inject('databaseUrl')
/** The master key of the tests' database. */
const MASTER_KEY = testMasterKey

/** A port of 127.0.0.1 on which something listens until the test ends. */
async function occupyPort(): Promise<string> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return String(typeof address === 'object' ? address?.port : address)
}

describe('a start that fails prints one line', () => {
  it('for a taken port', async () => {
    const PORT = await occupyPort()

    expect(onlyLine(await run({ env: { DATABASE_URL, MASTER_KEY, PORT } }).ended)).toBe(
      `Port ${PORT} on 127.0.0.1 is taken: stop what listens there, or set PORT to another port.`,
    )
  })

  it.each(['HOST', 'METRICS_HOST'])(
    'for a file or folder at the path of %s, which is left as it is',
    async (variable) => {
      const folder = temporaryFolder()
      const file = join(folder, 'notes.txt')
      writeFileSync(file, 'Do not forget.')
      const startAt = (path: string) =>
        run({ env: { DATABASE_URL, MASTER_KEY, METRICS_PORT: '0', [variable]: path } }).ended

      expect(onlyLine(await startAt(file))).toBe(
        `${variable} must be the path of a Unix socket, but ${file} is a file: choose another path.`,
      )
      expect(onlyLine(await startAt(folder))).toBe(
        `${variable} must be the path of a Unix socket, but ${folder} is a folder: choose another path.`,
      )
      expect(readFileSync(file, 'utf8')).toBe('Do not forget.')
    },
  )

  it.each([
    ['a long name', 'x'.repeat(120), /^HOST is too long for a Unix socket: choose a path of at most 100 bytes\.$/],
    [
      'a name that no file may have',
      'x'.repeat(300),
      /^HOST is too long for a Unix socket: choose a path of at most 100 bytes\.$/,
    ],
    [
      'a path below a file',
      'null/service.sock',
      /^The folder of \/dev\/null\/service.sock does not exist: create it, or change HOST\.$/,
    ],
  ])('for a path of HOST where no socket can be: %s', async (_, name, line) => {
    expect(onlyLine(await run({ env: { DATABASE_URL, MASTER_KEY, HOST: `/dev/${name}` } }).ended)).toMatch(line)
  })

  it('for an invalid variable', async () => {
    expect(onlyLine(await run({ env: { PORT: '70000' } }).ended)).toBe(
      'PORT must be a whole number from 0 to 65535, but is "70000".',
    )
  })

  it('for an unreachable database, without its password', async () => {
    const url = `postgres://user:secret@127.0.0.1:1/none`

    expect(onlyLine(await run({ env: { DATABASE_URL: url } }).ended)).toBe(
      'Cannot use the database of DATABASE_URL (127.0.0.1:1/none): connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  it('for production without a database', async () => {
    const line = /^DATABASE_URL is required in production: set it, or EMBEDDED_DATABASE=true /
    const env = { NODE_ENV: 'production', DATABASE_URL: '' }

    expect(onlyLine(await run({ env }).ended)).toMatch(line)
    expect(onlyLine(await runCommand('org-create', ['--name', 'Acme'], env))).toMatch(line)
  })

  it('for a data folder that is not writable', async () => {
    expect(onlyLine(await run({ env: { DATA_DIR: '/dev/null/data' } }).ended)).toMatch(
      /^The data folder \/dev\/null\/data cannot be written: /,
    )
  })
})

describe('a start on DATABASE_URL', () => {
  it('stops on SIGINT as on SIGTERM', async () => {
    const { child, url, ended } = await startServer({ env: { DATABASE_URL, MASTER_KEY } })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)

    child.kill('SIGINT')

    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a command that fails prints one line', () => {
  const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const helpOf = (command: string) => `More: entitlements-service ${command} --help`

  it.each([
    ['org-create', [], `Required option '--name <name>' not specified. ${helpOf('org:create')}`],
    [
      'org-create',
      ['--name', ''],
      `Option '--name <name>' argument '' is invalid. It must be a string of 1 to 255 characters. ${helpOf('org:create')}`,
    ],
    ['org-create', ['--name', 'x', '--jso'], `Unknown option '--jso' (Did you mean --json?). ${helpOf('org:create')}`],
    ['org-key', [], `Required option '--organization <id>' not specified. ${helpOf('org:key')}`],
    [
      'org-key',
      ['--organization', 'acme'],
      `Option '--organization <id>' argument 'acme' is invalid. It must be an organization's id. ${helpOf('org:key')}`,
    ],
    ['org-key', ['--organization', unknown], `There is no organization ${unknown} in this database.`],
    [
      'org-limits',
      ['--organization', unknown, '--allotment', '-1'],
      `Option '--allotment <n>' argument '-1' is invalid. It must be a whole number, unlimited or default. ${helpOf('org:limits')}`,
    ],
    [
      'org-limits',
      ['--organization', unknown, '--rate', '0'],
      `Option '--rate <n>' argument '0' is invalid. It must be a whole number from 1 to 1000000000, or default. ${helpOf('org:limits')}`,
    ],
    ['org-usage', ['now'], `Too many arguments. Expected 0 arguments but got 1. ${helpOf('org:usage')}`],
    ['org-usage', ['--organization', unknown], `There is no organization ${unknown} in this database.`],
  ])('for %s with the arguments %j', async (script, args, line) => {
    expect(onlyLine(await runCommand(script, args, { DATABASE_URL, MASTER_KEY }))).toBe(line)
  })

  it.each([[['--help']], [['api', '-h']], [['worker', '--no-delivery', '--help']]])(
    'but a start with %j succeeds: it prints its usage, and starts nothing',
    async (args) => {
      const { code, stdout, stderr } = await run({ args, env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } }).ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^Usage: npm start \[-- --no-delivery\][\s\S]*\n {2}--no-delivery /)
    },
  )

  it.each([
    ['org-create', '--help', /^Usage: entitlements-service org:create /],
    ['org-delete', '-h', /^Usage: entitlements-service org:delete /],
    ['org-key', '--help', /^Usage: entitlements-service org:key /],
    ['org-limits', '-h', /^Usage: entitlements-service org:limits /],
    ['org-usage', '--help', /^Usage: entitlements-service org:usage /],
    ['migrate', '-h', /^Usage: entitlements-service migrate /],
    ['entitlements-service', '--help', /^Usage: entitlements-service/],
    ['entitlements-service', '-h', /^Usage: entitlements-service/],
  ])('but %s with %s succeeds: it prints its usage', async (script, option, usage) => {
    const { code, stdout } = await runCommand(script, [option], {})

    expect({ code, line: stdout.split('\n')[0] }).toEqual({ code: 0, line: expect.stringMatching(usage) })
  })
})

describe('the program entitlements-service', () => {
  it('lists every command of a release', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const names = Object.keys(toReleasedScripts(scripts)).map((name) => name.replace('start:', ''))
    const { stdout } = await runCommand('entitlements-service', ['help'], {})

    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name}[| ].*  [a-z]`, 'm'))
  })

  it('shows the help of a command, and the version of the service', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const [help, own] = [
      await runCommand('entitlements-service', ['help', 'org:create'], {}),
      await runCommand('org-create', ['--help'], {}),
    ]

    expect(help).toEqual(own)
    for (const option of ['-v', '--version']) {
      expect((await runCommand('entitlements-service', [option], {})).stdout).toBe(`${version}\n`)
    }
  })

  it.each([
    [['unknown'], "error: unknown command 'unknown'\n"],
    [['constructor'], "error: unknown command 'constructor'\n"],
    [['help', 'org:kye'], "error: unknown command 'org:kye'\n(Did you mean org:key?)\n"],
  ])('rejects the unknown command %j', async (args, stderr) => {
    expect(await runCommand('entitlements-service', args, {})).toMatchObject({ code: 1, stdout: '', stderr })
  })

  it('completes the names of commands', async () => {
    const { stdout } = await runCommand('entitlements-service', ['complete', '--', 'org:l'], {})

    expect(stdout).toMatch(/^org:limits\t/)
  })
})
