import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { colors, grantOfEach, vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'

const service = await startService()

async function setUp() {
  const caller = await service.organization()
  const acme = vendor(caller)
  await acme.features()
  await acme.plan('free', { sso: grantOfEach.sso })
  await acme.plan('pro', grantOfEach)
  return { caller, acme, cli: commandLineFor({ url: service.url, key: caller.key }) }
}

const pulledFile = `# yaml-language-server: $schema=./node_modules/@entitlements-service/cli/entitlements.schema.json
# The catalog: what the product has (features), and what each plan grants.
# "entitlements diff" shows what a change here would do, and "entitlements apply" does it.

version: 1

features:
  sso:
    name: sso
    kind: flag
  seats:
    name: seats
    kind: limit
  color:
    name: color
    kind: config
    value_type: enum
    options: [red, green, blue]

plans:
  free:
    name: free
    grants:
      sso: true

  pro:
    name: pro
    grants:
      color: red
      seats: 5
      sso: true
`

/** The text without the line that names the state of the catalog. */
const withoutBase = (text: string) => text.replace(/^# entitlements-base: \S+ \S+ \S+\r?\n/m, '')

describe('pull', () => {
  it('writes the whole catalog to a new file, oldest first', async () => {
    const { cli } = await setUp()

    const { code, stdout } = await cli.run(['pull'])

    expect(stdout).toBe(`Wrote entitlements.yaml: 3 features and 2 plans of Acme at ${service.url}.\n`)
    expect(code).toBe(0)
    expect(withoutBase(cli.read('entitlements.yaml'))).toBe(pulledFile)
    expect(cli.read('entitlements.yaml').split('\n')[1]).toMatch(/^# entitlements-base: sha256-[\w-]{43} \S+Z \S+$/)
  })

  it('leaves nothing to apply, whatever the catalog contains', async () => {
    const { caller, acme, cli } = await setUp()
    await acme.feature('123', {
      kind: 'flag',
      name: '# not: a comment',
      description: 'Several\nlines, "quotes" and \'more\': yes',
    })
    await acme.feature('__proto__', { kind: 'limit' })
    await acme.feature('null', { kind: 'config', value_type: 'string' })
    await acme.feature('rules', { kind: 'config', value_type: 'json' })
    await acme.feature('ratio', { kind: 'config', value_type: 'number' })
    await acme.feature('flags', { kind: 'config', value_type: 'boolean' })
    await caller.rest('POST', '/org/plans', { key: 'yes', name: 'no', kind: 'custom' })
    await acme.plan('odd', {
      123: { kind: 'flag' },
      ['__proto__']: { kind: 'limit', limit: null },
      null: { kind: 'config', value: '12' },
      rules: { kind: 'config', value: { a: [1, null, { b: 'true', '1': {} }], __proto__x: '', '': [] } },
      ratio: { kind: 'config', value: -1.5e-7 },
      flags: { kind: 'config', value: false },
    })
    await acme.archive('odd')

    await cli.run(['pull'])
    const applied = await cli.run(['apply', '--yes'])
    const differing = await cli.run(['diff', '--exit-code'])
    const again = await cli.run(['pull'])

    expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to change: /) })
    expect(differing).toMatchObject({ code: 0, stdout: expect.stringContaining('No difference.') })
    expect(again.stdout).toBe(`entitlements.yaml already has the 9 features and 4 plans of Acme at ${service.url}.\n`)
  })

  it('keeps the comments, the order and the style of an existing file, and changes only what differs', async () => {
    const { caller, acme, cli } = await setUp()
    cli.write(
      'entitlements.yaml',
      `# Our catalog. Ask Ada before you change it.
version: 1
plans:
    # The one that most have.
    pro:
        name: 'pro'  # as on the price list
        kind: standard
        grants:
            seats: 5 # was 3 until May
            color: red
            sso: true
    # Goes soon.
    old: { name: Old }
    free:
        name: free
        grants: {sso: true, seats: 1}
features:
    color:
        name: "color"
        kind: config
        value_type: enum
        options:
            - red # the usual one
            - green
    seats: {name: seats, kind: limit}
    sso:
        name: Single sign-on
        kind: flag
`,
    )
    await caller.rest('PATCH', '/org/plans/pro', { grants: { ...grantOfEach, seats: { kind: 'limit', limit: null } } })
    await acme.feature('export', { kind: 'flag', description: 'To CSV' })

    const { code, stdout } = await cli.run(['pull'])

    expect(code).toBe(0)
    expect(withoutBase(cli.read('entitlements.yaml'))).toBe(`# Our catalog. Ask Ada before you change it.
version: 1
plans:
    # The one that most have.
    pro:
        name: 'pro' # as on the price list
        kind: standard
        grants:
            seats: unlimited # was 3 until May
            color: red
            sso: true
    free:
        name: free
        grants: {sso: true}
features:
    color:
        name: "color"
        kind: config
        value_type: enum
        options:
            - red # the usual one
            - green
            - blue
    seats: {name: seats, kind: limit}
    sso:
        name: sso
        kind: flag
    export:
        name: export
        description: To CSV
        kind: flag
`)
    expect(stdout).toBe(`+ feature export: export (flag)
~ feature sso
    name: Single sign-on → sso
~ feature color
    options: red, green → red, green, blue
~ plan pro
    seats: 5 → unlimited
- plan old: removed

Reductions, by which subscribers lose something:
~ plan free
    seats: 1 → not granted
Updated entitlements.yaml from Acme at ${service.url}.
`)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
  })

  it('writes out values from anchors and merge keys only where it has to', async () => {
    const { caller, cli } = await setUp()
    const text = `version: 1
features:
  sso: { name: sso, kind: flag }
  seats: { name: seats, kind: limit }
  color: { name: color, kind: config, value_type: enum, options: [ red, green, blue ] }
plans:
  free:
    name: free # for everybody
    grants: &base
      sso: true
  pro:
    name: pro
    grants:
      <<: *base # all of free
      seats: 5
      color: red
`
    cli.write('entitlements.yaml', text)
    expect((await cli.run(['pull'])).stdout).toMatch('already has')
    expect(withoutBase(cli.read('entitlements.yaml'))).toBe(text)

    await caller.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 6 } } })
    await cli.run(['pull'])

    expect(withoutBase(cli.read('entitlements.yaml'))).toBe(`${text.slice(0, text.indexOf('  pro:'))}  pro:
    name: pro
    grants:
      seats: 6
`)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
  })

  it('does not add archived plans that an existing file does not list', async () => {
    const { acme, cli } = await setUp()
    await cli.run(['pull'])
    await acme.feature('old', colors)
    await acme.plan('legacy', { old: { kind: 'config', value: 'red' } })
    await acme.archive('legacy')

    expect((await cli.run(['pull'])).stdout).toMatch('already has')
    expect(withoutBase(cli.read('entitlements.yaml'))).toBe(pulledFile)
    expect(cli.read('entitlements.yaml').split('\n')[1]).toMatch(/^# entitlements-base: sha256-[\w-]{43} \S+Z \S+$/)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
  })

  it('writes an empty list of features or plans as {}', async () => {
    const { key } = await service.organization()
    const cli = commandLineFor({ url: service.url, key })
    await cli.run(['pull'])
    expect(cli.read('entitlements.yaml')).toMatch(/\nfeatures: \{\}\n\nplans: \{\}\n$/)

    cli.write('entitlements.yaml', `version: 1\nfeatures:\n  a:\n    name: A # first\n    kind: flag\nplans:\n`)
    await cli.run(['pull'])
    expect(withoutBase(cli.read('entitlements.yaml'))).toBe('version: 1\nfeatures: {}\nplans: {}\n')
  })

  it("overwrites immutable fields with the service's values", async () => {
    const { cli } = await setUp()
    cli.write(
      'entitlements.yaml',
      pulledFile.replace('kind: limit', 'kind: flag # a mistake').replace('seats: 5', 'seats: true'),
    )

    const { stdout } = await cli.run(['pull'])

    expect(stdout).toMatch('~ feature seats\n    kind: flag → limit\n~ plan pro\n    seats: granted → 5\n')
    expect(withoutBase(cli.read('entitlements.yaml'))).toBe(
      pulledFile.replace('kind: limit', 'kind: limit # a mistake'),
    )
  })

  it('prints a JSON report with --json', async () => {
    const { cli } = await setUp()

    expect(await cli.json(['pull', '--file', 'other.yaml'])).toEqual({
      code: 0,
      body: { file: 'other.yaml', is_new: true, is_changed: true, features: 3, plans: 2 },
    })
    cli.write('other.yaml', cli.read('other.yaml').replace('seats: 5', 'seats: 7'))
    expect(await cli.json(['pull', '--file', 'other.yaml'])).toEqual({
      code: 0,
      body: {
        file: 'other.yaml',
        is_new: false,
        is_changed: true,
        features: 3,
        plans: 2,
        changes: [
          {
            action: 'update',
            object: 'plan',
            key: 'pro',
            changes: [{ field: 'grants.seats', from: 7, to: 5, is_reduction: true }],
          },
        ],
      },
    })
  })
})
