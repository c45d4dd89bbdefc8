import { PrismaPg } from '@prisma/adapter-pg'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { PrismaClient } from '../../src/database/generated/client.ts'
import { loadEvalUsage } from '../../src/gate/eval-usage.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { database, openGate, seedVendor, setCounter } from './harness.ts'

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: inject('databaseUrl') }) })

beforeEach(waitIfNearMidnight)

afterAll(() => prisma.$disconnect())

describe('loadEvalUsage', () => {
  it("adds the counter's count of its day to the stored counts of days", async () => {
    const { organizationId } = await seedVendor({ allotment: 2 ** 53 - 1 })
    await setCounter(organizationId, { day: "'2026-11-03'", day_used: '4', month_used: '9' })
    await database.query(
      `insert into eval_usage_day values ($1, '2026-11-03', 2), ($1, '2026-11-01', 3), ($1, '2026-10-31', 8), ($1, '2026-12-01', 5)`,
      [organizationId],
    )
    const load = (month: string) => loadEvalUsage(prisma, { organizationId, month, monthlyAllotment: 7 })

    expect(await load('2026-11')).toEqual({
      month: '2026-11',
      used: 9,
      allotment: 9007199254740991,
      days: [
        { date: '2026-11-01', used: 3 },
        { date: '2026-11-03', used: 6 },
      ],
    })
    expect(await load('2026-10')).toMatchObject({ used: 8, days: [{ date: '2026-10-31', used: 8 }] })
    expect(await load('2026-12')).toMatchObject({ used: 5 })
    expect(await load('1999-01')).toMatchObject({ month: '1999-01', used: 0, days: [] })
  })

  it("counts only the organization's own evals, by default in the current month", async () => {
    await using gate = openGate()
    const [ours, theirs] = [await seedVendor(), await seedVendor({ allotment: -1 })]
    const load = (organizationId: string, monthlyAllotment: number | null) =>
      loadEvalUsage(prisma, { organizationId, monthlyAllotment })
    const { rows } = await database.query(`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`)
    const today: string = rows[0].today
    const month = today.slice(0, 7)
    expect(await load(ours.organizationId, 1000)).toEqual({ month, used: 0, allotment: 1000, days: [] })

    const request = { keyHash: ours.keyHash, subscriberId: 'acme' }
    await Promise.all([
      gate.evaluate({ ...request, features: ['seats'] }),
      gate.evaluate({ ...request, features: ['seats', 'seats'] }),
      gate.evaluate({ ...request, features: null }),
      gate.evaluate({ ...request, features: ['unknown'] }),
    ])

    const days = [{ date: today, used: 3 }]
    expect(await load(ours.organizationId, null)).toEqual({ month, used: 3, allotment: null, days })
    expect(await load(theirs.organizationId, 1000)).toEqual({ month, used: 0, allotment: null, days: [] })
  })
})
