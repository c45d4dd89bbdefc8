import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import type { TokenSubject } from '../../src/access/subscriber-token.ts'
import { newId } from '../../src/core/ids.ts'
import { answerOf, countKinds, database, loadCounter, noon, openGate, seedVendor, setCounter } from './harness.ts'
import { seedFeature, seedSubscriber } from './seed.ts'

const check = (keyHash: string) => ({ keyHash, subscriberId: 'acme', features: ['seats'] })
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))

const readOnly = '-c default_transaction_read_only=on'

/** A gate whose connections are read-only until writes are allowed. */
function openReadOnlyGate(options: Parameters<typeof openGate>[0] = {}) {
  const application_name = `read-only ${newId()}`
  const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 4, options: readOnly, application_name })
  pool.on('connect', (client) => client.on('error', () => {}))
  const gate = openGate({ ...options, pool })
  return {
    ...gate,
    async allowWrites() {
      pool.options.options = ''
      await database.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        application_name,
      ])
    },
  }
}

async function loadUsedDays(organizationId: string): Promise<Record<string, number>> {
  const { rows } = await database.query(
    `select date::text, used::int from eval_usage_day where organization_id = $1 order by date`,
    [organizationId],
  )
  return Object.fromEntries(rows.map(({ date, used }) => [date, used]))
}

/** The evals of all days: those of the day in the counter's row, and those stored by day. */
async function loadUsed(organizationId: string): Promise<number> {
  const days = Object.values(await loadUsedDays(organizationId))
  return days.reduce((sum, used) => sum + used, (await loadCounter(organizationId)).day_used)
}

async function tokenSubjectOf(
  { organizationId }: { organizationId: string },
  subscriberId: string,
): Promise<TokenSubject> {
  const { rows } = await database.query(
    `select k.key_id as "keyId", s.created_at as "subscriberSince" from api_key k, subscriber s
      where k.organization_id = $1 and s.organization_id = $1 and s.subscriber_id = $2`,
    [organizationId, subscriberId],
  )
  return { organizationId, subscriberId, ...rows[0], expiresAt: new Date('2036-01-01T00:00:00Z') }
}

