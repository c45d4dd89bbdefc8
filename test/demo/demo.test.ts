import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { fillDemo } from '../../src/demo/fill.ts'
import { organizationName } from '../../src/demo/people.ts'
import { testMasterKey } from '../support/master-key.ts'
import { timestamp } from '../support/matchers.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { Browser, signUp } from '../support/person.ts'
import { startService } from '../support/service.ts'

const overview = `{
  organization { name }
  counts { features { value } plans { value } subscribers { value } liveOverrides { value } members { value } pendingInvites { value } }
  evalUsage { used allotment days { date used } }
  evalUsageByFeature { features { feature granted denied days { date } } }
  feature(key: "sso") { denials { subscriberId count } }
  webhook { disabled exhaustedInARow }
  webhookEventCounts { queued failed }
  webhookEvents(filter: {}, first: 100) { nodes { state occurredAt attempts { number error } } }
  auditEvents(filter: { changed: true }, first: 100) { nodes { occurredAt actor { member { displayName } } } }
  subscriber(subscriberId: "cus_1000") { createdAt history(first: 100) { nodes { at cause } } }
  members { nodes { displayName role lastSeenAt } }
  overrides(order: EXPIRES, filter: { live: true }) { nodes { expiresAt note setBy { displayName } } }
}`

const databaseUrl = await createOwnDatabase()
const startedAt = new Date()
const { organizationId, evalKey, accounts } = await fillTestDemo({ subscribers: 60 })

type FillOptions = { subscribers?: number; now?: Date; again?: boolean; yes?: boolean; env?: Record<string, string> }

function fillTestDemo({ subscribers = 10, env = {}, now, again = false, yes = false }: FillOptions) {
  const config = loadConfig({ DATABASE_URL: databaseUrl, MASTER_KEY: testMasterKey, ...env })
  return fillDemo({ databaseUrl, config, subscribers, now, again, yes, onProgress: () => {} })
}

it('the demo fills a database with a vendor whose numbers the console shows', async () => {
  const service = await startService({ DATABASE_URL: databaseUrl })
  const browser = new Browser(service)
  expect(accounts.map(({ email, role }) => [email, role])).toEqual([
    ['ada@lumen.example', 'admin'],
    ['ben@lumen.example', 'developer'],
    ['chloe@lumen.example', 'support'],
    ['dmitri@lumen.example', 'viewer'],
  ])
  expect(new Set(accounts.map(({ password }) => password)).size).toBe(4)
  const [ada] = accounts
  await browser.signIn({ email: 'ada@lumen.example', password: ada?.password ?? '' })
  await browser.enter(organizationId)
  const { body } = await browser.graphql(overview, {}, { organizationId })
  expect(body.errors).toBeUndefined()
  const { data } = body

  expect(data.organization.name).toBe(organizationName)
  expect(data.counts).toMatchObject({
    features: { value: 40 },
    plans: { value: 6 },
    subscribers: { value: 60 },
    members: { value: 7 },
    pendingInvites: { value: 2 },
  })
  expect(data.counts.liveOverrides.value).toBeGreaterThan(1)
  expect(data.evalUsage).toMatchObject({ used: expect.any(Number), allotment: 1_500_000 })
  expect(data.evalUsage.used).toBeGreaterThan(0)
  const usedFeatures = data.evalUsageByFeature.features
  expect(usedFeatures).toHaveLength(40)
  expect(usedFeatures.some(({ denied }: { denied: number }) => denied > 0)).toBe(true)
  expect(data.feature.denials).toContainEqual({ subscriberId: expect.any(String), count: expect.any(Number) })
  expect(data.webhook.disabled).toBe(true)
  expect(data.webhookEventCounts.queued).toBeGreaterThan(0)
  expect(new Set(data.webhookEvents.nodes.map(({ state }: { state: string }) => state)).size).toBeGreaterThan(1)
  expect(data.members.nodes.filter(({ lastSeenAt }: { lastSeenAt: string | null }) => lastSeenAt !== null)).not.toEqual(
    [],
  )
  expect(data.overrides.nodes.some(({ note }: { note: string | null }) => note !== null)).toBe(true)

  // All of it is in the past: the newest entry is from before the start of the demo, and the oldest change is at least a
  // month old.
  const moments = data.auditEvents.nodes.map(({ occurredAt }: { occurredAt: string }) => occurredAt)
  expect(moments).toEqual(moments.toSorted().toReversed())
  expect(new Date(moments[0]).getTime()).toBeLessThan(startedAt.getTime())
  expect(new Date(moments.at(-1)).getTime()).toBeLessThan(startedAt.getTime() - 30 * 86_400_000)
  expect(moments[0]).toEqual(timestamp)
  const longAgo = new Date(startedAt.getTime() - 30 * 86_400_000).toISOString()
  expect(data.subscriber.createdAt < longAgo).toBe(true)
  const causes = data.subscriber.history.nodes.map(({ at, cause }: { at: string; cause: string }) => [
    cause,
    at < longAgo,
  ])
  expect(causes.at(-1)).toEqual(['SUBSCRIBER', true])
  expect(causes.map(([cause]: [string, boolean]) => cause)).toContain('SUBSCRIPTION')

  const check = await service.app.inject({
    method: 'POST',
    url: '/org/subscribers/cus_1000/entitlements/check',
    headers: { 'x-api-key': evalKey },
    payload: { feature: 'seats' },
  })
  expect(check.statusCode).toBe(200)
})

describe('another demo', () => {
  const advice =
    'the demo adds four people who can sign in, one of them as an admin of its organization. Add --yes to create it anyway.'

  it('is created only with --again', async () => {
    await expect(fillTestDemo({})).rejects.toThrow(/already.*--again/)
  })

  it('needs --yes in production or if other people have accounts; the people of the first demo can still sign in', async () => {
    const production = { NODE_ENV: 'production' }
    const service = await startService({ DATABASE_URL: databaseUrl })
    await signUp(service)

    await expect(fillTestDemo({ again: true, env: production })).rejects.toThrow(
      `This server is in production: ${advice}`,
    )
    // Does not count the accounts of the first demo.
    await expect(fillTestDemo({ again: true })).rejects.toThrow(`This server already has people (1): ${advice}`)
    const second = await fillTestDemo({ again: true, yes: true, env: production })

    expect(second.accounts[0]?.email).toBe('ada2@lumen.example')
    for (const account of [...accounts, ...second.accounts]) {
      expect((await new Browser(service).signIn(account)).body.errors).toBeUndefined()
    }
  })

  it('has evals left even at the end of a month with 23 working days', async () => {
    const service = await startService({ DATABASE_URL: databaseUrl })

    // Some minutes before midnight, which the demo's clock does not reach before the demo is filled.
    const { organizationId } = await fillTestDemo({ now: new Date('2026-07-31T23:50:00Z'), again: true, yes: true })

    const { rows } = await service.database.pool.query(
      'select day_used::int, month_used::int, allotment::int from eval_counter where organization_id = $1',
      [organizationId],
    )
    expect(rows[0].day_used).toBeGreaterThan(30_000)
    // Tokens of subscribers may use nine tenths.
    expect(rows[0].month_used).toBeLessThan(0.9 * rows[0].allotment)
  })
})
