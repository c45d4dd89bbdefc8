import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestId } from '../support/matchers.ts'
import { type Caller, startService } from '../support/service.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'
import { startMeddlingProxy } from './meddling-proxy.ts'

const service = await startService()

const file = `version: 1
features:
  sso: { name: Single sign-on, description: With SAML, kind: flag }
  seats: { name: Seats, kind: limit }
  region: { name: Region, kind: config, value_type: enum, options: [eu-west, us-east] }
  rules: { name: Rules, kind: config, value_type: json }
plans:
  pro:
    name: Pro
    grants: { sso: true, seats: unlimited, region: us-east, rules: { max: [1, 2] } }
  old: { name: Old, kind: custom, archived: true, grants: { seats: 0 } }
`

async function setUp(url = service.url) {
  const caller = await service.organization()
  const cli = commandLineFor({ url, key: caller.key })
  cli.write('entitlements.yaml', file)
  return { caller, acme: vendor(caller), cli }
}

/** Applies the catalog, and puts a subscriber on the plan `pro`. */
async function setUpApplied() {
  const set = await setUp()
  expect((await set.cli.run(['apply', '--yes'])).code).toBe(0)
  await set.acme.subscriber('acme')
  await set.acme.subscribe('acme', 'pro')
  return set
}

const plansOf = async (caller: Caller) => (await caller.rest('GET', '/org/plans?include_archived=true')).body.plans
const featuresOf = async (caller: Caller) => (await caller.rest('GET', '/org/features')).body.features

