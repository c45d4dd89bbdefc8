import { describe, expect, it } from 'vitest'
import { AdaptiveLimit } from '../../worker/adaptive-limit.ts'

/** A receiver's answers, one after the other. */
function startAnswers(maximum: number) {
  const limit = new AdaptiveLimit(maximum)
  let now = 0
  return {
    limit,
    answer(count: number, { acknowledged = true, tookMs = 60 } = {}) {
      for (let i = 0; i < count; i++) {
        limit.adaptTo({ acknowledged, startedAt: now, finishedAt: now + tookMs })
        now += tookMs
      }
    },
  }
}

describe('the limit of attempts in flight', () => {
  it('is eight at first, or the maximum if that is lower', () => {
    expect(new AdaptiveLimit(32).value).toBe(8)
    expect(new AdaptiveLimit(3).value).toBe(3)
  })

  it('rises after every few acknowledged attempts, up to the maximum', () => {
    const { limit, answer } = startAnswers(10)
    answer(4)
    expect(limit.value).toBe(9)
    answer(100)
    expect(limit.value).toBe(10)
  })

  it('is halved by each failure, down to one, and rises again', () => {
    const { limit, answer } = startAnswers(32)
    answer(1, { acknowledged: false })
    expect(limit.value).toBe(4)
    answer(10, { acknowledged: false })
    expect(limit.value).toBe(1)
    answer(200)
    expect(limit.value).toBe(32)
  })

  it('falls to one when answers take much longer than usual, and rises again once the slowness is usual', () => {
    const { limit, answer } = startAnswers(32)
    answer(200)
    expect(limit.value).toBe(32)
    answer(12, { tookMs: 1000 })
    expect(limit.value).toBe(1)
    answer(300, { tookMs: 1000 })
    expect(limit.value).toBe(32)
  })

  it('is halved only once for attempts that were in flight together', () => {
    const limit = new AdaptiveLimit(32)
    for (let i = 0; i < 96; i++) limit.adaptTo({ acknowledged: true, startedAt: i, finishedAt: i + 60 })
    expect(limit.value).toBe(32)
    for (let i = 0; i < 32; i++) limit.adaptTo({ acknowledged: true, startedAt: 200, finishedAt: 2200 + i })
    expect(limit.value).toBe(16)
  })

  it('does not drop when a receiver is always slow, or slow from time to time', () => {
    const { limit, answer } = startAnswers(32)
    answer(200, { tookMs: 3000 })
    expect(limit.value).toBe(32)
    const other = startAnswers(32)
    for (let i = 0; i < 100; i++) {
      other.answer(9, { tookMs: 60 })
      other.answer(1, { tookMs: 300 })
    }
    expect(other.limit.value).toBe(32)
  })
})
