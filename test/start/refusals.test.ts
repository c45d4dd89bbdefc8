import { createServer } from 'node:net'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { testMasterKey } from '../support/master-key.ts'
import { onlyLine, run, runCommand, startServer } from './server-process.ts'

const DATABASE_URL = inject('databaseUrl')
/** The master key of the tests' database. */
const MASTER_KEY = testMasterKey

/** A port of 127.0.0.1 on which something listens until the test ends. */
async function takenPort(): Promise<string> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return String(typeof address === 'object' ? address?.port : address)
}

describe('a start that fails prints one line', () => {
  it('for a taken port', async () => {
    const PORT = await takenPort()

    expect(onlyLine(await run({ env: { DATABASE_URL, MASTER_KEY, PORT } }).ended)).toBe(
      `Port ${PORT} on 127.0.0.1 is taken: stop what listens there, or set PORT to another one.`,
    )
  })

  it('for a wrong variable', async () => {
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

  it.each([
    ['org-create', [], '--name is required: the name of the organization.'],
    ['org-create', ['--name', ''], '--name must be a string of 1 to 255 characters.'],
    ['org-create', ['--nam', 'x'], `Unknown option '--nam'. Usage: npm run org:create -- --name NAME [--json]`],
    ['org-key', [], '--organization is required: the id of the organization.'],
    ['org-key', ['--organization', 'acme'], `--organization must be an organization's id, but is "acme".`],
    ['org-key', ['--organization', unknown], `There is no organization ${unknown} in this database.`],
    [
      'org-limits',
      ['--organization', unknown, '--allotment', '-1'],
      `Option '--allotment' argument is ambiguous. Usage: npm run org:limits -- --organization ID [--allotment N|unlimited|default] [--rate N|default] [--stored N|unlimited|default] [--json]`,
    ],
    [
      'org-limits',
      ['--organization', unknown, '--rate', '0'],
      '--rate must be a whole number from 1 to 1000000000, or default, but is "0".',
    ],
    [
      'org-limits',
      ['--organization', unknown, '--stored', 'much'],
      '--stored must be a whole number, unlimited or default, but is "much".',
    ],
    ['org-usage', ['--organization', 'acme'], `--organization must be an organization's id, but is "acme".`],
    ['org-usage', ['--organization', unknown], `There is no organization ${unknown} in this database.`],
  ])('%s %j', async (script, args, line) => {
    expect(onlyLine(await runCommand(script, args, { DATABASE_URL, MASTER_KEY }))).toBe(line)
  })

  it.each([[['--help']], [['api', '-h']], [['worker', '--no-delivery', '--help']]])(
    'but a start with %j prints its usage, and starts nothing',
    async (args) => {
      const { code, stdout, stderr } = await run({ args, env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } }).ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^Usage: npm start \[-- --no-delivery\][\s\S]*\n {2}--no-delivery /)
    },
  )

  it.each([
    ['org-create', '--help', /^Usage: npm run org:create/],
    ['org-delete', '-h', /^Usage: npm run org:delete/],
    ['org-key', '--help', /^Usage: npm run org:key/],
    ['org-limits', '-h', /^Usage: npm run org:limits/],
    ['org-usage', '--help', /^Usage: npm run org:usage/],
    ['migrate', '-h', /^Usage: npm run migrate/],
    ['entitlements-service', '--help', /^Usage: entitlements-service/],
    ['entitlements-service', '-h', /^Usage: entitlements-service/],
  ])('but %s %s prints its usage', async (script, option, usage) => {
    const { code, stdout } = await runCommand(script, [option], {})

    expect({ code, line: stdout.split('\n')[0] }).toEqual({ code: 0, line: expect.stringMatching(usage) })
  })

  it.each(['unknown', 'constructor'])(
    'the program knows no command %s, and lists those that there are',
    async (name) => {
      const { code, stdout, stderr } = await runCommand('entitlements-service', [name], {})

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^Usage: entitlements-service [\s\S]*\n {2}org:create\n/)
    },
  )
})
