import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commands as creators } from '../../src/entitlements-cli/commands.ts'
import { createOutput } from '../../src/entitlements-cli/output.ts'
import { findFreePort } from '../support/free-port.ts'
import { requestId } from '../support/matchers.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'

const service = await startService()
const commands = creators.map((create) => create({ env: {}, output: createOutput(process, false) }))

const nowhere = commandLineFor({ url: 'http://127.0.0.1:1', key: 'ent_none' })

describe('the help', () => {
  it('lists every command, and the help of a command lists each of its options', async () => {
    const { code, stdout } = await nowhere.run(['--help'])
    const same = await Promise.all([nowhere.run(['-h']), nowhere.run(['help']), nowhere.run([])])
    const results = await Promise.all(commands.map((command) => nowhere.run(['help', command.name()])))
    const own = await Promise.all(commands.map((command) => nowhere.run([command.name(), '-h'])))

    expect(code).toBe(0)
    for (const each of same) expect(each.stdout).toBe(stdout)
    expect(results).toEqual(own)
    for (const [index, command] of commands.entries()) {
      expect(stdout).toMatch(new RegExp(`\n  ${command.name()} .*  ${command.summary()}\n`))
      expect(own[index]).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(`^Usage: entitlements ${command.name()} `),
      })
      for (const { long } of command.options) expect(own[index]?.stdout).toMatch(`\n  ${long} `)
      expect(own[index]?.stdout).toMatch('\n  --json ')
    }
  })

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync('src/entitlements-cli/package.json', 'utf8'))
    for (const option of ['-v', '--version']) {
      expect(await nowhere.run([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    }
  })

  it.each([
    [['help', 'dif'], "Unknown command 'dif' (Did you mean diff?). More: entitlements --help\n"],
    [['dif'], "Unknown command 'dif' (Did you mean diff?). More: entitlements --help\n"],
    [['diff', '--form', 'x'], "Unknown option '--form' (Did you mean --from?). More: entitlements diff --help\n"],
    [
      ['diff', 'file.yaml'],
      "Too many arguments for 'diff'. Expected 0 arguments but got 1. More: entitlements diff --help\n",
    ],
    [['check'], "Missing required argument 'subscriber'. More: entitlements check --help\n"],
    [
      ['apply', '--to', 'env:OTHER', '--url', 'http://127.0.0.1:1'],
      '--url is the address of env:ENTITLEMENTS, which is not used here. Leave it out, or name env:ENTITLEMENTS.\n',
    ],
    [
      ['types', '--from', 'entitlements.yaml', '--url', 'http://127.0.0.1:1'],
      '--url is the address of env:ENTITLEMENTS, which is not used here. Leave it out, or name env:ENTITLEMENTS.\n',
    ],
    [['diff', '--from'], "Option '--from <catalog>' argument missing. More: entitlements diff --help\n"],
  ])('is mentioned by the error of %j, unless the error itself says what to correct', async (args, message) => {
    expect(await nowhere.run(args)).toEqual({ code: 1, stdout: '', stderr: message })
  })

  it('is not printed for an error with --json, which prints a JSON document', async () => {
    expect(await nowhere.json(['diff', '--form'])).toMatchObject({ code: 1, body: { error: { code: 'USAGE' } } })
  })
})

describe('the completion', () => {
  it('completes the commands and the options', async () => {
    const words = await nowhere.run(['complete', '--', 'p'])
    const options = await nowhere.run(['complete', '--', 'diff', '--ex'])

    expect(words.stdout).toMatch(/^pull\twrite the catalog .*$/m)
    expect(options.stdout).toMatch(/^--exit-code\t/m)
  })

  it.each(['zsh', 'bash', 'fish', 'powershell'])('comes with a script for %s', async (shell) => {
    const { code, stdout } = await nowhere.run(['completion', shell])

    expect(code).toBe(0)
    expect(stdout).toMatch('entitlements complete ')
  })
})