describe('while the database accepts no writes, an eval', () => {
  it('is answered as usual, and counted once writes are possible again', async () => {
    const mayEvaluate = (role: string) => role !== 'viewer'
    await using gate = openReadOnlyGate({ clock: noon, mayEvaluate })
    await using counting = openGate({ clock: noon, mayEvaluate })
    const vendor = await seedVendor()
    const forbidden = await seedVendor({ role: 'viewer' })
    const { keyHash } = vendor
    const tokenSubject = await tokenSubjectOf(vendor, 'acme')
    const evals = [
      check(keyHash),
      { ...check(keyHash), features: null },
      { ...check(keyHash), features: ['seats', 'gone'] },
      { ...check(keyHash), subscriberId: 'nobody' },
      { tokenSubject, subscriberId: 'acme', features: ['seats'] },
      check(Buffer.alloc(32, 7).toString('hex')),
      check(forbidden.keyHash),
    ]

    const answers = await Promise.all(evals.map(gate.evaluate))
    const alone = await gate.evaluate(check(keyHash))
    expect(answers.map(answerOf)).toEqual((await Promise.all(evals.map(counting.evaluate))).map(answerOf))
    expect(answerOf(alone)).toEqual(answerOf(answers[0] as never))
    expect(await loadCounter(vendor.organizationId)).toMatchObject({ day_used: 3, month_used: 3 })
    expect(gate.countUncounted()).toBe(4)

    await gate.allowWrites()
    await expect.poll(() => loadCounter(vendor.organizationId)).toMatchObject({ day_used: 7, month_used: 7 })
    await expect.poll(() => gate.countUncounted()).toBe(0)
    const counted = async () => {
      await gate.evaluate(check(keyHash))
      return (await loadCounter(vendor.organizationId)).second_used
    }
    await expect.poll(counted).toBeGreaterThan(0)
  })

  it('sees every write that was answered before', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const { organizationId, keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))

    await seedFeature(database, organizationId, { key: 'new', kind: 'flag' })

    const outcome = await gate.evaluate({ ...check(keyHash), features: ['new'] })
    expect(answerOf(outcome)).toMatchObject([{ feature: 'new', source: 'none' }])
  })

  it('counts against the rate limit in this process alone, whatever was used before', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const { organizationId, keyHash } = await seedVendor({ rateLimit: 10 })
    await setCounter(organizationId, { second: `date_trunc('second', ${noon})`, second_used: '10' })

    const first = await Promise.all(times(6, () => gate.evaluate(check(keyHash))))
    const second = await Promise.all(times(6, () => gate.evaluate({ ...check(keyHash), subscriberId: 'nobody' })))

    expect(countKinds(first)).toEqual({ granted: 6 })
    expect(second.map(({ kind }) => kind)).toEqual([
      ...times(4, () => 'unknown_subscriber'),
      'rate_limited',
      'rate_limited',
    ])
  })

  it('is refused once the allotment is used up, including the evals that are not counted yet', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const { organizationId, keyHash } = await seedVendor({ allotment: 5 })
    await setCounter(organizationId, { day: "'2026-11-15'", day_used: '2', month_used: '2' })

    const outcomes = await Promise.all(times(2, () => gate.evaluate(check(keyHash))))
    outcomes.push(...(await Promise.all(times(2, () => gate.evaluate(check(keyHash))))))

    expect(outcomes.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'granted', 'exhausted'])
    await gate.allowWrites()
    await expect.poll(() => loadUsed(organizationId)).toBe(5)
  })

  it('with a token is limited as usual, but in this process alone', async () => {
    await using gate = openReadOnlyGate({ clock: noon, tokenRateShare: 0.5 })
    const vendor = await seedVendor({ rateLimit: 16, allotment: 10 })
    await seedSubscriber(database, vendor.organizationId, 'other', 'pro')
    const [acme, other] = [await tokenSubjectOf(vendor, 'acme'), await tokenSubjectOf(vendor, 'other')]
    const ask = (tokenSubject: TokenSubject) =>
      gate.evaluate({ tokenSubject, subscriberId: tokenSubject.subscriberId, features: null })

    const ofAcme = await Promise.all(times(6, () => ask(acme)))
    const ofOther = await Promise.all(times(4, () => ask(other)))

    expect(countKinds(ofAcme)).toEqual({ granted: 5, subscriber_limited: 1 })
    expect(countKinds(ofOther)).toEqual({ granted: 3, tokens_limited: 1 })
  })

  it('with a token is refused once nine tenths of the allotment, rounded up, are used', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const vendor = await seedVendor({ allotment: 4 })
    const tokenSubject = await tokenSubjectOf(vendor, 'acme')

    const byToken = await Promise.all(
      times(5, () => gate.evaluate({ tokenSubject, subscriberId: 'acme', features: ['seats'] })),
    )

    expect(byToken.map(({ kind }) => kind)).toEqual([...times(4, () => 'granted'), 'tokens_exhausted'])
  })

  it('with a token leaves the last tenth of the allotment to keys', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const vendor = await seedVendor({ allotment: 20 })
    await setCounter(vendor.organizationId, {
      day: "'2026-11-15'",
      day_used: '17',
      month_used: '17',
    })
    const tokenSubject = await tokenSubjectOf(vendor, 'acme')

    const byToken = await Promise.all(
      times(2, () => gate.evaluate({ tokenSubject, subscriberId: 'acme', features: ['seats'] })),
    )
    const byKey = await Promise.all(times(3, () => gate.evaluate(check(vendor.keyHash))))

    expect(byToken.map(({ kind }) => kind)).toEqual(['granted', 'tokens_exhausted'])
    expect(byKey.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'exhausted'])
  })

  it('of many subscribers counts once for each known subscriber, or is refused', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const { organizationId } = await seedVendor({ allotment: 3 })
    await seedSubscriber(database, organizationId, 'other', 'pro')
    const bulk = () =>
      gate.evaluateMany({
        organizationId,
        share: { owner: organizationId, part: organizationId },
        subscriberIds: ['acme', 'nobody', 'other'],
        take: async (_, { entitlements }) => entitlements.count === 1,
      })

    expect(await bulk()).toEqual({ kind: 'granted', answered: 2, unknown: ['nobody'], leftOut: [] })
    expect(await bulk()).toEqual({ kind: 'exhausted', allotment: 3 })
    expect(gate.countUncounted()).toBe(2)
    await gate.allowWrites()
    await expect.poll(() => loadUsed(organizationId)).toBe(2)
  })

  it('that is granted but gets no answer is not counted', async () => {
    await using gate = openReadOnlyGate({ clock: noon })
    const { organizationId, keyHash } = await seedVendor()
    const [answeredEval, droppedEval] = await Promise.all(times(2, () => gate.evaluate(check(keyHash))))
    if (answeredEval?.kind !== 'granted' || droppedEval?.kind !== 'granted') throw new Error('not granted')

    gate.takeBack(droppedEval.entitlements)

    expect(gate.countUncounted()).toBe(1)
    await gate.allowWrites()
    await expect.poll(() => loadUsed(organizationId)).toBe(1)
  })

  it('counts for its own day and month, whenever it is added to the counts', async () => {
    const days = [
      { stored: '2026-11-14', month: 7 + 2, days: { '2026-11-15': 2 } },
      { stored: '2026-11-15', month: 7 + 2, days: {} },
      { stored: '2026-11-16', month: 7 + 2, days: { '2026-11-15': 2 } },
      { stored: '2026-10-31', month: 7, days: { '2026-11-15': 2 } },
      { stored: '2026-12-01', month: 7, days: { '2026-11-15': 2 } },
    ]
    for (const { stored, month, days: moved } of days) {
      await using gate = openReadOnlyGate({ clock: noon })
      const { organizationId, keyHash } = await seedVendor()
      await setCounter(organizationId, { day: `'${stored}'`, day_used: '7', month_used: '7' })
      await Promise.all(times(2, () => gate.evaluate(check(keyHash))))

      await gate.allowWrites()
      await expect.poll(() => gate.countUncounted()).toBe(0)
      expect(await loadCounter(organizationId)).toMatchObject({
        day: stored,
        day_used: stored === '2026-11-15' ? 9 : 7,
        month_used: month,
      })
      expect(await loadUsedDays(organizationId)).toEqual(moved)
    }
  })
})

it('a gate adds its uncounted evals to the counts when it closes', async () => {
  const gate = openReadOnlyGate({ clock: noon })
  const { organizationId, keyHash } = await seedVendor()
  await gate.evaluate(check(keyHash))

  await gate.allowWrites()
  await gate.close()

  // A close gives up waiting after two seconds, but the addition goes on.
  await expect.poll(() => loadUsed(organizationId)).toBe(1)
  await gate.pool.end()
})
