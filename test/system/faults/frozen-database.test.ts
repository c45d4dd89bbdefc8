import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startServiceBehindProxy } from '../../support/behind-proxy.ts'
import { limitOf } from '../../support/limit-of.ts'
import {
  expectTrueLedger,
  startReading,
  startWriting,
  type Timing,
  type WrittenValue,
} from '../../tools/faults/ledger.ts'

const { proxy, service, direct } = await startServiceBehindProxy()

/** With FAULTS=long, more rounds of each test. */
const rounds = process.env.FAULTS === 'long' ? 12 : 1
/** The longest time that an answer may take: ten seconds, and much more on a slow machine. */
const patienceMs = limitOf(60_000)

function report(what: string, answers: Timing[]): void {
  const refused = answers.filter(({ status }) => status === 503).length
  console.log(`${what}: ${answers.length} answers, ${refused} of them 503, the slowest after ${slowestMs(answers)} ms`)
}

function slowestMs(answers: Timing[]): number {
  return Math.round(Math.max(...answers.map(({ tookMs }) => tookMs)))
}

const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200

describe('a database that freezes under load', () => {
  it.each([
    ['comes back with what was sent meanwhile', { failover: false }],
    ['is replaced without notice to connected clients', { failover: true }],
  ])('and %s loses no write, records no write wrongly, and delays no write for long', async (what, how) => {
    const [written, read]: [WrittenValue[], Timing[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const admin = await service.organization()
      await admin.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
      await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
      const [writing, reading] = [startWriting(admin, 20), startReading(admin, 5)]
      await expect.poll(() => writing.ledger.length).toBeGreaterThan(20 + 7 * round)

      proxy.freeze()
      await wait(7_000 + 3_000 * round)
      proxy.thaw(how)
      const { length } = writing.ledger
      await expect.poll(isReady).toBe(true)
      const successes = () => writing.ledger.slice(length).filter(({ status }) => status === 201).length
      await expect.poll(successes).toBeGreaterThan(20)
      await Promise.all([writing.end(), reading.end()])

      expect(new Set(writing.ledger.map(({ status }) => status))).toEqual(new Set([201, 503]))
      expect(new Set(reading.answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
      expect(slowestMs([...writing.ledger, ...reading.answers])).toBeLessThan(patienceMs)
      await expectTrueLedger(direct, admin, writing.ledger)
      written.push(...writing.ledger)
      read.push(...reading.answers)
    }
    report(`writes, when it ${what}`, written)
    report(`reads and checks, when it ${what}`, read)
  })

  it('fails only requests already waiting on dead connections: the first failure closes the idle connections', async () => {
    const admin = await service.organization()
    await Promise.all(Array.from({ length: 8 }, () => service.ownDatabase.pool.query('select pg_sleep(0.2)')))
    proxy.freeze()
    proxy.thaw({ failover: true })

    const refused = await admin.rest('GET', '/org')
    const next = await admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })

    expect([refused.status, next.status]).toEqual([503, 201])
  })

  it('fails all fields of a GraphQL request immediately after one has timed out', async () => {
    const admin = await service.organization()
    const fields = Array.from(
      { length: 10 },
      (_, n) => `f${n}: createFeature(input: { key: "f${n}", name: "F", kind: FLAG }) { key }`,
    )
    void proxy.trapNext('record-organization-pending', 'hold before commit')
    const beganAt = performance.now()
    const { body } = await admin.graphql(`mutation { ${fields.join(' ')} }`)
    const tookMs = performance.now() - beganAt
    proxy.cutHeld()

    expect(body.errors.map((error: { extensions: { status: number } }) => error.extensions.status)).toEqual(
      fields.map(() => 503),
    )
    expect(tookMs).toBeLessThan(patienceMs)
  })
})

describe('an entry whose insert got no reply', () => {
  const entriesOf = async (organizationId: string) => {
    const sql = 'select outcome, status from audit_event where organization_id = $1'
    return (await direct.query(sql, [organizationId])).rows
  }

  it.each(['cut before commit', 'cut after commit'] as const)(
    'finally gets status 503 if its connection was %s of the insert',
    async (trap) => {
      const admin = await service.organization()

      const sprung = proxy.trapNext('record-organization-pending', trap)
      const answer = await admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })
      await sprung

      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      await expect.poll(() => entriesOf(admin.organizationId)).toEqual([{ outcome: 'responded', status: 503 }])
    },
  )
})
