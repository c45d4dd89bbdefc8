import { describe, expect, it } from 'vitest'
import { database, loadCounter, nextSecond, openGate, seedVendor, setCounter } from './harness.ts'

const check = (keyHash: string) => ({ keyHash, subscriberId: 'acme', features: ['seats'] })
const today = `(clock_timestamp() at time zone 'UTC')::date`
const lastMonth = `(date_trunc('month', clock_timestamp() at time zone 'UTC') - interval '1 day')::date`

async function loadDays(organizationId: string): Promise<{ date: string; used: number }[]> {
  const { rows } = await database.query(
    `select date::text, used::int from eval_usage_day where organization_id = $1 order by date`,
    [organizationId],
  )
  return rows
}

async function dateOf(expression: string): Promise<string> {
  const { rows } = await database.query(`select (${expression})::text as date`)
  return rows[0].date
}

describe('when the day changes', () => {
  it('the gate moves the count to the past day, once', async () => {
    await using gate = openGate()
    const { keyHash, organizationId } = await seedVendor()
    const sameMonth = (await dateOf(today)).endsWith('-01') ? lastMonth : `${today} - 1`
    const carried = sameMonth === lastMonth ? 0 : 40
    await setCounter(organizationId, { day: sameMonth, day_used: '7', month_used: '40', second: "'epoch'" })

    await Promise.all([gate.evaluate(check(keyHash)), gate.evaluate(check(keyHash))])
    await gate.evaluate(check(keyHash))

    expect(await loadDays(organizationId)).toEqual([{ date: await dateOf(sameMonth), used: 7 }])
    expect(await loadCounter(organizationId)).toMatchObject({
      day: await dateOf(today),
      day_used: 3,
      month_used: carried + 3,
    })
  })

  it('the gate restarts month and allotment at 0 if the month changes too', async () => {
    await using gate = openGate()
    const { keyHash, organizationId } = await seedVendor({ allotment: 2 })
    await setCounter(organizationId, { day: lastMonth, day_used: '2', month_used: '2', second: "'epoch'" })

    const outcomes = [
      await gate.evaluate(check(keyHash)),
      await gate.evaluate(check(keyHash)),
      await gate.evaluate(check(keyHash)),
    ]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'exhausted'])
    expect(await loadDays(organizationId)).toEqual([{ date: await dateOf(lastMonth), used: 2 }])
    expect(await loadCounter(organizationId)).toMatchObject({ day_used: 2, month_used: 2 })
  })

  it('the gate moves the count also when the first eval of the new day is refused', { retry: 3 }, async () => {
    await using gate = openGate({ rateLimitPerSecond: 0 })
    const { keyHash, organizationId } = await seedVendor()
    await setCounter(organizationId, { day: lastMonth, day_used: '2', month_used: '2', second: "'epoch'" })

    const outcome = await gate.evaluate(check(keyHash))
    await gate.evaluate(check(keyHash))

    expect(outcome.kind).toBe('rate_limited')
    expect(await loadDays(organizationId)).toEqual([{ date: await dateOf(lastMonth), used: 2 }])
    expect(await loadCounter(organizationId)).toMatchObject({ day: await dateOf(today), day_used: 0, month_used: 0 })
  })
})

describe('when the clock goes back', () => {
  it('the gate counts in the stored second while the clock is a little behind', { retry: 3 }, async () => {
    await using gate = openGate()
    const { keyHash, organizationId } = await seedVendor({ rateLimit: 10 })
    await nextSecond()
    const ahead = `date_trunc('second', clock_timestamp()) + interval '3 s'`
    await setCounter(organizationId, { second: ahead, second_used: '8', day: today })
    const { second } = await loadCounter(organizationId)

    const outcomes = await Promise.all(Array.from({ length: 4 }, () => gate.evaluate(check(keyHash))))

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'rate_limited', 'rate_limited'])
    expect(await loadCounter(organizationId)).toMatchObject({ second, second_used: 10, day_used: 2 })
  })

  it('the gate starts again from 0 after a big step, so that nobody is locked out', async () => {
    await using gate = openGate()
    const { keyHash, organizationId } = await seedVendor({ rateLimit: 10 })
    const ahead = `date_trunc('second', clock_timestamp()) + interval '1 hour'`
    await setCounter(organizationId, { second: ahead, second_used: '10', day: today })

    expect((await gate.evaluate(check(keyHash))).kind).toBe('granted')
    expect(await loadCounter(organizationId)).toMatchObject({ second_used: 1, day_used: 1 })
  })

  it('the gate restores the month that it left, if the step crosses the start of a month', async () => {
    await using gate = openGate()
    const { keyHash, organizationId } = await seedVendor({ allotment: 18 })
    await database.query(
      `insert into eval_usage_day select $1, date_trunc('month', ${today}::timestamp)::date + day, 8 + day
       from generate_series(0, 1) day`,
      [organizationId],
    )
    const nextMonth = `(date_trunc('month', ${today}::timestamp) + interval '1 month')::date`
    await setCounter(organizationId, {
      day: nextMonth,
      day_used: '4',
      month_used: '4',
      second: `${nextMonth}::timestamp at time zone 'UTC'`,
    })
    // Within 5 s of the month's end, the stored second would still count.
    const outcomes = [await gate.evaluate(check(keyHash)), await gate.evaluate(check(keyHash))]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'exhausted'])
    expect(await loadCounter(organizationId)).toMatchObject({ day: await dateOf(today), day_used: 1, month_used: 18 })
    expect((await loadDays(organizationId)).at(-1)).toEqual({ date: await dateOf(nextMonth), used: 4 })
  })
})
