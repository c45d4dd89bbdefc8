import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { conflict, forbidden, notFound, unavailable, validationError } from '../../src/core/errors.ts'
import { Refusals } from '../../src/recording/refusals.ts'

const member = (memberId: string, organizationId = 'acme') => ({ organizationId, memberId }) as Actor
const ada = member('ada')
const limited = expect.objectContaining({ code: 'RATE_LIMITED', details: { retry_after_seconds: 30 } })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:30.000Z') })
  return () => vi.useRealTimers()
})

/** Fails this many times with this error. */
async function refuse(refusals: Refusals, times: number, error: Error): Promise<void> {
  for (let time = 0; time < times; time++) await refusals.run(ada, () => Promise.reject(error)).catch(() => {})
}

const succeed = (refusals: Refusals, actor = ada) => refusals.run(actor, async () => 'done')

describe('refusals of one actor', () => {
  it('are limited to 600 in a minute, after which every request is 429 until the minute ends', async () => {
    const refusals = new Refusals()
    const errors = [
      forbidden([]),
      notFound('plan', 'x'),
      conflict({ field: 'key', value: 'x' }, ''),
      validationError([]),
    ]
    for (const error of errors) await refuse(refusals, 149, error)
    for (let time = 0; time < 3; time++) refusals.add(ada)

    await refuse(refusals, 1, notFound('plan', 'x'))

    await expect(succeed(refusals)).rejects.toEqual(limited)
    expect(() => refusals.add(ada)).toThrow(limited)
    vi.setSystemTime('2027-01-01T00:01:00.000Z')
    expect(await succeed(refusals)).toBe('done')
  })

  it('do not include successes or failures of the service', async () => {
    const refusals = new Refusals()

    for (let time = 0; time < 700; time++) {
      await succeed(refusals)
    }
    await refuse(refusals, 700, unavailable(''))
    await refuse(refusals, 700, new Error('unexpected'))

    expect(await succeed(refusals)).toBe('done')
  })

  it('do not count for another member, or for a member with the same id in another organization', async () => {
    const refusals = new Refusals()
    await refuse(refusals, 600, forbidden([]))

    expect(await succeed(refusals, member('bob'))).toBe('done')
    expect(await succeed(refusals, member('ada', 'globex'))).toBe('done')
  })

  it('are never more than 600, even if all requests run at once', async () => {
    const refusals = new Refusals()
    const run = vi.fn(() => Promise.reject(forbidden([])))

    await Promise.allSettled(Array.from({ length: 700 }, () => refusals.run(ada, run)))

    expect(run).toHaveBeenCalledTimes(600)
  })
})