describe('apply', () => {
  it('creates the catalog of the file, features before plans, and prints the name of its target', async () => {
    const { caller, cli } = await setUp()

    const { code, stdout, stderr } = await cli.run(['apply', '--yes'])

    expect(stderr).toBe('')
    expect(stdout).toBe(`From entitlements.yaml to Acme at ${service.url}:

+ feature sso: Single sign-on (flag)
+ feature seats: Seats (limit)
+ feature region: Region (config, enum): eu-west, us-east
+ feature rules: Rules (config, json)
+ plan pro: Pro
    sso: granted
    seats: unlimited
    region: us-east
    rules: {"max":[1,2]}
+ plan old: Old (archived)
    seats: 0

✓ create feature sso
✓ create feature seats
✓ create feature region
✓ create feature rules
✓ create plan pro
✓ create plan old
✓ archive plan old
Applied 7 changes to Acme at ${service.url}.
`)
    expect(code).toBe(0)
    expect(await plansOf(caller)).toMatchObject([
      { key: 'old', name: 'Old', kind: 'custom', archived_at: expect.any(String), grants: { seats: { limit: 0 } } },
      {
        key: 'pro',
        name: 'Pro',
        kind: 'standard',
        archived_at: null,
        grants: {
          sso: { kind: 'flag' },
          seats: { kind: 'limit', limit: null },
          region: { kind: 'config', value: 'us-east' },
          rules: { kind: 'config', value: { max: [1, 2] } },
        },
      },
    ])
    expect((await featuresOf(caller)).find(({ key }: { key: string }) => key === 'sso').description).toBe('With SAML')
  })

  it('can be repeated', async () => {
    const { cli } = await setUp()
    await cli.run(['apply', '--yes'])

    const { code, stdout } = await cli.run(['apply'])

    expect(stdout).toBe(`Nothing to change: Acme at ${service.url} has the catalog of entitlements.yaml.\n`)
    expect(code).toBe(0)
    expect((await cli.json(['apply', '--yes'])).body).toMatchObject({ changes: [], applied: [] })
  })

  it('replaces an option that plans use, in an order that the service allows', async () => {
    const { caller, cli } = await setUp()
    await cli.run(['apply', '--yes'])
    cli.write(
      'entitlements.yaml',
      file.replace('[eu-west, us-east]', '[eu-north, eu-west]').replace('region: us-east', 'region: eu-north'),
    )

    const { code, stdout } = await cli.run(['apply', '--yes'])

    expect(stdout).toMatch('✓ update feature region\n✓ update plan pro\n✓ remove options of feature region\n')
    expect(code).toBe(0)
    expect((await caller.rest('GET', '/org/features/region')).body.options).toEqual(['eu-north', 'eu-west'])
    expect((await caller.rest('GET', '/org/plans/pro')).body.grants.region.value).toBe('eu-north')
  })

  it('replaces fifty of the hundred options of an enum, although a plan grants one of them', async () => {
    const { caller, cli } = await setUp()
    const withOptions = (first: number, granted: string) => {
      const options = Array.from({ length: 100 }, (_, index) => `o${first + index}`)
      const text = file.replace('[eu-west, us-east]', `[${options}]`).replace('region: us-east', `region: ${granted}`)
      cli.write('entitlements.yaml', text)
      return options
    }
    withOptions(0, 'o50')
    await cli.run(['apply', '--yes'])
    const options = withOptions(50, 'o149')

    const { code, stdout, stderr } = await cli.run(['apply', '--yes'])

    expect(stderr).toBe('')
    expect(stdout).toMatch('✓ update feature region\n✓ update plan pro\nApplied 2 changes')
    expect(code).toBe(0)
    expect((await caller.rest('GET', '/org/features/region')).body.options).toEqual(options)
  })

  it('applies changes that together exceed the size limit of a request body', async () => {
    const { caller, cli } = await setUp()
    const grants = `{ rules: "${'x'.repeat(60_000)}", more: "${'y'.repeat(60_000)}" }`
    const plans = Array.from({ length: 10 }, (_, index) => `  p${index}: { name: P, grants: ${grants} }\n`)
    const features = ['rules', 'more'].map((key) => `  ${key}: { name: R, kind: config, value_type: json }\n`)
    cli.write('entitlements.yaml', `version: 1\nfeatures:\n${features.join('')}plans:\n${plans.join('')}`)

    const { code, stderr } = await cli.run(['apply', '--yes'])

    expect(stderr).toMatch(/^The service checks the first 6 of 12 changes in advance\. /)
    expect(code).toBe(0)
    expect(await plansOf(caller)).toHaveLength(10)
  })

  it('renames, archives and unarchives', async () => {
    const { caller, cli } = await setUp()
    await cli.run(['apply', '--yes'])
    cli.write(
      'entitlements.yaml',
      file.replace('archived: true, ', '').replace('name: Pro', 'name: Professional\n    archived: true'),
    )

    const { stdout } = await cli.run(['apply', '--yes'])

    expect(stdout).toMatch('✓ update plan pro\n✓ archive plan pro\n✓ unarchive plan old\n')
    expect(await plansOf(caller)).toMatchObject([
      { key: 'old', archived_at: null },
      { key: 'pro', name: 'Professional', archived_at: expect.any(String) },
    ])
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
  })

  it('continues if the reader of its output stops reading', async () => {
    const { caller, cli } = await setUp()

    expect(await cli.runUnread(['apply', '--yes'])).toBe(0)

    expect(await featuresOf(caller)).toHaveLength(4)
    expect(await plansOf(caller)).toHaveLength(2)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
  })

  it('asks for confirmation on a terminal, and writes only after a yes', async () => {
    const { caller, cli } = await setUp()
    const question = /Apply 7 changes to Acme at http:\/\/[\d.:]+\? \[y\/N\] /
    const answer = async (text: string) => {
      const running = cli.startOnTerminal(['apply'])
      await running.waitFor(question)
      running.type(text)
      return running.ended()
    }

    expect(await answer('n\n')).toBe(4)
    expect(await answer('\n')).toBe(4)
    expect(await featuresOf(caller)).toEqual([])
    expect(await answer('y\n')).toBe(0)
    expect(await featuresOf(caller)).toHaveLength(4)
  })

  it('writes nothing if somebody changed the catalog while it waited for the confirmation', async () => {
    const { caller, cli } = await setUpApplied()
    cli.write(
      'entitlements.yaml',
      file
        .replace('name: Seats', 'name: Places')
        .replace('name: Old', 'name: Older')
        .replace('seats: unlimited', 'seats: 5'),
    )
    const running = cli.startOnTerminal(['apply'])
    await running.waitFor(/Apply 3 changes to .*\? This includes 1 reduction\. \[y\/N\] /)

    await caller.rest('PATCH', '/org/plans/old', { name: 'Theirs' })
    running.type('y\n')

    expect(await running.ended()).toBe(3)
    expect(
      running.output().stdout.replaceAll('\r', ''),
    ).toMatch(`plan old was changed by somebody else. Nothing was applied. What changed since:
~ plan old
    name: Old → Theirs
`)
    expect((await caller.rest('GET', '/org/features/seats')).body.name).toBe('Seats')
  })

  it('writes nothing if nobody can confirm the changes', async () => {
    const { caller, cli } = await setUp()

    const { code, stdout, stderr } = await cli.run(['apply'], { input: 'y\n' })

    expect(stdout).toMatch('+ feature sso: Single sign-on (flag)')
    expect(stderr).toBe(
      'Nobody can confirm this, because there is no terminal. Nothing was applied. Run it with --yes.\n',
    )
    expect(code).toBe(4)
    expect(await featuresOf(caller)).toEqual([])
  })

  it('refuses changes to immutable fields before it writes anything', async () => {
    const { caller, cli } = await setUpApplied()
    cli.write(
      'entitlements.yaml',
      file
        .replace('kind: limit', 'kind: flag')
        .replace('kind: custom', 'kind: other')
        .replace('seats: unlimited', 'seats: true')
        .replace('seats: 0', 'seats: true')
        .replace('plans:', '  new: { name: New, kind: flag }\nplans:'),
    )

    const { code, stderr } = await cli.run(['apply', '--yes'])

    expect(stderr).toBe(`Nothing was applied, because this is impossible:
feature seats: kind cannot change from limit to flag. Create another feature instead.
plan old: kind cannot change from custom to other. Create another plan instead.
`)
    expect(code).toBe(1)
    expect((await featuresOf(caller)).map(({ key }: { key: string }) => key)).not.toContain('new')
  })

  it('refuses a file as its target', async () => {
    const { cli } = await setUp()

    expect((await cli.run(['apply', '--to', 'entitlements.yaml', '--yes'])).stderr).toMatch(/^--to must be a service/)
  })

  it('reports which steps it applied when the service refuses a change that could not be foreseen', async () => {
    const { caller, acme, cli } = await setUpApplied()
    const url = await startMeddlingProxy(service.url, async ({ method, path }) => {
      if (method !== 'PATCH' || path !== '/org/features/seats') return
      await acme.override('acme', 'region', { kind: 'config', value: 'eu-west' })
    })
    cli.write(
      'entitlements.yaml',
      file.replace('[eu-west, us-east]', '[us-east]').replace('name: Seats', 'name: Places'),
    )

    const { code, body } = await cli.json(['apply', '--yes', '--url', url])

    expect(code).toBe(1)
    expect(body.error).toMatchObject({
      code: 'OPTION_IN_USE',
      message: expect.stringMatching(
        /^remove options of feature region: OPTION_IN_USE: Still in use: "eu-west"\. .* 1 of 2 changes were applied\. Correct it, and apply again\.$/,
      ),
      details: {
        applied: [{ object: 'feature seats', action: 'update', result: null }],
        stopped_at: { object: 'feature region', action: 'remove options of' },
      },
    })
    expect((await caller.rest('GET', '/org/features/seats')).body.name).toBe('Places')
  })
})

