import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'
import { createLimitNotices, type LimitNotices, type LimitNoticesOptions } from '../../src/gate/limit-notices.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

beforeEach(waitIfNearMidnight)

type Line = { fields: Record<string, unknown>; message: string }

/** Starts a service with its own database, because the notices cover every organization in a database. */
async function start(env: Record<string, string>) {
  const url = await createOwnDatabase()
  const service = await startService({ DATABASE_URL: url, ...env })
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('s')
  const lines: Line[] = []
  const logger = { warn: (fields: object, message: string) => void lines.push({ fields: { ...fields }, message }) }
  const { database } = service
  const ofNotices = connectDatabase({ url })
  const notices: LimitNotices[] = []
  onTestFinished(async () => {
    for (const each of notices) await each.close()
    await ofNotices.close()
  })
  /** Starts the notices of one process. In these tests, they check for new lines every 20 ms. */
  function startNotices(limits: Omit<LimitNoticesOptions, 'pool' | 'logger' | 'sweepMs'>): LimitNotices {
    const started = createLimitNotices({ pool: ofNotices.pool, logger: logger as never, ...limits, sweepMs: 20 })
    notices.push(started)
    return started
  }
  async function evaluate(times: number): Promise<number[]> {
    const statuses: number[] = []
    for (let count = 0; count < times; count++) {
      const path = '/org/subscribers/s/entitlements/check'
      statuses.push((await caller.rest('POST', path, { feature: 'sso' })).status)
    }
    return statuses
  }
  const setMonthUsed = (used: number) =>
    database.pool.query('update eval_counter set month_used = $2 where organization_id = $1', [
      caller.organizationId,
      used,
    ])
  return { database, service, caller, lines, startNotices, evaluate, setMonthUsed }
}

const commandToRaise = (organizationId: string, option: string) =>
  `npm run org:limits -- --organization ${organizationId} ${option} N`

it('an organization is logged at 80, 90 and 100 % of its allotment, once each over all processes', async () => {
  const { caller, lines, startNotices, evaluate, setMonthUsed } = await start({ EVAL_MONTHLY_ALLOTMENT: '10' })
  for (let process = 0; process < 3; process++) startNotices({ rateLimitPerSecond: 100, monthlyAllotment: 10 })

  await evaluate(7)
  await evaluate(1)
  await expect.poll(() => lines).toHaveLength(1)
  await evaluate(1)
  await expect.poll(() => lines).toHaveLength(2)
  expect(await evaluate(2)).toEqual([200, 409])
  await expect.poll(() => lines).toHaveLength(3)
  // The lines are not logged again in the same month.
  await setMonthUsed(0)
  await evaluate(9)

  const { organizationId } = caller
  expect(lines.map(({ fields }) => fields)).toEqual(
    [80, 90, 100].map((percent) => ({
      organizationId,
      percent,
      used: percent / 10,
      allotment: 10,
      month: new Date().toISOString().slice(0, 7),
    })),
  )
  expect(lines.map(({ message }) => message)).toEqual([
    `an organization has used 80 % of its evals for this month. To raise the allotment: ${commandToRaise(organizationId, '--allotment')}`,
    `an organization has used 90 % of its evals for this month. To raise the allotment: ${commandToRaise(organizationId, '--allotment')}`,
    `an organization has used 100 % of its evals for this month; further ones are refused. To raise the allotment: ${commandToRaise(organizationId, '--allotment')}`,
  ])
})

it('only the highest of several thresholds passed together is logged, and it is logged again in a new month', async () => {
  const { database, lines, startNotices, evaluate, setMonthUsed } = await start({ EVAL_MONTHLY_ALLOTMENT: '10' })
  await evaluate(1)
  await setMonthUsed(9)
  startNotices({ rateLimitPerSecond: 100, monthlyAllotment: 10 })
  await expect.poll(() => lines.map(({ fields }) => fields.percent)).toEqual([90])

  // Pretends that the line was logged a month ago.
  await database.pool.query(`update limit_notice set period = period - interval '1 month'`)

  await expect.poll(() => lines.map(({ fields }) => fields.percent)).toEqual([90, 90])
})

it.each([1, 2, 3, 100])(
  'the same notices are logged if a statement reads %i organizations at a time',
  async (sliceSize) => {
    const { database, service, lines, startNotices } = await start({})
    const used = [80, 79, 100, 0, 90, 85]
    const organizations = await Promise.all(used.map(() => service.organization()))
    await database.pool.query(
      `update eval_counter c set month_used = given.used, day = (now() at time zone 'UTC')::date
       from unnest($1::text[], $2::int[]) as given (id, used) where c.organization_id = given.id`,
      [organizations.map(({ organizationId }) => organizationId), used],
    )

    startNotices({ rateLimitPerSecond: 100, monthlyAllotment: 100, sliceSize })
    await expect.poll(() => lines).toHaveLength(4)

    const logged = new Map(lines.map(({ fields }) => [fields.organizationId, fields.percent]))
    expect(organizations.map(({ organizationId }) => logged.get(organizationId))).toEqual([
      80,
      undefined,
      100,
      undefined,
      90,
      80,
    ])
  },
)

it('an organization without an allotment is not logged', async () => {
  const { database, service, caller, lines, startNotices, evaluate, setMonthUsed } = await start({})
  await evaluate(1)
  await setMonthUsed(1_000_000_000)
  const limited = await service.organization()
  await database.pool.query(
    `update eval_counter set allotment = 10, month_used = 10, day = (now() at time zone 'UTC')::date where organization_id = $1`,
    [limited.organizationId],
  )

  startNotices({ rateLimitPerSecond: 100, monthlyAllotment: null })
  await expect.poll(() => lines).toHaveLength(1)

  expect(lines[0]?.fields.organizationId).toBe(limited.organizationId)
  expect(lines[0]?.fields.organizationId).not.toBe(caller.organizationId)
})

it('evals that the rate limit refuses are logged once a minute over all processes', async () => {
  const { caller, lines, startNotices } = await start({})
  const { organizationId } = caller
  const processes = [1, 2, 3].map(() => startNotices({ rateLimitPerSecond: 7, monthlyAllotment: null }))

  for (let count = 0; count < 100; count++) for (const each of processes) each.rateLimited(organizationId)
  for (const each of processes) await each.close()

  // There are two lines if a minute ended meanwhile.
  expect(lines.length).toBeGreaterThanOrEqual(1)
  expect(lines.length).toBeLessThanOrEqual(2)
  expect(lines[0]).toEqual({
    fields: { organizationId, rate: 7 },
    message: `an organization's evals beyond 7 a second are refused. To raise the limit: ${commandToRaise(organizationId, '--rate')}`,
  })
})

it('the server logs a notice about evals that the rate limit refuses', async () => {
  const log: { level: number; msg: string }[] = []
  const service = await startService({ LOG_LEVEL: 'warn', EVAL_RATE_LIMIT_PER_SECOND: '1' }, log)
  const caller = await service.organization()
  await vendor(caller).subscriber('s')

  const snapshot = () => caller.rest('GET', '/org/subscribers/s/entitlements')
  await expect
    .poll(async () => (await Promise.all([snapshot(), snapshot(), snapshot()])).map(({ status }) => status))
    .toContain(429)

  // There are two lines if a minute ended meanwhile; a busy machine may also log that the database answers late.
  await expect
    .poll(() => log.map(({ msg }) => msg))
    .toContainEqual(expect.stringMatching(/^an organization's evals beyond 1 a second are refused\. To raise/))
})
