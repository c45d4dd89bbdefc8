import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'

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
      evalMonthlyAllotment: 1_000_000,
      maxFeatures: 10_000,
      maxPlans: 1000,
      maxCatalogBytes: 16_777_216,
      maxOverrideBytes: 4_194_304,
      bodyLimitBytes: 1_048_576,
      graphiql: true,
      trustProxy: false,
    })
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true)
  })

  it('takes an empty variable for an absent one', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000, databaseUrl: undefined })
  })

  it('lifts the allotment with unlimited', () => {
    expect(loadConfig({ EVAL_MONTHLY_ALLOTMENT: 'unlimited' }).evalMonthlyAllotment).toBeNull()
  })

  it('serves for five more seconds after it is asked to stop in production, and stops at once elsewhere', () => {
    const production = { NODE_ENV: 'production', MASTER_KEY: Buffer.alloc(32).toString('base64') }

    expect(loadConfig({}).shutdownGraceMs).toBe(0)
    expect(loadConfig(production).shutdownGraceMs).toBe(5000)
    expect(loadConfig({ ...production, SHUTDOWN_GRACE_MS: '250' }).shutdownGraceMs).toBe(250)
  })

  it.each([
    [{}, true],
    [{ GRAPHIQL: 'false' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', GRAPHIQL: 'true' }, true],
  ])('with %j has GraphiQL %s', (env, graphiql) => {
    // What production asks for beside it.
    const masterKey = { MASTER_KEY: Buffer.alloc(32).toString('base64') }
    expect(loadConfig({ ...masterKey, ...env }).graphiql).toBe(graphiql)
  })

  it.each([
    [{ PORT: '65536' }, /^PORT must be a whole number from 0 to 65535, but is "65536"\.$/],
    [{ PORT: '4e3' }, /^PORT must be/],
    [
      { LOG_LEVEL: 'loud' },
      /^LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, but is "loud"\.$/,
    ],
    [{ EVAL_MONTHLY_ALLOTMENT: '-1' }, /^EVAL_MONTHLY_ALLOTMENT must be a whole number, or unlimited/],
    [{ PUBLIC_URL: 'ftp://x' }, /^PUBLIC_URL must be an http or https address/],
    [{ GRAPHIQL: 'yes' }, /^GRAPHIQL must be true or false, but is "yes"\.$/],
    [
      { DATABASE_URL: 'mysql://user:secret@host/db' },
      /^DATABASE_URL must be an address such as .*, but is something else\.$/,
    ],
  ])('refuses %j and says what is allowed', (env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })
})