describe('the address and the key', () => {
  it.each([
    [
      { ENTITLEMENTS_URL: '' },
      /^ENTITLEMENTS_URL is not set\. Set it to the address of the service, such as .*, or give --url\.\n$/,
    ],
    [{ ENTITLEMENTS_URL: 'localhost:4000' }, /^ENTITLEMENTS_URL must be an address such as https:/],
    [
      { ENTITLEMENTS_API_KEY: 'ent_a\nb' },
      /^ENTITLEMENTS_API_KEY contains an invalid character\. Copy the key again\.\n$/,
    ],
    [{ ENTITLEMENTS_API_KEY: '' }, /^ENTITLEMENTS_API_KEY is not set\. Set it to the key of a service account/],
  ])('are required, and must be valid: %j', async (env, message) => {
    const { code, stderr } = await nowhere.run(['check', 'acme'], { env })

    expect(stderr).toMatch(message)
    expect(code).toBe(1)
  })

  it('are read without the carriage return of a file from Windows', async () => {
    const { key } = await service.organization()

    const { code, stdout } = await commandLineFor({ url: `${service.url}/\r`, key: `${key}\r` }).run(['pull'])

    expect(stdout).toBe(`Wrote entitlements.yaml: 0 features and 0 plans of Acme at ${service.url}.\n`)
    expect(code).toBe(0)
  })

  it.each(['ENT_API_KEY', 'ENTITLEMENTS_KEY'])('may use the old name %s for the key, with a warning', async (name) => {
    const { key } = await service.organization()
    const cli = commandLineFor({ url: service.url, key: '' })

    const { code, stderr, stdout } = await cli.run(['pull'], { env: { [name]: key } })

    expect(stderr).toBe(`${name} is called ENTITLEMENTS_API_KEY now. The earlier name is read until version 0.3.\n`)
    expect(stdout).toMatch('Wrote entitlements.yaml')
    expect(code).toBe(0)
  })

  it('are required under other variable names if an option names other variables', async () => {
    const { stderr } = await nowhere.run(['diff', '--from', 'env:STAGING'])

    expect(stderr).toMatch(
      /^STAGING_URL is not set\. Set it to the address of the service, such as http:\/\/127\.0\.0\.1:4000\.\n$/,
    )
  })

  it('are named when the service cannot be reached or refuses the key', async () => {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const { key } = await service.organization('evaluator')
    const cli = commandLineFor({ url: service.url, key })

    // The last attempt may still be under way at the time limit; its error is then another one.
    const away = await until(async () => {
      const result = await cli.run(['check', 'acme', '--url', url])
      return /did not answer in time/.test(result.stderr) ? null : result
    })
    const unknown = await cli.json(['check', 'acme'], { env: { ENTITLEMENTS_API_KEY: `${key}x` } })
    const forbidden = await cli.run(['pull'])

    expect(away.stderr).toBe(
      `The service at ${url} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}. Is ENTITLEMENTS_URL right, and is the service running?\n`,
    )
    expect(unknown).toEqual({
      code: 1,
      body: {
        error: {
          code: 'UNAUTHORIZED',
          message: expect.stringMatching(
            `^The service at ${service.url} does not accept ENTITLEMENTS_API_KEY. UNAUTHORIZED: `,
          ),
          request_id: requestId,
          details: null,
        },
      },
    })
    expect(forbidden.stderr).toMatch(
      /^The role of ENTITLEMENTS_API_KEY does not allow this: it needs the label (features|plans|org):read\. FORBIDDEN: /,
    )
  })
})

describe('check', () => {
  it('prints whether each feature is allowed and why, and exits with 2 if one is not', async () => {
    const caller = await service.organization()
    const acme = vendor(caller)
    await acme.features()
    await acme.plan('pro', { seats: { kind: 'limit', limit: 5 }, color: { kind: 'config', value: 'red' } })
    await acme.subscriber('acme')
    await acme.subscribe('acme', 'pro')
    await acme.override('acme', 'seats', { kind: 'limit', limit: null, expires_at: '2099-01-01T00:00:00Z' })
    const cli = commandLineFor({ url: service.url, key: caller.key })

    expect(await cli.run(['check', 'acme'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `color  allowed, "red" (by the plan)
seats  allowed, unlimited (by an override until 2099-01-01T00:00:00.000Z)
sso    not allowed (nothing grants it)
`,
    })
    expect((await cli.run(['check', 'acme', 'seats', 'color'])).code).toBe(0)
    expect(await cli.runUnread(['check', 'acme', 'seats', 'sso'])).toBe(2)
    expect(await cli.json(['check', 'acme', 'seats', 'sso'])).toEqual({
      code: 2,
      body: {
        subscriber_id: 'acme',
        entitlements: [
          {
            feature: 'seats',
            kind: 'limit',
            allowed: true,
            limit: null,
            source: 'override',
            expires_at: '2099-01-01T00:00:00.000Z',
          },
          { feature: 'sso', kind: 'flag', allowed: false, source: 'none', expires_at: null },
        ],
      },
    })
    expect(await cli.run(['check', 'nobody'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^NOT_FOUND: /) })
    expect(await cli.run(['check', 'acme', 'exprot'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^VALIDATION_ERROR: .*exprot/),
    })
  })
})
