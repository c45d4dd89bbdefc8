import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { TimeoutError } from '../../src/client/api/index.ts'
import type { Step } from '../../src/core/catalog/steps.ts'
import { previewRefusals } from '../../src/entitlements-cli/apply/preview-refusals.ts'
import { createOutput } from '../../src/entitlements-cli/output.ts'
import { startService } from '../support/service.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'

const service = await startService()

const file = `version: 1
features:
  sso: { name: Single sign-on, kind: flag }
  seats: { name: seats, kind: limit }
  color: { name: color, kind: config, value_type: enum, options: [red, green, blue, pink] }
  export: { name: Export, kind: flag }
plans:
  pro: { name: Pro, grants: { seats: 3, color: pink, export: true } }
  unused: { name: unused, grants: { seats: 3 } }
  team: { name: Team, grants: { seats: unlimited, sso: true } }
`

/** Three subscribers on `pro`, one of whom has an override for the seats; nobody on `unused`; one on `free`. */
async function setUp() {
  const caller = await service.organization()
  const acme = vendor(caller)
  await acme.features()
  await acme.feature('legacy')
  await acme.plan('pro', grantOfEach)
  await acme.plan('unused', { seats: grantOfEach.seats })
  await acme.plan('free')
  for (const id of ['a', 'b', 'c', 'd']) {
    await acme.subscriber(id)
    await acme.subscribe(id, id === 'd' ? 'free' : 'pro')
  }
  await acme.override('a', 'seats', { kind: 'limit', limit: 99 })
  const cli = commandLineFor({ url: service.url, key: caller.key })
  cli.write('entitlements.yaml', file)
  return { caller, acme, cli }
}

