import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLineFor } from '../entitlements-cli/command-line.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { testMasterKey } from '../support/master-key.ts'
import { createEmptyDatabase } from '../support/own-database.ts'
import { type ServerProcess, spawnApi } from '../support/spawn-service.ts'
import { copyWithAddedField, removeCopy, type WithAddedField } from '../support/with-added-field.ts'

type Headers = Record<string, string>
type Request = readonly [method: string, path: string, body?: object]
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape.
type Body = any

/** A write that takes the field. Its value must be in the answer, in each of the reads, and in the log entry. */
type Step = {
  model: string
  write: Request
  reads: readonly string[]
}

const subscriber = '/org/subscribers/acme'
const override = `${subscriber}/overrides/seats`
const overrides = [override, `${subscriber}/overrides`, '/org/overrides', `${subscriber}/explanation`]
const subscriptions = [`${subscriber}/subscriptions`]

const steps: readonly Step[] = [
  {
    model: 'Feature',
    write: ['POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' }],
    reads: ['/org/features', '/org/features/seats'],
  },
  { model: 'Feature', write: ['PATCH', '/org/features/seats'], reads: ['/org/features', '/org/features/seats'] },
  {
    model: 'Plan',
    write: ['POST', '/org/plans', { key: 'pro', name: 'Pro' }],
    reads: ['/org/plans', '/org/plans/pro'],
  },
  { model: 'Plan', write: ['PATCH', '/org/plans/pro'], reads: ['/org/plans', '/org/plans/pro'] },
  {
    model: 'Subscriber',
    write: ['POST', '/org/subscribers', { subscriber_id: 'acme' }],
    reads: ['/org/subscribers', subscriber],
  },
  { model: 'Subscriber', write: ['PATCH', subscriber], reads: ['/org/subscribers?search=acme', subscriber] },
  { model: 'Subscription', write: ['POST', `${subscriber}/subscriptions`, { plan_id: 'pro' }], reads: subscriptions },
  {
    model: 'Subscription',
    write: ['POST', `${subscriber}/subscriptions/change`, { plan_id: 'pro' }],
    reads: subscriptions,
  },
  { model: 'Override', write: ['PUT', override, { kind: 'limit', limit: 1 }], reads: overrides },
  { model: 'Override', write: ['PUT', override, { kind: 'limit', limit: 2 }], reads: overrides },
  {
    model: 'WebhookEndpoint',
    write: ['PUT', '/org/webhook', { url: 'https://example.org/' }],
    reads: ['/org/webhook'],
  },
  {
    model: 'WebhookEndpoint',
    write: ['PUT', '/org/webhook', { url: 'https://example.org/' }],
    reads: ['/org/webhook'],
  },
  { model: 'Organization', write: ['PATCH', '/org'], reads: ['/org'] },
  { model: 'Invite', write: ['POST', '/org/invites', { role: 'viewer' }], reads: ['/org/invites'] },
  {
    model: 'ServiceAccount',
    write: ['POST', '/org/service-accounts', { name: 'CI', role: 'viewer' }],
    reads: ['/org/service-accounts', '/org/service-accounts/:account'],
  },
  {
    model: 'ServiceAccount',
    write: ['PATCH', '/org/service-accounts/:account'],
    reads: ['/org/service-accounts', '/org/service-accounts/:account'],
  },
  {
    model: 'ApiKey',
    write: ['POST', '/org/service-accounts/:account/api-keys', { name: 'CI' }],
    reads: ['/org/service-accounts/:account/api-keys'],
  },
  { model: 'Member', write: ['PATCH', '/org/members/:member'], reads: ['/org/members', '/org/members/:member'] },
]

