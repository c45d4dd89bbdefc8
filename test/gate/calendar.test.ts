import { describe, expect, it } from 'vitest'
import { database, loadCounter, noon, openGate, seedVendor, setCounter } from './harness.ts'

const check = (keyHash: string) => ({ keyHash, subscriberId: 'acme', features: ['seats'] })
/** The date of `noon`, the time of these tests' gates, and dates before and after it. */
const [today, yesterday, lastMonth, nextMonth] = ['2026-11-15', '2026-11-14', '2026-10-31', '2026-12-01']
const clock = noon

async function loadDays(organizationId: string): Promise<{ date: string; used: number }[]> {
  const { rows } = await database.query(
    `select date::text, used::int from eval_usage_day where organization_id = $1 order by date`,
    [organizationId],
  )
  return rows
}

/** Stores counts of evals on two days of November. */
async function fillNovember(organizationId: string): Promise<void> {
  await database.query(`insert into eval_usage_day values ($1, '2026-11-01', 8), ($1, '2026-11-02', 9)`, [
    organizationId,
  ])
}

describe('when the day changes', () => {
  it('the gate stores the count of the past day once, and starts a new one', async () => {
    await using gate = openGate({ clock })
    const { keyHash, organizationId } = await seedVendor()
    await setCounter(organizationId, { day: `'${yesterday}'`, day_used: '7', month_used: '40', second: "'epoch'" })

    await Promise.all([gate.evaluate(check(keyHash)), gate.evaluate(check(keyHash))])
    await gate.evaluate(check(keyHash))

    expect(await loadDays(organizationId)).toEqual([{ date: yesterday, used: 7 }])
    expect(await loadCounter(organizationId)).toMatchObject({ day: today, day_used: 3, month_used: 43 })
  })

  it('the gate restarts the count of the month at 0 if the month changes, so that the whole allotment is free', async () => {
    await using gate = openGate({ clock })
    const { keyHash, organizationId } = await seedVendor({ allotment: 2 })
    await setCounter(organizationId, { day: `'${lastMonth}'`, day_used: '2', month_used: '2', second: "'epoch'" })

    const outcomes = [
      await gate.evaluate(check(keyHash)),
      await gate.evaluate(check(keyHash)),
      await gate.evaluate(check(keyHash)),
    ]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'exhausted'])
    expect(await loadDays(organizationId)).toEqual([{ date: lastMonth, used: 2 }])
    expect(await loadCounter(organizationId)).toMatchObject({ day_used: 2, month_used: 2 })
  })

  it('the gate stores the count of the past day even if the first eval of the new day is refused', async () => {
    await using gate = openGate({ clock, rateLimitPerSecond: 0 })
    const { keyHash, organizationId } = await seedVendor()
    await setCounter(organizationId, { day: `'${lastMonth}'`, day_used: '2', month_used: '2', second: "'epoch'" })

    const outcome = await gate.evaluate(check(keyHash))
    await gate.evaluate(check(keyHash))

    expect(outcome.kind).toBe('rate_limited')
    expect(await loadDays(organizationId)).toEqual([{ date: lastMonth, used: 2 }])
    expect(await loadCounter(organizationId)).toMatchObject({ day: today, day_used: 0, month_used: 0 })
  })
})

describe('when the clock steps back', () => {
  it('the gate counts in the stored second while the clock is a little behind', async () => {
    await using gate = openGate({ clock })
    const { keyHash, organizationId } = await seedVendor({ rateLimit: 10 })
    await setCounter(organizationId, { second: `'2026-11-15 12:00:03Z'`, second_used: '8', day: `'${today}'` })

    const outcomes = await Promise.all(Array.from({ length: 4 }, () => gate.evaluate(check(keyHash))))

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'rate_limited', 'rate_limited'])
    const second = new Date('2026-11-15T12:00:03Z')
    expect(await loadCounter(organizationId)).toMatchObject({ second, second_used: 10, day_used: 2 })
  })

  it('the gate counts in the stored month while the clock is a little before the start of this month', async () => {
    await using gate = openGate({ clock: `timestamptz '2026-11-30 23:59:57.5Z'` })
    const { keyHash, organizationId } = await seedVendor({ allotment: 5 })
    await fillNovember(organizationId)
    const second = `'${nextMonth} 00:00:00Z'`
    await setCounter(organizationId, { second, day: `'${nextMonth}'`, day_used: '4', month_used: '4' })

    const outcomes = [await gate.evaluate(check(keyHash)), await gate.evaluate(check(keyHash))]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'exhausted'])
    expect(await loadCounter(organizationId)).toMatchObject({ day: nextMonth, day_used: 5, month_used: 5 })
  })

  it('the gate restarts the count of a second at 0 after a big step, so that no organization is locked out', async () => {
    await using gate = openGate({ clock })
    const { keyHash, organizationId } = await seedVendor({ rateLimit: 10 })
    await setCounter(organizationId, { second: `'2026-11-15 13:00:00Z'`, second_used: '10', day: `'${today}'` })

    expect((await gate.evaluate(check(keyHash))).kind).toBe('granted')
    expect(await loadCounter(organizationId)).toMatchObject({ second_used: 1, day_used: 1 })
  })

  it('the gate restores the count of the earlier month if the step crosses the start of a month', async () => {
    await using gate = openGate({ clock })
    const { keyHash, organizationId } = await seedVendor({ allotment: 18 })
    await fillNovember(organizationId)
    const second = `'${nextMonth} 00:00:00Z'`
    await setCounter(organizationId, { second, day: `'${nextMonth}'`, day_used: '4', month_used: '4' })

    const outcomes = [await gate.evaluate(check(keyHash)), await gate.evaluate(check(keyHash))]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'exhausted'])
    expect(await loadCounter(organizationId)).toMatchObject({ day: today, day_used: 1, month_used: 18 })
    expect((await loadDays(organizationId)).at(-1)).toEqual({ date: nextMonth, used: 4 })
  })
})