describe('a change that the service would refuse', () => {
  const refusedBy = (text: string) => `Nothing was applied, because the service would refuse this:\n${text}`

  it('is foreseen by diff and apply if it removes an option that an override has', async () => {
    const { caller, acme, cli } = await setUpApplied()
    await acme.override('acme', 'region', { kind: 'config', value: 'eu-west' })
    const text = file.replace('[eu-west, us-east]', '[us-east]').replace('name: Seats', 'name: Places')
    cli.write('entitlements.yaml', text)

    const diff = await cli.run(['diff'])
    const inCi = await cli.json(['diff', '--exit-code'])
    const applied = await cli.run(['apply', '--yes', '--overwrite'])

    const reason = expect.stringMatching(/^Still in use: "eu-west"\. /)
    expect(diff.code).toBe(0)
    expect(diff.stdout).toMatch(
      '\nThe service would refuse:\n! feature region: OPTION_IN_USE: Still in use: "eu-west".',
    )
    expect(inCi.code).toBe(1)
    expect(inCi.body.refused).toEqual([{ object: 'feature region', code: 'OPTION_IN_USE', reason }])
    expect(applied.stderr).toMatch(refusedBy('feature region: OPTION_IN_USE: Still in use: "eu-west".'))
    expect(applied.code).toBe(1)
    expect((await caller.rest('GET', '/org/features/seats')).body.name).toBe('Seats')
  })

  it('is foreseen if it removes an option that an archived plan outside the file still uses', async () => {
    const { acme, cli } = await setUpApplied()
    await acme.plan('former', { region: { kind: 'config', value: 'eu-west' } })
    await acme.archive('former')
    cli.write('entitlements.yaml', file.replace('[eu-west, us-east]', '[us-east]'))

    const { code, stderr } = await cli.run(['apply', '--yes', '--overwrite'])

    expect(stderr).toMatch(refusedBy('feature region: OPTION_IN_USE: Still in use: "eu-west".'))
    expect(code).toBe(1)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(1)
  })

  it('is foreseen with --prune if it removes a feature that has an override', async () => {
    const { caller, acme, cli } = await setUpApplied()
    await acme.feature('beta', { kind: 'flag' })
    await acme.override('acme', 'beta', { kind: 'flag', allowed: true })
    cli.write('entitlements.yaml', file.replace('name: Seats', 'name: Places'))

    const { code, stderr } = await cli.run(['apply', '--yes', '--prune', '--overwrite'])

    const reason = 'feature beta: CONFLICT: Feature "beta" is still referenced: subscriber "acme" has an override.'
    expect(stderr).toMatch(refusedBy(reason))
    expect(code).toBe(1)
    expect((await cli.run(['diff', '--prune'])).stdout).toMatch(`! ${reason}`)
    expect((await cli.run(['diff', '--exit-code', '--prune'])).code).toBe(1)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(2)
    expect((await caller.rest('GET', '/org/features/seats')).body.name).toBe('Seats')
  })

  it('includes changes to immutable fields: diff --exit-code exits with 1', async () => {
    const { cli } = await setUpApplied()
    cli.write('entitlements.yaml', file.replace('kind: custom', 'kind: other'))

    expect((await cli.run(['diff', '--exit-code'])).code).toBe(1)
    expect((await cli.run(['diff'])).code).toBe(0)
  })
})