describe('a field that is added to schema.prisma and to the file of its resource', () => {
  let copy: WithAddedField
  let server: ServerProcess & { url: string }
  let admin: Headers
  const ids = { account: '', member: '' }

  beforeAll(async () => {
    copy = copyWithAddedField()
    const env = { DATABASE_URL: await createEmptyDatabase(), MASTER_KEY: testMasterKey }
    server = await spawnApi(env, undefined, `${copy.folder}/src/main.ts`)
    const created = execFileSync(process.execPath, ['src/cli/org-create.ts', '--name', 'Law', '--json'], {
      cwd: copy.folder,
      env: { ...inheritedEnv, ...env },
    })
    const { api_key, member_id } = JSON.parse(created.toString())
    admin = { 'X-API-Key': api_key }
    ids.member = member_id
  })

  afterAll(async () => {
    await server?.end('SIGTERM')
    if (copy) removeCopy(copy)
  })

  /** Sends the request; returns the answer with its fields, which the server in this process does not know. */
  async function call([method, path, body]: Request, headers = admin): Promise<{ status: number; body: Body }> {
    const isImport = path === '/org/subscribers/import'
    const filled = path.replace(/:(\w+)/, (_, name: 'account' | 'member') => ids[name])
    const response = await fetch(`${server.url}${filled}`, {
      method,
      headers: { 'content-type': isImport ? 'application/x-ndjson' : 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  it('is tested for every resource', () => {
    expect(copy.models.toSorted()).toEqual([...new Set([...steps.map(({ model }) => model), 'UserAccount'])].toSorted())
  })

  it('is stored, shown and recorded by every write that takes it', async () => {
    for (const [index, { write, reads }] of steps.entries()) {
      const [method, path, body] = write
      const value = `value ${index}`

      const answer = await call([method, path, { ...body, law_field: value }])
      if (path === '/org/service-accounts') ids.account = answer.body.service_account_id
      const log = await call(['GET', '/org/audit-events?limit=1'])
      const read = await Promise.all(reads.map((each) => call(['GET', each])))

      expect(answer.body, `${method} ${path}`).toMatchObject({ law_field: value })
      expect(JSON.stringify(log.body.audit_events[0].details), `the entry of ${method} ${path}`).toContain(value)
      for (const [index, { body }] of read.entries()) {
        expect(JSON.stringify(body), `${reads[index]} after ${method} ${path}`).toContain(`"law_field":"${value}"`)
      }
    }
  })

  it.each(['known', 'new'])('is imported with a subscriber that is %s, and with its overrides', async (which) => {
    const id = which === 'known' ? 'acme' : 'globex'
    const put = { kind: 'limit', limit: 3, law_field: `${which} override` }
    const line = { subscriber_id: id, law_field: `${which} line`, overrides: { seats: put } }

    const { body } = await call(['POST', '/org/subscribers/import', line])
    const stored = await call(['GET', `/org/subscribers/${id}`])
    const override = await call(['GET', `/org/subscribers/${id}/overrides/seats`])
    const { body: log } = await call(['GET', `/org/audit-events?params[subscriber_id]=${id}&limit=1`])

    expect(body).toMatchObject({ [which === 'known' ? 'updated' : 'created']: 1, failed: 0 })
    expect([stored.body.law_field, override.body.law_field]).toEqual([`${which} line`, `${which} override`])
    expect(log.audit_events[0].details).toMatchObject({
      law_field: { to: `${which} line` },
      overrides: { seats: { to: { law_field: `${which} override` } } },
    })
  })

  it('is pulled, compared and applied by a command line that does not know the field', async () => {
    const cli = commandLineFor({ url: server.url, key: admin['X-API-Key'] as string })
    const pulled = await cli.run(['pull'])
    const text = cli.read('entitlements.yaml')
    const plan = (await call(['GET', '/org/plans/pro'])).body.law_field
    const feature = (await call(['GET', '/org/features/seats'])).body.law_field

    expect(pulled.stderr).toBe('')
    expect(text).toContain(`    law_field: ${plan}\n`)
    expect(text).toContain(`    law_field: ${feature}\n`)
    expect((await cli.run(['diff', '--exit-code'])).code).toBe(0)
    expect((await cli.run(['types'])).stderr).toBe('')

    cli.write(
      'entitlements.yaml',
      text.replace(`law_field: ${plan}`, 'law_field: of the file').replace(/.*value 1\n/, ''),
    )
    const diff = await cli.run(['diff', '--exit-code'])
    const applied = await cli.run(['apply', '--yes'])

    expect(diff.stdout).toContain(`    law_field: ${plan} → of the file\n`)
    expect(diff.stdout).toContain(`    law_field: ${feature} → none\n`)
    expect(diff.code).toBe(2)
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expect((await call(['GET', '/org/plans/pro'])).body.law_field).toBe('of the file')
    expect((await call(['GET', '/org/features/seats'])).body.law_field).toBeNull()

    await call(['PATCH', '/org/plans/pro', { law_field: plan }])
    await call(['PATCH', '/org/features/seats', { law_field: feature }])
    expect((await cli.run(['pull'])).stdout).toContain(`law_field: of the file → ${plan}`)
    expect(cli.read('entitlements.yaml')).toContain(`    law_field: ${feature}\n`)
    cli.write('entitlements.yaml', text.replace('law_field', 'law_feld'))
    expect((await cli.run(['diff'])).stderr).toMatch('law_feld is not known here. Allowed: ')
  })

  it('is accepted and shown in GraphQL', async () => {
    const document = `mutation ($lines: [ImportLineInput!]!) {
      importSubscribers(input: { lines: $lines }) { created }
      updateFeature(input: { key: "seats", lawField: "g1" }) { lawField }
      updatePlan(input: { key: "pro", lawField: "g2" }) { lawField }
      updateSubscriber(input: { subscriberId: "acme", lawField: "g3" }) {
        lawField subscriptions { nodes { lawField } } override(feature: "seats") { lawField }
      }
      putWebhook(input: { url: "https://example.org/", lawField: "g4" }) { webhook { lawField } }
    }`
    const lines = [
      {
        subscriberId: 'initech',
        lawField: 'g5',
        overrides: [{ feature: 'seats', kind: 'LIMIT', limit: 1, lawField: 'g6' }],
      },
    ]

    const { body } = await call(['POST', '/graphql', { query: document, variables: { lines } }])
    const read = await call([
      'POST',
      '/graphql',
      {
        query:
          '{ subscriber(subscriberId: "initech") { lawField overrides { lawField } } plans { lawField } features { lawField } }',
      },
    ])

    expect(body.errors).toBeUndefined()
    expect(body.data).toMatchObject({
      updateFeature: { lawField: 'g1' },
      updatePlan: { lawField: 'g2' },
      updateSubscriber: { lawField: 'g3', override: { lawField: 'known override' } },
    })
    expect(read.body.data).toEqual({
      subscriber: { lawField: 'g5', overrides: [{ lawField: 'g6' }] },
      plans: [{ lawField: 'g2' }],
      features: [{ lawField: 'g1' }],
    })
  })

  it('is stored and shown for a person, and for an organization that they create', async () => {
    const account = { email: 'ada@example.org', password: 'correct horse', display_name: 'Ada', law_field: 'person' }
    const { body: signedUp } = await call(['POST', '/user/sign-up', account], {})
    const person = { authorization: `Bearer ${signedUp.token}` }
    const before = await call(['GET', '/user'], person)
    const changed = await call(['PATCH', '/user', { law_field: 'changed' }], person)
    const created = await call(['POST', '/user/organizations', { name: 'Own', law_field: 'created' }], person)

    expect([before.body.law_field, changed.body.law_field, created.status]).toEqual(['person', 'changed', 201])
  })
})

describe('the statements of the resources', () => {
  const resources = 'subscriber|feature|plan|plan_grant|subscription|override'
  const files = globSync(['src/**/*.ts', 'worker/**/*.ts']).filter(
    (file) => !/\/(console|generated|demo|node_modules)\//.test(file),
  )

  it('name their columns in one place, and declare no row types by hand', () => {
    const byHand = new RegExp(`insert into "?(${resources})"? |(=|\\(|await|return) ?query<|\\bsql\\.query<`)
    expect(files.filter((file) => byHand.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