describe('diff', () => {
  it('reports that somebody else changed the catalog since the file was made', async () => {
    const { caller, cli } = await setUp()
    await cli.run(['pull', '--file', 'pulled.yaml'])
    cli.write('pulled.yaml', cli.read('pulled.yaml').replace('name: unused', 'name: Unused'))
    const diff = () => cli.run(['diff', '--from', 'pulled.yaml'])
    expect((await diff()).stderr).toBe('')

    await caller.rest('PATCH', '/org/plans/free', { name: 'Free' })

    const { code, stderr } = await diff()
    expect(stderr).toMatch(/^The catalog of Acme at \S+ changed since pulled\.yaml was pulled or applied, /)
    expect(code).toBe(0)
    expect((await cli.run(['apply', '--from', 'pulled.yaml', '--yes'])).code).toBe(3)
  })

  it('says how many changes the service checks in advance: fewer in a large catalog', async () => {
    const notes: unknown[] = []
    const step: Step = { object: 'plan pro', action: 'archive', change: { operation: 'archive_plan', key: 'pro' } }
    const preview = (count: number, grantCount: number, failure?: Error) => {
      const grants = Array.from({ length: grantCount }, (_, index) => [`f${index}`, { kind: 'flag' }] as const)
      const pro = { key: 'pro', name: 'Pro', kind: 'standard', archived: false, others: {}, grants: new Map(grants) }
      const answer = async () => (failure ? Promise.reject(failure) : { refusals: [] })
      const connection = { ask: answer as never }
      const target = { features: new Map(), plans: new Map([['pro', pro]]) }
      return previewRefusals(Array(count).fill(step), { connection, target, output: { note: (n) => notes.push(n) } })
    }

    await preview(200, 10)
    expect(notes).toEqual([])
    await preview(1_201, 10)
    await preview(200, 100_000)
    expect(await preview(1, 10, new TimeoutError({ code: 'TIMED_OUT', message: 'Too slow.' }))).toEqual([])

    expect(notes).toEqual([
      expect.stringMatching(/^The service checks the first 200 of 1,201 changes in advance\. /),
      expect.stringMatching(/^The service checks the first 34 of 200 changes in advance\. /),
      'The service could not check the changes in time. If it refuses one, "apply" stops there.',
    ])
  })

  it('prints more lines than a function can have arguments', () => {
    const lines = Array<string>(200_000).fill('line')
    const chunks: string[] = []
    const stream = new Writable({ write: (chunk, _encoding, done) => done(void chunks.push(`${chunk}`)) })
    const output = createOutput({ stdout: stream, stderr: stream }, false)

    output.print(lines)
    output.note(lines)

    expect(chunks.join('').length).toBe(2 * 'line\n'.length * lines.length)
  })

  it('shows what would be created, changed and removed for how many subscribers, with reductions last', async () => {
    const { cli } = await setUp()

    const { code, stdout } = await cli.run(['diff'])

    expect(stdout).toBe(`From entitlements.yaml to Acme at ${service.url}:

+ feature export: Export (flag)
~ feature sso
    name: sso → Single sign-on
~ feature color
    options: red, green, blue → red, green, blue, pink
+ plan team: Team
    seats: unlimited
    sso: granted
~ plan pro (3 subscribers)
    name: pro → Pro
    color: red → pink
    export: not granted → granted
~ plan unused (0 subscribers)
    seats: 5 → 3
- plan free: only in the target: "apply --prune" removes it (1 subscriber)
- feature legacy: only in the target: "apply --prune" removes it

Reductions, by which subscribers lose something:
~ plan pro (3 subscribers)
    seats: 5 → 3 (not for 1 subscriber with an override)
    sso: granted → not granted
`)
    expect(code).toBe(0)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(2)
  })

  it('prints the same with --json', async () => {
    const { caller, cli } = await setUp()

    const { code, body } = await cli.json(['diff', '--exit-code'])

    expect(code).toBe(2)
    const exactly = (value: number) => ({ value, is_exact: true })
    expect(body).toMatchObject({
      from: { file: 'entitlements.yaml' },
      to: { organization_id: caller.organizationId, name: 'Acme', url: service.url },
      is_different: true,
      impossible: [],
    })
    const pro = body.changes.find((each: { key: string }) => each.key === 'pro')
    expect(pro).toEqual({
      action: 'update',
      object: 'plan',
      key: 'pro',
      subscribers: exactly(3),
      changes: [
        { field: 'name', from: 'pro', to: 'Pro' },
        { field: 'grants.color', from: 'red', to: 'pink', is_reduction: false },
        { field: 'grants.seats', from: 5, to: 3, is_reduction: true, hidden_by_override: exactly(1) },
        { field: 'grants.sso', from: true, to: null, is_reduction: true, hidden_by_override: exactly(0) },
        { field: 'grants.export', from: null, to: true, is_reduction: false },
      ],
    })
    expect(body.changes.map(({ action, object, key }: Record<string, string>) => `${action} ${object} ${key}`)).toEqual(
      [
        'create feature export',
        'update feature sso',
        'update feature color',
        'create plan team',
        'update plan pro',
        'update plan unused',
        'remove plan free',
        'remove feature legacy',
      ],
    )
  })

  it('changes nothing', async () => {
    const { acme, cli } = await setUp()
    const before = [await acme.get('/org/features'), await acme.get('/org/plans')]

    await cli.run(['diff'])

    expect([await acme.get('/org/features'), await acme.get('/org/plans')]).toEqual(before)
    expect(cli.read('entitlements.yaml')).toBe(file)
  })

  it('compares two files, and two organizations', async () => {
    const { cli } = await setUp()
    const production = await service.organization()
    const settings = { env: { STAGING_URL: service.url, STAGING_API_KEY: cli.env.ENTITLEMENTS_API_KEY as string } }
    cli.write('other.yaml', file.replace('seats: 3, color', 'seats: 9, color'))

    const files = await cli.run(['diff', '--from', 'other.yaml', '--to', 'entitlements.yaml'])
    const promotion = await cli.run(['diff', '--from', 'env:STAGING', '--to', 'env:PRODUCTION'], {
      env: { ...settings.env, PRODUCTION_URL: `${service.url}/`, PRODUCTION_API_KEY: production.key },
    })

    expect(files.stdout).toBe('From other.yaml to entitlements.yaml:\n\n~ plan pro\n    seats: 3 → 9\n')
    expect(promotion.stdout).toMatch(
      `From Acme at ${service.url} to Acme at ${service.url}:\n\n+ feature sso: sso (flag)\n`,
    )
  })

  it('names changes to immutable fields', async () => {
    const { cli } = await setUp()
    cli.write(
      'entitlements.yaml',
      file
        .replace('legacy', '')
        .replace('{ name: seats, kind: limit }', '{ name: seats, kind: flag }')
        .replace(/seats: (3|unlimited)/g, 'seats: true'),
    )

    const { stdout } = await cli.run(['diff'])

    expect(stdout).toMatch('! feature seats: kind cannot change from limit to flag. Create another feature instead.')
  })

  it('names each wrong line of the file', async () => {
    const { cli } = await setUp()
    cli.write(
      'entitlements.yaml',
      `version: 2
features:
  Seats: { name: Seats, kind: limit }
  seats: { name: 5, kind: limit, options: [a] }
  color: { name: color, kind: config, value_type: enum }
  tier: { name: tier, kind: config, value_type: text }
  sso: { nmae: sso, kind: flag }
`,
    )

    const { code, stderr } = await cli.run(['diff'])

    expect(code).toBe(1)
    expect(stderr).toBe(`entitlements.yaml:1: version must be 1.
entitlements.yaml:3: features.Seats must be a key: 1 to 64 lower-case letters, digits, underscores or dashes.
entitlements.yaml:4: features.seats.options is only for the kind config with value_type enum.
entitlements.yaml:4: features.seats.name must be a string of 1 to 255 characters. Write it in quotes: "5".
entitlements.yaml:5: features.color.options must be 1 to 100 unique strings of 1 to 255 characters. Write numbers, true and false in quotes.
entitlements.yaml:6: features.tier.value_type must be one of string, number, boolean, enum, json.
entitlements.yaml:7: features.sso.nmae is not known here. Allowed: name, description, kind, value_type, options, position.
entitlements.yaml:7: features.sso.name is required.
`)
  })

  it('accepts an anchor that hundreds of plans use, and names a missing anchor', async () => {
    const { cli } = await setUp()
    const plans = Array.from({ length: 300 }, (_, index) => `  p${index}: {name: P, grants: {<<: *all}}`)
    const anchor =
      'version: 1\nfeatures: {a: {name: A, kind: flag}}\nplans:\n  first: {name: First, grants: &all {a: true}}\n'
    cli.write('many.yaml', [anchor, ...plans].join('\n'))
    cli.write('missing.yaml', 'version: 1\nfeatures:\n  a: *none\n')

    const many = await cli.json(['diff', '--from', 'many.yaml', '--to', 'many.yaml'])
    const missing = await cli.run(['diff', '--from', 'missing.yaml', '--to', 'many.yaml'])

    expect(many).toMatchObject({ code: 0, body: { is_different: false } })
    expect(missing.stderr).toBe('missing.yaml:3: There is no anchor &none before *none.\n')
  })

  it('names grants that do not fit their feature, and YAML that cannot be read', async () => {
    const { cli } = await setUp()
    cli.write(
      'entitlements.yaml',
      file.replace('seats: 3, color: pink, export: true', 'seats: -1, color: 5, nothing: true'),
    )
    const grants = await cli.json(['diff'])
    cli.write('entitlements.yaml', 'version: 1\nfeatures: [\n')
    const yaml = await cli.run(['diff'])

    expect(grants).toEqual({
      code: 1,
      body: {
        error: {
          code: 'INVALID_FILE',
          message: [
            'entitlements.yaml:8: plans.pro.grants.seats must be a whole number from 0, or unlimited.',
            'entitlements.yaml:8: plans.pro.grants.color must be one of red, green, blue, pink.',
            'entitlements.yaml:8: plans.pro.grants.nothing is not a feature of this file. Add it under features.',
          ].join('\n'),
          request_id: null,
          details: {
            file: 'entitlements.yaml',
            faults: expect.arrayContaining([expect.objectContaining({ line: 8 })]),
          },
        },
      },
    })
    expect(yaml.code).toBe(1)
    expect(yaml.stderr).toMatch(/^entitlements\.yaml:3: Flow sequence in block collection must be/)
  })
})