describe('the state that the file was made from', () => {
  /** The file after an apply, with its header. */
  async function setUpBased() {
    const set = await setUpApplied()
    const text = set.cli.read('entitlements.yaml')
    const applyChanged = (change: (text: string) => string, ...options: string[]) => {
      set.cli.write('entitlements.yaml', change(text))
      return set.cli.run(['apply', '--yes', ...options])
    }
    return { ...set, text, applyChanged }
  }
  const renameOld = (text: string) => text.replace('name: Old', 'name: Older')

  it('is in the header of the file after an apply, which leaves the rest of the file unchanged', async () => {
    const { text, cli } = await setUpBased()

    expect(text).toMatch(/^# entitlements-base: sha256-[\w-]{43} 20\d\d-\S+Z [0-9A-Z]{26}\n/)
    expect(text.split('\n').slice(1).join('\n')).toBe(file)
    expect((await cli.run(['pull'])).stdout).toMatch('already has')
    expect(cli.read('entitlements.yaml')).toBe(text)
  })

  it('is recorded separately for each organization, so that one file can be applied to several', async () => {
    const { cli, caller } = await setUpBased()
    const rename = (from: string, to: string) =>
      cli.write('entitlements.yaml', cli.read('entitlements.yaml').replace(`name: ${from}`, `name: ${to}`))
    const other = await service.organization()
    const PRODUCTION = { env: { PRODUCTION_URL: service.url, PRODUCTION_API_KEY: other.key } }
    const applyToOther = () => cli.run(['apply', '--yes', '--to', 'env:PRODUCTION'], PRODUCTION)
    await other.rest('POST', '/org/features', { key: 'other', name: 'Other', kind: 'flag' })

    const first = await applyToOther()
    rename('Old', 'Older')
    const changed = await cli.run(['apply', '--yes'])
    const second = await applyToOther()
    await other.rest('PATCH', '/org/plans/pro', { name: 'Theirs' })
    rename('Older', 'Oldest')
    const stopped = await applyToOther()

    expect([first, changed, second]).toMatchObject(Array(3).fill({ code: 0, stderr: '' }))
    expect(first.stdout).not.toMatch('does not say')
    expect(cli.read('entitlements.yaml').match(/^# entitlements-base: .*$/gm)).toEqual([
      expect.stringContaining(other.organizationId),
      expect.stringContaining(caller.organizationId),
    ])
    expect(stopped).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Somebody changed the catalog of Acme/) })
  })

  it('is also read from the line of an earlier version, which does not name the organization', async () => {
    const { caller, text, cli, applyChanged } = await setUpBased()
    const withoutId = (each: string) => each.replace(` ${caller.organizationId}`, '')

    const own = await applyChanged((each) => withoutId(renameOld(each)))
    await caller.rest('PATCH', '/org/plans/pro', { name: 'Theirs' })
    const stopped = await applyChanged((each) => withoutId(each.replace('name: Older', 'name: Oldest')))

    expect(own).toMatchObject({ code: 0, stderr: '' })
    expect(own.stdout).not.toMatch('does not say')
    expect(stopped.code).toBe(3)
    await cli.run(['pull'])
    expect(cli.read('entitlements.yaml').match(/^# entitlements-base: .*$/gm)).toEqual([
      expect.stringContaining(caller.organizationId),
    ])
    expect(text).toMatch(caller.organizationId)
  })

  it('allows one apply after another', async () => {
    const { cli, caller, applyChanged } = await setUpBased()

    const first = await applyChanged(renameOld)
    cli.write('entitlements.yaml', cli.read('entitlements.yaml').replace('name: Older', 'name: Oldest'))
    const second = await cli.run(['apply', '--yes'])

    expect([first, second]).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect((await caller.rest('GET', '/org/plans/old')).body.name).toBe('Oldest')
  })

  it('allows another apply after an apply that was refused halfway', async () => {
    const { acme, cli, text } = await setUpBased()
    const url = await startMeddlingProxy(service.url, async ({ method, path }) => {
      if (method === 'PATCH' && path === '/org/features/seats')
        await acme.override('acme', 'region', { kind: 'config', value: 'eu-west' })
    })
    const changed = text.replace('name: Seats', 'name: Places')
    cli.write('entitlements.yaml', changed.replace('[eu-west, us-east]', '[us-east]'))
    const refused = await cli.run(['apply', '--yes', '--url', url])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('1 of 2 changes were applied.') })

    cli.write('entitlements.yaml', cli.read('entitlements.yaml').replace('[us-east]', '[eu-west, us-east]'))

    expect(await cli.run(['apply', '--yes'])).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    ['succeeded', { isRefused: false, code: 0, result: /^Applied 2 changes to /m }],
    ['was refused halfway', { isRefused: true, code: 1, result: /1 of 2 changes were applied\./ }],
  ])('may be impossible to write: an apply that %s says so, and ends as it would otherwise', async (_, expected) => {
    const { acme, cli, text, applyChanged } = await setUpBased()
    const url = await startMeddlingProxy(service.url, async ({ method, path }) => {
      if (method !== 'PATCH' || path !== '/org/features/seats') return
      if (expected.isRefused) await acme.override('acme', 'region', { kind: 'config', value: 'eu-west' })
      // Nobody can write to a folder, not even root.
      rmSync(join(cli.folder, 'entitlements.yaml'))
      mkdirSync(join(cli.folder, 'entitlements.yaml'))
    })
    const changed = text.replace('name: Seats', 'name: Places').replace('[eu-west, us-east]', '[us-east]')

    const { code, stdout, stderr } = await applyChanged(() => changed, '--url', url)

    expect(stderr).toMatch(
      /^entitlements\.yaml cannot be written, so its header does not name this state of the catalog: EISDIR\b/,
    )
    expect(stdout + stderr).toMatch(expected.result)
    expect(code).toBe(expected.code)
  })

  it("stops an apply that would undo a colleague's change: nothing is written, and the change is named", async () => {
    const { caller, text, applyChanged, cli } = await setUpBased()
    await caller.rest('PATCH', '/org/plans/pro', { name: 'Theirs' })

    const { code, stderr } = await applyChanged(renameOld)

    expect(code).toBe(3)
    expect(stderr).toBe(
      `Somebody changed the catalog of Acme at ${service.url} since entitlements.yaml was pulled or applied. Nothing was applied. What changed:
~ plan pro
    name: Pro → Theirs
Bring it into the file ("entitlements pull" writes it there, over your own changes), or undo it with --overwrite.
`,
    )
    expect((await plansOf(caller)).map(({ name }: { name: string }) => name)).toEqual(['Old', 'Theirs'])

    cli.write('entitlements.yaml', text)
    await cli.run(['pull'])
    cli.write('entitlements.yaml', renameOld(cli.read('entitlements.yaml')))
    expect(await cli.run(['apply', '--yes'])).toMatchObject({ code: 0, stderr: '' })
    expect((await plansOf(caller)).map(({ name }: { name: string }) => name)).toEqual(['Older', 'Theirs'])
  })

  it.each([
    [
      'creates a plan',
      (caller: Caller) => caller.rest('POST', '/org/plans', { key: 'theirs', name: 'Theirs' }),
      '+ plan theirs',
    ],
    ['removes a plan', (caller: Caller) => caller.rest('DELETE', '/org/plans/old'), '- plan old: removed'],
    ['archives a plan', (caller: Caller) => caller.rest('POST', '/org/plans/pro/archive'), 'archived: false → true'],
    [
      'renames a feature',
      (caller: Caller) => caller.rest('PATCH', '/org/features/sso', { name: 'Theirs' }),
      'name: Single sign-on → Theirs',
    ],
  ])('notices a colleague who %s', async (_, change, named) => {
    const { caller, applyChanged } = await setUpBased()
    expect((await change(caller)).status).toBeLessThan(300)

    const { code, stderr } = await applyChanged((text) => text.replace('name: Seats', 'name: Places'))

    expect(code).toBe(3)
    expect(stderr).toContain(named)
    expect((await caller.rest('GET', '/org/features/seats')).body.name).toBe('Seats')
  })

  it('is ignored with --overwrite', async () => {
    const { caller, applyChanged, cli } = await setUpBased()
    await caller.rest('PATCH', '/org/plans/pro', { name: 'Theirs' })

    const { code, stdout } = await applyChanged(renameOld, '--overwrite')

    expect(stdout).toMatch('Applied 2 changes')
    expect(code).toBe(0)
    expect((await cli.run(['apply', '--yes'])).stdout).toMatch(/^Nothing to change/)
  })

  it('can be read from another file, such as that of the last applied commit, with --base', async () => {
    const { caller, cli, text } = await setUpBased()
    // As in CI: the header is from before the last apply.
    cli.write('base.yaml', file)
    cli.write('entitlements.yaml', renameOld(text.replace(/sha256-\S+/, 'sha256-of-an-older-state')))

    const own = await cli.run(['apply', '--yes', '--base', 'base.yaml'])
    cli.write('entitlements.yaml', renameOld(file).replace('name: Seats', 'name: Places'))
    cli.write('base.yaml', renameOld(file))
    await caller.rest('PATCH', '/org/plans/pro', { name: 'Theirs' })
    const stopped = await cli.json(['apply', '--yes', '--base', 'base.yaml'])

    expect(own).toMatchObject({ code: 0, stderr: '' })
    expect(stopped.code).toBe(3)
    expect(stopped.body.error).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      details: {
        changes: [{ action: 'update', object: 'plan', key: 'pro', changes: [{ field: 'name', to: 'Theirs' }] }],
      },
    })
    expect((await caller.rest('GET', '/org/features/seats')).body.name).toBe('Seats')
    expect((await cli.run(['apply', '--yes', '--base', 'none.yaml'])).stderr).toBe('There is no file none.yaml.\n')
  })

  it('is reported as missing if the apply could undo a change', async () => {
    const { cli } = await setUpBased()
    cli.write('entitlements.yaml', renameOld(file))

    const { code, stdout } = await cli.run(['apply', '--yes'])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^entitlements\.yaml does not say which state of the catalog it was made from, /m)
  })
})

