import { describe, expect, it } from 'vitest'
import { deleteOldestAnswers } from '../../src/recording/idempotency-record.ts'
import { countStoredBytes } from '../../worker/jobs/count-stored-bytes.ts'
import { pruneIdempotencyRecords } from '../../worker/jobs/prune-idempotency-records.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { sendOnce } from '../support/repeated.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest()
const { pool, prisma } = test.service.database
const signal = new AbortController().signal
const clock = createTestClock()

const create = (caller: Caller, id: string, key = id) =>
  sendOnce(test.service.url, caller, ['POST', '/org/subscribers', { subscriber_id: id }], key)

const keysOf = async ({ organizationId }: Caller) => {
  const rows = await prisma.keptAnswer.findMany({ where: { organizationId }, orderBy: { reservedAt: 'asc' } })
  return rows.map(({ key }) => key)
}

/** Inserts old answers of this organization, of 16 KiB each, a second apart. */
const insertOldAnswers = ({ organizationId, memberId }: Caller, count: number) =>
  pool.query(
    `insert into kept_answer (organization_id, member_id, idempotency_key, request_hash, request_id, reserved_at, status, body)
     select $1, $2, 'old ' || n, '', '', clock_timestamp() - (1 + $3 - n) * interval '1 second', 201, repeat('x', 16384)
       from generate_series(1, $3::int) n`,
    [organizationId, memberId, count],
  )

const bytesOf = async ({ organizationId }: Caller) => {
  const { rows } = await pool.query(
    `select coalesce(sum(octet_length(body)), 0)::int as bytes from kept_answer where organization_id = $1`,
    [organizationId],
  )
  return rows[0].bytes as number
}

describe('stored answers of idempotency records', () => {
  it('are deleted after 24 hours, and not before', async () => {
    const caller = await test.service.organization()
    await create(caller, 'old')
    await pool.query(
      `update kept_answer set reserved_at = reserved_at - interval '24 hours' where organization_id = $1`,
      [caller.organizationId],
    )
    await create(caller, 'new')

    await pruneIdempotencyRecords({ pool, clock, signal })

    expect(await keysOf(caller)).toEqual(['new'])
  })

  it('of one organization are deleted, oldest first, when they exceed a size', async () => {
    const [caller, other] = [await test.service.organization(), await test.service.organization()]
    await insertOldAnswers(caller, 10)
    await insertOldAnswers(other, 10)

    expect(await deleteOldestAnswers(pool, caller.organizationId, 4 * (16_384 + 512))).toBe(6)

    expect(await keysOf(caller)).toEqual(['old 7', 'old 8', 'old 9', 'old 10'])
    expect(await keysOf(other)).toHaveLength(10)
  })

  it('stay below 64 MiB: after its first answer for an organization, a process deletes its oldest', async () => {
    const caller = await test.service.organization()
    await insertOldAnswers(caller, 5000)
    expect(await bytesOf(caller)).toBeGreaterThan(80_000_000)

    await create(caller, 'acme')

    await until(async () => (await bytesOf(caller)) < 64 * 1024 * 1024)
    const again = await create(caller, 'acme')
    expect(again).toMatchObject({ status: 201, replayed: 'true' })
  })

  it('count towards the stored bytes', async () => {
    const caller = await test.service.organization()
    const options = { pool, clock, signal, settledMs: 0 }
    const other = async () => {
      await prisma.storedBytes.deleteMany({ where: { organizationId: caller.organizationId } })
      await countStoredBytes(options, [caller.organizationId], 0)
      const row = await prisma.storedBytes.findUniqueOrThrow({ where: { organizationId: caller.organizationId } })
      return Number(row.other)
    }
    const before = await other()

    await create(caller, 'acme')

    expect((await other()) - before).toBeGreaterThan(400)
  })
})
