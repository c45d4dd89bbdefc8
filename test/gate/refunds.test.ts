import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { until } from '../support/until.ts'
import { countKinds, createClock, database, loadCounter, noon, openGate, seedVendor } from './harness.ts'

const check = (keyHash: string) => ({ keyHash, subscriberId: 'acme', features: ['seats'] })
const proxy = await startDatabaseProxy(inject('databaseUrl'))
afterAll(() => proxy.close())

/** Creates a gate behind the proxy, which gives up waiting for an answer after this time. */
function openGateBehindProxy(timeoutMs = 5000) {
  const limits = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }
  const pool = new pg.Pool({ connectionString: proxy.url, max: 3, ...limits })
  pool.on('connect', (client) => client.on('error', () => {}))
  return openGate({ pool, timeoutMs, clock: noon })
}

type SettledCheck = PromiseSettledResult<{ kind: string }>

function countGranted(settled: readonly SettledCheck[]): number {
  const answered = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  return countKinds(answered).granted ?? 0
}

async function expectUsed(organizationId: string, evals: number): Promise<void> {
  const used = async () => {
    const { month_used, day_used } = await loadCounter(organizationId)
    return { month_used, day_used }
  }
  await expect.poll(used).toEqual({ month_used: evals, day_used: evals })
}

describe('an eval without an answer does not count against the allotment', () => {
  it('when the connection is lost after its statement was executed', async () => {
    await using gate = openGateBehindProxy()
    const { organizationId, keyHash } = await seedVendor({ allotment: 100 })
    const other = await seedVendor()
    await gate.evaluate(check(keyHash))

    const lost = proxy.trapNext('eval-gate', 'cut after commit')
    const evals = Promise.allSettled([check(keyHash), check(other.keyHash), check(keyHash)].map(gate.evaluate))
    await lost
    expect((await evals).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])

    await expectUsed(organizationId, 1)
    await expectUsed(other.organizationId, 0)
    expect((await gate.evaluate(check(keyHash))).kind).toBe('granted')
    await expectUsed(organizationId, 2)
  })

  it("when the database's answer comes too late", async () => {
    await using gate = openGateBehindProxy()
    const { organizationId, keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))

    const isHeld = proxy.trapNext('eval-gate', 'hold after commit')
    const evaluated = gate.evaluate(check(keyHash))
    await isHeld
    await expect(evaluated).rejects.toThrow('timeout')

    await expectUsed(organizationId, 1)
  })

  it('when its statement reaches the database only after the eval was refused with 503', async () => {
    await using gate = openGateBehindProxy()
    const { organizationId, keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))

    const isHeld = proxy.trapNext('eval-gate', 'lose before commit')
    const evaluated = gate.evaluate(check(keyHash))
    await isHeld
    await expect(evaluated).rejects.toThrow('timeout')
    const refused = async () =>
      (
        await database.query(
          `select from eval_batch where refused > 0
              and gate_id = (select gate_id from eval_batch where granted like $1 || ' %' order by number limit 1)`,
          [organizationId],
        )
      ).rowCount
    await expect.poll(refused).toBe(1)
    proxy.deliverHeld()
    proxy.cutHeld()

    // After a later statement on the same row, only the two granted evals are counted.
    expect((await gate.evaluate(check(keyHash))).kind).toBe('granted')
    await expectUsed(organizationId, 2)
  })

  it('when the database cannot be reached for a while', async () => {
    await using gate = openGateBehindProxy()
    const { organizationId, keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))

    const lost = proxy.trapNext('eval-gate', 'cut after commit')
    const evaluated = gate.evaluate(check(keyHash))
    await lost
    proxy.refuseConnections()
    await expect(evaluated).rejects.toThrow()
    await expect(gate.evaluate(check(keyHash))).rejects.toThrow()
    expect(await loadCounter(organizationId)).toMatchObject({ month_used: 2 })
    proxy.open()

    await expectUsed(organizationId, 1)
  })

  it('when its day, or its month, has ended meanwhile', async () => {
    const days = [
      { day: '2026-11-15', next: '2026-11-16', month_used: 2 },
      { day: '2026-11-30', next: '2026-12-01', month_used: 1 },
    ]
    for (const { day, next, month_used } of days) {
      const { clock, set } = await createClock(Date.parse(`${day}T23:59:50Z`) / 1000)
      await using gate = openGate({ clock })
      const { organizationId, keyHash } = await seedVendor({ allotment: 3 })
      const [, unanswered] = [await gate.evaluate(check(keyHash)), await gate.evaluate(check(keyHash))]
      await set(Date.parse(`${next}T00:00:10Z`) / 1000)
      await gate.evaluate(check(keyHash))

      if (unanswered.kind !== 'granted') throw new Error(`the eval was ${unanswered.kind}`)
      gate.takeBack(unanswered.entitlements)
      const usedBefore = async () => {
        const { rows } = await database.query(
          'select date::text, used::int from eval_usage_day where organization_id = $1',
          [organizationId],
        )
        return rows
      }
      await expect.poll(usedBefore).toEqual([{ date: day, used: 1 }])
      expect(await loadCounter(organizationId)).toMatchObject({ day: next, day_used: 1, month_used })
    }
  })

  it('when the database is overloaded, so that exactly the granted evals are counted', async () => {
    await using gate = openGateBehindProxy(1000)
    const { organizationId, keyHash } = await seedVendor({ allotment: 3000 })

    const settled: SettledCheck[] = []
    for (let round = 0; round < 40; round++) {
      const evals = Promise.allSettled(Array.from({ length: 150 }, () => gate.evaluate(check(keyHash))))
      // Some statements are executed, and their answers are lost.
      if (round % 4 === 0) {
        // No statement is sent if no connection was free in time.
        await Promise.race([proxy.trapNext('eval-gate', 'hold after commit'), evals])
        proxy.cutHeld()
      }
      settled.push(...(await evals))
      proxy.disarm()
    }

    const failed = settled.filter(({ status }) => status === 'rejected')
    expect(failed.length).toBeGreaterThan(0)
    await expectUsed(organizationId, countGranted(settled))
    // The refunded evals can be used again.
    await until(async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 150 }, () => gate.evaluate(check(keyHash))))
      const isExhausted = outcomes.some((each) => each.status === 'fulfilled' && each.value.kind === 'exhausted')
      // Evals that got no answer even now are refunded only after the others were refused.
      return isExhausted && (await loadCounter(organizationId)).month_used === 3000
    })
    await expectUsed(organizationId, 3000)
  })
})
