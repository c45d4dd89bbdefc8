import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { baseUrlOf, loadConfig, loadRelayConfig } from '../../src/config.ts'
import { ownRelayVariables } from '../../src/config-relay-variables.ts'
import type { Variable } from '../../src/config-variable.ts'
import { variables } from '../../src/config-variables.ts'

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(loadConfig({})).toMatchObject({
      production: false,
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      dataDir: `${process.cwd()}/.data`,
      logLevel: 'info',
      evalRateLimitPerSecond: 100,
      evalMonthlyAllotment: null,
      maxFeatures: 10_000,
      maxPlans: 1000,
      maxCatalogBytes: 16_777_216,
      maxOverrideBytes: 4_194_304,
      maxConnections: 10_000,
      maxReceivingBytes: 67_108_864,
      maxWaitingBytes: 67_108_864,
      answerTimeoutMs: 30_000,
      bodyLimitBytes: 1_048_576,
      graphiql: true,
      trustProxy: false,
    })
  })

  it.each(['https://x', 'https://x/', 'http://X:8080/', 'http://[::1]:4000'])('accepts PUBLIC_URL %s', (url) => {
    expect(loadConfig({ PUBLIC_URL: url }).publicUrl).toBe(url.replace(/\/$/, ''))
  })

  it.each([undefined, ''])(
    'has no embedded database in production unless EMBEDDED_DATABASE requests one (DATABASE_URL %j)',
    (url) => {
      const production = { NODE_ENV: 'production', DATABASE_URL: url }
      const instead = 'set it, or EMBEDDED_DATABASE=true to keep everything in DATA_DIR on the embedded PostgreSQL.'

      expect(() => loadConfig(production)).toThrow(`DATABASE_URL is required in production: ${instead}`)
      expect(() => loadConfig({ ...production, NODE_ENV: 'test', EMBEDDED_DATABASE: 'false' })).toThrow(
        `DATABASE_URL is required with EMBEDDED_DATABASE=false: ${instead}`,
      )
      expect(loadConfig({ ...production, EMBEDDED_DATABASE: 'true' }).databaseUrl).toBeUndefined()
    },
  )

  it.each(['ftp://x', 'https://x/base', 'https://x?a', 'https://x/#', 'https://user:secret@x', 'http:x'])(
    'refuses PUBLIC_URL %s',
    (url) => {
      expect(() => loadConfig({ PUBLIC_URL: url })).toThrow(
        'PUBLIC_URL must be an http or https address without a path or query, such as https://entitlements.example.com, but is something else.',
      )
    },
  )

  it('divides the limits of the service among its PROCESSES', () => {
    const { maxConnections, maxReceivingBytes, maxRunningRequests, maxPasswordsAtOnce, maxFeatures } = loadConfig({})
    const divided = loadConfig({ PROCESSES: '3' })

    expect(divided).toMatchObject({
      processes: 3,
      maxConnections: Math.ceil(maxConnections / 3),
      maxReceivingBytes: Math.ceil(maxReceivingBytes / 3),
      maxRunningRequests: Math.ceil(maxRunningRequests / 3),
      maxPasswordsAtOnce,
      maxFeatures,
    })
    expect(loadConfig({ PROCESSES: 'auto' }).processes).toBe(availableParallelism())
    expect(() => loadConfig({ PROCESSES: '0' })).toThrow('PROCESSES must be a whole number from 1 to 128, or auto')
  })

  it('is frozen', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true)
  })

  it('treats an empty variable as absent', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000, databaseUrl: undefined })
  })

  it('has no allotment if EVAL_MONTHLY_ALLOTMENT is `unlimited`', () => {
    expect(loadConfig({ EVAL_MONTHLY_ALLOTMENT: 'unlimited' }).evalMonthlyAllotment).toBeNull()
  })

  it('accepts PGBOUNCER only with both DATABASE_URL and DATABASE_DIRECT_URL', () => {
    const through = { PGBOUNCER: 'true', DATABASE_URL: 'postgresql://pooler/x' }

    expect(() => loadConfig(through)).toThrow(/DATABASE_DIRECT_URL/)
    expect(loadConfig({ ...through, DATABASE_DIRECT_URL: 'postgresql://server/x' }).pgbouncer).toBe(true)
  })

  it('lets the service run five more seconds after a stop signal in production, and stops it at once elsewhere', () => {
    const production = { NODE_ENV: 'production', EMBEDDED_DATABASE: 'true' }

    expect(loadConfig({}).shutdownGraceMs).toBe(0)
    expect(loadConfig(production).shutdownGraceMs).toBe(5000)
    expect(loadConfig({ ...production, SHUTDOWN_GRACE_MS: '250' }).shutdownGraceMs).toBe(250)
  })

  it('ignores white space around an address', () => {
    const address = { PUBLIC_URL: ' https://acme.example/\r', DATABASE_URL: 'postgres://user@host/db \n' }
    expect(loadConfig(address)).toMatchObject({
      publicUrl: 'https://acme.example',
      databaseUrl: 'postgres://user@host/db',
    })
  })

  it.each([
    [{}, 'http://127.0.0.1:4000'],
    [{ HOST: '0.0.0.0' }, 'http://localhost:4000'],
    [{ HOST: '::1', PORT: '80' }, 'http://[::1]:80'],
    [{ HOST: '/run/service.sock' }, 'http://localhost'],
    [{ HOST: '/run/service.sock', PUBLIC_URL: 'https://acme.example/' }, 'https://acme.example'],
  ])('with %j makes links lead to %s', (env, address) => {
    expect(baseUrlOf(loadConfig(env))).toBe(address)
  })

  it.each([
    [{}, true],
    [{ GRAPHIQL: 'false' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', GRAPHIQL: 'true' }, true],
  ])('with %j sets GraphiQL to %s', (env, graphiql) => {
    expect(loadConfig({ EMBEDDED_DATABASE: 'true', ...env }).graphiql).toBe(graphiql)
  })

  it.each([
    [{ PORT: '65536' }, /^PORT must be a whole number from 0 to 65535, but is "65536"\.$/],
    [{ PORT: '4e3' }, /^PORT must be/],
    [
      { LOG_LEVEL: 'loud' },
      /^LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, but is "loud"\.$/,
    ],
    [{ EVAL_MONTHLY_ALLOTMENT: '-1' }, /^EVAL_MONTHLY_ALLOTMENT must be a whole number, or unlimited/],
    [{ DATABASE_DIRECT_URL: 'postgres://x/y' }, 'DATABASE_DIRECT_URL requires DATABASE_URL: set both, or neither.'],
    [
      { DATA_DIR: '/proc/self/data' },
      'DATA_DIR must be a folder that is not under /proc or /sys, but is "/proc/self/data".',
    ],
    [{ GRAPHIQL: 'yes' }, /^GRAPHIQL must be true or false, but is "yes"\.$/],
    [{ LOCAL_SIGN_IN: 'false' }, 'LOCAL_SIGN_IN=false needs OIDC_ISSUER or AUTH_JWKS_URL, or nobody could sign in.'],
    [
      { DATABASE_URL: 'mysql://user:secret@host/db' },
      /^DATABASE_URL must be an address such as .*, but is something else\.$/,
    ],
  ])('refuses %j and says what is allowed', (env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const url = 'postgresql://user:secret@host/db'

  function fileWith(text: string): string {
    const file = join(folder, 'secret')
    writeFileSync(file, text)
    return file
  }

  it('is read without the newline at the end of the file', () => {
    for (const end of ['', '\n', '\r\n']) {
      expect(loadConfig({ DATABASE_URL_FILE: fileWith(`${url}${end}`) }).databaseUrl).toBe(url)
    }
    const MASTER_KEY_FILE = fileWith(`${Buffer.alloc(32, 7).toString('base64')}\n`)
    expect(loadConfig({ MASTER_KEY_FILE }).masterKey).toEqual(new Uint8Array(32).fill(7))
  })

  it('may not be combined with the variable that holds the secret itself', () => {
    const both = { DATABASE_URL: url, DATABASE_URL_FILE: fileWith(url) }

    expect(() => loadConfig(both)).toThrow('DATABASE_URL and DATABASE_URL_FILE are both set: set only one of them.')
    expect(loadConfig({ ...both, DATABASE_URL: '' }).databaseUrl).toBe(url)
    expect(loadConfig({ ...both, DATABASE_URL_FILE: '' }).databaseUrl).toBe(url)
  })

  it.each(['', '\n'])('is refused if the file is empty (%j)', (text) => {
    const file = fileWith(text)

    expect(() => loadConfig({ MASTER_KEY_FILE: file })).toThrow(
      `MASTER_KEY_FILE must name a file with the secret, but "${file}" is empty.`,
    )
  })

  it.each([
    ['nowhere', 'ENOENT: no such file or directory'],
    ['', 'EISDIR: illegal operation on a directory'],
  ])('must be in a readable file (%j)', (name, reason) => {
    const file = join(folder, name)

    expect(() => loadConfig({ DATABASE_URL_FILE: file })).toThrow(
      `DATABASE_URL_FILE must name a file with the secret, but "${file}" cannot be read: ${reason}`,
    )
  })

  it('is not shown by the message that refuses it', () => {
    expect(() => loadConfig({ MASTER_KEY_FILE: fileWith('hunter2') })).toThrow(
      /^MASTER_KEY must be 32 bytes in base64.*, but is something else\.$/,
    )
  })

  it('is allowed for exactly the variables that docs/configuration.md lists', () => {
    const [, listed = ''] = /## Secrets in files\n(.*?)\n## /s.exec(readFileSync('docs/configuration.md', 'utf8')) ?? []
    const all = [variables, ownRelayVariables].flatMap((table) => Object.entries<Variable<unknown>>(table))
    const secrets = all.filter(([, { isSecret }]) => isSecret)

    expect(Array.from(listed.matchAll(/`([A-Z_]+)_FILE`/g), ([, name]) => name)).toEqual(secrets.map(([name]) => name))
  })
})

type Row = { name: string; shown: string; text: string }

const describeAll = (table: Record<string, Variable<unknown>>) =>
  Object.entries(table).map(([name, { shown, text }]) => ({ name, shown, text }))
const described = [...describeAll(variables), ...describeAll(ownRelayVariables)]

/** The rows of the tables of variables in a document. */
function rowsOf(file: string): Row[] {
  const rows = readFileSync(file, 'utf8').matchAll(/^\| `([A-Z_]+)` \| ?(.*?) \| (.+) \|$/gm)
  return Array.from(rows, ([, name = '', shown = '', text = '']) => ({ name, shown, text }))
}

describe('the documentation of the configuration', () => {
  it("has a row in docs/configuration.md for each variable, beginning with the variable's purpose", () => {
    const lengths = new Map(described.map(({ name, text }) => [name, text.length]))
    const rows = rowsOf('docs/configuration.md')

    expect(rows.map((row) => ({ ...row, text: row.text.slice(0, lengths.get(row.name)) }))).toEqual(described)
  })

  it('has the most important variables in README.md, with their descriptions', () => {
    const rows = rowsOf('README.md')
    const known = new Map(describeAll(variables).map((each) => [each.name, each]))

    expect(rows.length).toBeGreaterThan(5)
    expect(rows).toEqual(rows.map(({ name }) => known.get(name)))
  })
})

describe('the configuration of a relay', () => {
  const needed = { RELAY_UPSTREAM_URL: 'https://entitlements.example/', ENTITLEMENTS_API_KEY: 'ent_key' }

  it('requires an upstream and a key, and has a default for everything else', () => {
    expect(loadRelayConfig(needed)).toMatchObject({
      upstreamUrl: 'https://entitlements.example',
      apiKey: 'ent_key',
      tokens: [],
      port: 4001,
      host: '127.0.0.1',
      maxSubscribers: 100_000,
      store: undefined,
      warm: 'stored',
      onUnavailable: 'last-known',
      bodyLimitBytes: 1_048_576,
    })
    for (const name of Object.keys(needed)) {
      expect(() => loadRelayConfig({ ...needed, [name]: '' })).toThrow(`${name} is required`)
    }
  })

  it('requires tokens if other machines can reach the relay', () => {
    for (const HOST of ['127.0.0.1', '::1', 'localhost', '/run/relay.sock']) {
      expect(loadRelayConfig({ ...needed, HOST }).tokens).toEqual([])
    }
    expect(() => loadRelayConfig({ ...needed, HOST: '0.0.0.0' })).toThrow(/^RELAY_TOKENS is required with HOST=0.0.0.0/)
    const own = mkdtempSync(join(tmpdir(), 'relay-tokens-'))
    onTestFinished(() => rmSync(own, { recursive: true }))
    const RELAY_TOKENS_FILE = join(own, 'tokens')
    writeFileSync(RELAY_TOKENS_FILE, 'one-token\nanother-token\n')
    expect(loadRelayConfig({ ...needed, HOST: '0.0.0.0', RELAY_TOKENS_FILE }).tokens).toEqual([
      'one-token',
      'another-token',
    ])
  })

  it.each([
    ['RELAY_UPSTREAM_URL', 'entitlements.example'],
    ['RELAY_UPSTREAM_URL', 'https://user:secret@entitlements.example'],
    ['RELAY_TOKENS', 'one,,two'],
    ['RELAY_TOKENS', 'one two'],
    ['RELAY_WARM', 'some'],
    ['RELAY_ON_UNAVAILABLE', 'allow'],
    ['RELAY_MAX_SUBSCRIBERS', '0'],
    ['ENTITLEMENTS_API_KEY', 'a key'],
  ])('refuses %s=%s with a message that names the variable', (name, value) => {
    expect(() => loadRelayConfig({ ...needed, [name]: value })).toThrow(new RegExp(`^${name} must be `))
  })
})