describe('apply --prune', () => {
  it('removes an option together with the only plan that grants it', async () => {
    const { caller, acme, cli } = await setUp()
    await cli.run(['apply', '--yes'])
    await acme.plan('trial', { region: { kind: 'config', value: 'eu-west' } })
    cli.write('entitlements.yaml', file.replace('[eu-west, us-east]', '[us-east]'))

    const { code, stdout, stderr } = await cli.run(['apply', '--yes', '--prune'])

    expect(stderr).toBe('')
    expect(stdout).toMatch('✓ remove plan trial: deleted\n✓ remove options of feature region\n')
    expect(code).toBe(0)
    expect((await caller.rest('GET', '/org/features/region')).body.options).toEqual(['us-east'])
  })

  const smaller = 'version: 1\nfeatures:\n  seats: { name: Seats, kind: limit }\n'

  it('is required to remove objects that only the target has', async () => {
    const { caller, cli } = await setUpApplied()
    cli.write('entitlements.yaml', smaller)

    const { code, stdout } = await cli.run(['apply', '--yes'])

    expect(stdout).toMatch('It also has 4 other objects, which --prune removes; see "entitlements diff".')
    expect(code).toBe(0)
    expect(await featuresOf(caller)).toHaveLength(4)
  })

  it('deletes plans that no subscriber had, archives the others and their features; a second run does nothing', async () => {
    const { caller, acme, cli } = await setUpApplied()
    await acme.plan('unused', { sso: grantOfEach.sso })
    await acme.feature('extra')
    cli.write('entitlements.yaml', smaller)

    const { code, stdout } = await cli.run(['apply', '--yes', '--prune'])

    expect(stdout).toMatch(`✓ remove plan pro: archived, because subscribers have it or had it
✓ remove plan unused: deleted
✓ remove feature sso: kept, because archived plans grant it: pro
✓ remove feature region: kept, because archived plans grant it: pro
✓ remove feature rules: kept, because archived plans grant it: pro
✓ remove feature extra: deleted
`)
    expect(code).toBe(0)
    expect((await plansOf(caller)).map(({ key }: { key: string }) => key)).toEqual(['old', 'pro'])
    expect((await cli.run(['apply', '--yes', '--prune'])).stdout).toMatch(/^Nothing to change/)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
    expect((await caller.rest('GET', '/org/subscribers/acme/entitlements')).body.plan).toBe('pro')
  })
})