describe('names that somebody else chose', () => {
  const name = 'Pro\u001b[2K\u009b31m\u202e\u2028\r\n✓ Applied 5 changes'
  const shown = 'Pro\\u001b[2K\\u009b31m\\u202e\\u2028\\u000d\\u000a✓ Applied 5 changes'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be printed.
  const dangerous = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]/

  it('are printed without characters that would change the terminal or add a line, by every command that shows them', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.features()
    await setup.plan('pro')
    expect((await caller.rest('PATCH', '/org/plans/pro', { name })).status).toBe(200)
    expect((await caller.rest('PATCH', '/org', { name })).status).toBe(200)
    const cli = commandLineFor({ url: service.url, key: caller.key })
    cli.write('entitlements.yaml', file)
    cli.write('bad.yaml', `version: 1\nfeatures: { ${JSON.stringify(name)}: { name: x, kind: 5 } }\nplans: {}\n`)
    cli.write('rows.ndjson', `${JSON.stringify({ subscriber_id: name, plan_id: name })}\n`)

    const diff = await cli.run(['diff'])
    expect(diff.stdout).toContain(`    name: ${shown} → Pro\n`)
    expect(diff.stdout).toContain(`to ${shown} at ${service.url}:\n`)
    const runs = [
      diff,
      await cli.run(['diff', '--json']),
      await cli.run(['diff', '--from', 'bad.yaml']),
      await cli.run(['apply', '--yes']),
      await cli.run(['pull', '--from', 'env:ENTITLEMENTS']),
      await cli.run(['check', name]),
      await cli.run(['check', name, '--json']),
      await cli.run(['import', 'rows.ndjson']),
      await cli.run([name]),
      await cli.run(['check', `--${name}`]),
      await cli.run(['diff', '--url', name]),
    ]
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(dangerous)
    for (const { stdout, stderr } of runs.filter((run) => !run.stdout.startsWith('{')))
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('✓ Applied'))).toEqual([])
    const { body } = await cli.json(['diff', '--from', 'env:ENTITLEMENTS', '--to', 'entitlements.yaml'])
    expect(JSON.stringify(body)).toContain(JSON.stringify(name).slice(1, -1))
  })
})
