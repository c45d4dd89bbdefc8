import { pino } from 'pino'
import { baseUrlOf, type Config } from '../config.ts'
import { StartupError } from '../core/startup-error.ts'
import { connectDatabase, type Database } from '../database/client.ts'
import { openVault } from '../database/master-key.ts'
import type { Jobs } from '../events/jobs.ts'
import { createServices } from '../services.ts'
import { type DemoClock, startDemoClock } from './clock.ts'
import { customerSteps, customersOf } from './customers.ts'
import { writeDeliveries } from './deliveries.ts'
import { overrideSteps } from './exceptions.ts'
import { writeFeatureUsage } from './feature-usage.ts'
import { createOperationRunner } from './operation-runner.ts'
import { expireDue, pauseDeliveries, writeLastSeen, writeUsage } from './past.ts'
import { type DemoAccount, emailDomain, organizationName } from './people.ts'
import { createRandomSource } from './random-source.ts'
import { catalogSteps, firstDayAgo, type Step, type StoryContext, teamSteps } from './story.ts'
import { closeSessions, hireTeam } from './team.ts'

type FillOptions = {
  /** The address of a migrated database, directly on PostgreSQL and not through a pooler. */
  databaseUrl: string
  config: Config
  subscribers: number
  /** When the history ends: now by default, and never later. */
  now?: Date
  /** Allows a second organization with the same name. */
  again: boolean
  /** Allows production, and a database with other people. */
  yes: boolean
  onProgress(done: number, total: number): void
}

export type FilledDemo = {
  organizationId: string
  webhookUrl: string
  webhookSecret: string
  evalKey: string
  accounts: readonly DemoAccount[]
}

const dayMs = 86_400_000
/** The receiver has failed for this many days: long enough for some events to run out of attempts. */
const receiverFailsDays = 3.2

/** Creates no jobs: nothing may be sent while the demo is filled, and workers later find ended overrides without jobs. */
const noJobs: Jobs = { toStatements: async () => [], wake: () => {}, test: () => {}, stop: async () => {} }

/** Creates the demo's vendor, with three months of history, by the service's own operations. */
export async function fillDemo(options: FillOptions): Promise<FilledDemo> {
  const clock = await startDemoClock(options.databaseUrl)
  try {
    const database = connectDatabase({ url: clock.url, maxConnections: 6 })
    try {
      await assertConfirmed(database, options)
      return await runStory(options, { clock, database })
    } finally {
      await database.close()
    }
  } finally {
    await clock.end()
  }
}

async function assertConfirmed(database: Database, { config, again, yes }: FillOptions): Promise<void> {
  if (!again) await assertNoDemo(database)
  if (yes) return
  const people = await countPeople(database)
  if (!config.production && people === 0) return
  const state = config.production ? 'is in production' : `already has people (${people})`
  throw new StartupError(
    `This server ${state}: the demo adds four people who can sign in, one of them as an admin of its organization. Add --yes to create it anyway.`,
  )
}

/** Counts the people in the database, without the accounts of earlier demos. */
function countPeople({ prisma }: Database): Promise<number> {
  const isOfDemo = { emailKey: { endsWith: `@${emailDomain}` } }
  return prisma.userAccount.count({ where: { OR: [{ emailKey: null }, { NOT: isOfDemo }] } })
}

async function assertNoDemo({ prisma }: Database): Promise<void> {
  const existing = await prisma.organization.findFirst({ where: { name: organizationName } })
  if (!existing) return
  throw new StartupError(
    `This database already has an organization "${organizationName}". Add --again to create another one.`,
  )
}

type DemoWorld = { clock: DemoClock; database: Database }

async function runStory(options: FillOptions, { clock, database }: DemoWorld): Promise<FilledDemo> {
  const { config, onProgress } = options
  const now = options.now ?? clock.now()
  // Must come first, because ids ascend: after an id with today's time, no id could have a past time.
  await clock.set(momentOf(now, firstDayAgo))
  const vault = await openVault({ pool: database.pool, ...config })
  const logger = pino({ level: 'silent' })
  // With SIGN_UP=invited nobody could sign up before an organization exists.
  const open: Config = { ...config, signUp: 'open' }
  const { services, close } = await createServices({
    config: open,
    database,
    directUrl: clock.url,
    vault,
    jobs: noJobs,
    logger,
  })
  try {
    const act = createOperationRunner(services, { clock, baseUrl: baseUrlOf(config) })
    const passMinutes = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * 60_000))
    const team = await hireTeam({ act, database, pass: passMinutes })
    const { organizationId, evalKey, accounts } = team
    const target = { database, organizationId }
    const webhook = { url: webhookUrlOf(config), secret: '' }
    const steps = [
      ...stepsOf({ act, team }, webhook, options.subscribers, now),
      { daysAgo: 89.8, run: () => pauseDeliveries(target) },
      ...Array.from({ length: 88 }, (_, day) => ({ daysAgo: day, run: () => expireDue(target, clock.now()) })),
    ].toSorted((a, b) => b.daysAgo - a.daysAgo)
    for (const [done, { daysAgo, run }] of steps.entries()) {
      if (daysAgo !== steps[done - 1]?.daysAgo) await clock.set(momentOf(now, daysAgo))
      await run()
      onProgress(done + 1, steps.length)
    }
    const failsFrom = momentOf(now, receiverFailsDays)
    await writeDeliveries(target, { failsFrom, now, waitsSeconds: config.webhookRetryWaitsSeconds })
    await writeUsage(target, firstDayAgo)
    await writeFeatureUsage(target)
    await writeLastSeen(target)
    await closeSessions(database, team)
    return { organizationId, evalKey, accounts, webhookUrl: webhook.url, webhookSecret: webhook.secret }
  } finally {
    await close()
  }
}

function momentOf(now: Date, daysAgo: number): Date {
  return new Date(now.getTime() - daysAgo * dayMs)
}

/** All steps, not yet in order. */
function stepsOf(cast: StoryContext, webhook: { url: string; secret: string }, subscribers: number, now: Date): Step[] {
  const random = createRandomSource(20_261_122)
  const customers = customersOf(subscribers, random)
  const onSecret = (secret: string) => {
    webhook.secret = secret
  }
  return [
    ...catalogSteps(cast),
    ...teamSteps(cast, { url: webhook.url, onSecret }),
    ...customerSteps(cast, customers, random),
    ...overrideSteps(cast, customers, random, now),
  ]
}

/** The address of `npm run webhook:listen`, if webhooks may go to this machine. */
function webhookUrlOf({ webhookAllowPrivateNetworks }: Config): string {
  return webhookAllowPrivateNetworks ? 'http://127.0.0.1:4100/' : 'https://hooks.lumen.example/entitlements'
}