describe('a colleague who changes the catalog at the same time', () => {
  /** `meddle` runs just before the first request with this method and path arrives at the service. */
  async function setUpMeddled(method: string, path: string, meddle: (caller: Caller) => Promise<unknown>) {
    const { caller, cli } = await setUpApplied()
    let isDone = false
    const url = await startMeddlingProxy(service.url, async (request) => {
      if (isDone || request.method !== method || request.path !== path) return
      isDone = true
      await meddle(caller)
    })
    const applyChanged = (text: string, ...options: string[]) => {
      cli.write('entitlements.yaml', text)
      return cli.run(['apply', '--yes', '--url', url, ...options])
    }
    return { caller, applyChanged, url }
  }

  it('stops the apply, which names the change and applies nothing more', async () => {
    const { caller, applyChanged } = await setUpMeddled('PATCH', '/org/plans/pro', (caller) =>
      caller.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 7 } } }),
    )

    const { code, stderr } = await applyChanged(
      file
        .replace('name: Seats', 'name: Places')
        .replace('name: Pro', 'name: Professional')
        .replace('name: Old', 'name: Older'),
    )

    expect(
      stderr,
    ).toBe(`plan pro was changed by somebody else. 1 of 3 changes were applied. What changed since (including the changes that this apply made):
~ feature seats
    name: Seats → Places

Reductions, by which subscribers lose something:
~ plan pro
    region: us-east → not granted
    rules: {"max":[1,2]} → not granted
    seats: unlimited → 7
    sso: granted → not granted
Run "entitlements diff" again, or "entitlements pull" to bring the change into the file.
`)
    expect(code).toBe(3)
    expect(await plansOf(caller)).toMatchObject([
      { key: 'old', name: 'Old' },
      { key: 'pro', name: 'Pro', grants: { seats: { limit: 7 } } },
    ])
  })

  it.each([
    [
      'stops the apply by creating the same feature',
      ['POST', '/org/features'],
      (caller: Caller) => caller.rest('POST', '/org/features', { key: 'new', name: 'Theirs', kind: 'limit' }),
      file.replace('plans:', '  new: { name: New, kind: flag }\nplans:'),
      'feature new was created by somebody else. 0 of 1 changes were applied.',
    ],
    [
      'stops the apply by removing the plan',
      ['PATCH', '/org/plans/old'],
      (caller: Caller) => caller.rest('DELETE', '/org/plans/old'),
      file.replace('name: Old', 'name: Older'),
      'plan old was removed by somebody else. 0 of 1 changes were applied.',
    ],
    [
      'stops the apply by renaming a plan that would be archived',
      ['GET', '/org/plans/pro'],
      (caller: Caller) => caller.rest('PATCH', '/org/plans/pro', { name: 'Theirs' }),
      file.replace('name: Pro', 'name: Pro\n    archived: true'),
      'plan pro was changed by somebody else. 0 of 1 changes were applied.',
    ],
    [
      'does not stop the apply by renaming a plan that would be deleted',
      ['GET', '/org/plans/old'],
      (caller: Caller) => caller.rest('PATCH', '/org/plans/old', { name: 'Theirs', grants: {} }),
      file.replace(/ {2}old.*\n/, '').replace('archived: true', ''),
      null,
    ],
  ] as const)('%s', async (_, [method, path], meddle, text, message) => {
    const { applyChanged } = await setUpMeddled(method, path, meddle)

    const { code, stderr } = await applyChanged(text, '--prune')

    expect(code).toBe(message === null ? 0 : 3)
    if (message !== null) expect(stderr).toMatch(message)
  })

  it('is reported in the JSON output together with the steps that were applied', async () => {
    const { caller, cli } = await setUpApplied()
    const url = await startMeddlingProxy(service.url, async ({ method, path }) => {
      if (method === 'PATCH' && path === '/org/plans/pro') await caller.rest('PATCH', path, { name: 'Theirs' })
    })
    cli.write(
      'entitlements.yaml',
      file.replace('name: Seats', 'name: Places').replace('name: Pro', 'name: Professional'),
    )

    const { code, body } = await cli.json(['apply', '--yes', '--url', url])

    expect(code).toBe(3)
    expect(body.error).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      request_id: requestId,
      details: {
        applied: [{ object: 'feature seats', action: 'update', result: null }],
        stopped_at: { object: 'plan pro', action: 'update' },
      },
    })
  })
})

describe('promoting one organization to another', () => {
  it('gives the target the catalog of the source', async () => {
    const { caller: staging, cli } = await setUpApplied()
    const production = await service.organization()
    const env = {
      STAGING_URL: service.url,
      STAGING_API_KEY: staging.key,
      PRODUCTION_URL: service.url,
      PRODUCTION_API_KEY: production.key,
    }
    const sides = ['--from', 'env:STAGING', '--to', 'env:PRODUCTION']

    expect((await cli.run(['apply', '--yes', ...sides], { env })).code).toBe(0)

    expect((await cli.run(['diff', '--exit-code', ...sides], { env })).code).toBe(0)
    const withoutTimes = (plans: object[]) =>
      plans.map((plan) => ({ ...plan, created_at: 0, updated_at: 0, archived_at: 0 }))
    expect(withoutTimes(await plansOf(production))).toEqual(withoutTimes(await plansOf(staging)))
  })
})
