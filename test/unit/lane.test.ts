import { beforeEach, describe, expect, it, vi } from 'vitest'
import { AdaptiveLimit } from '../../worker/adaptive-limit.ts'
import { Lane, type LaneOptions } from '../../worker/lane.ts'
import type { Claimed, ClaimRequest } from '../../worker/lane-store.ts'
import type { FinishedAttempt } from '../../worker/record-attempts.ts'
import type { SendResult } from '../../worker/send.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  return () => vi.useRealTimers()
})

/** Advances the timers by this time, and lets the effects happen. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const acknowledged: SendResult = { status: 200, error: null, answer: null, headers: null }

const refused: SendResult = { status: 500, error: 'refused', answer: null, headers: null }

type StartedAttempt = {
  eventId: string
  leftMs: number
  mayLeave: () => boolean
  onWritten?: () => void
  answer: (result: SendResult) => void
}

/** A lane whose attempts the test answers; their requests are written at once, unless the test writes them. */
function startLane({
  isWritten = true,
  hasFreeSlot = () => true,
}: {
  isWritten?: boolean
  hasFreeSlot?: LaneOptions['hasFreeSlot']
} = {}) {
  const begun: StartedAttempt[] = []
  const finished: FinishedAttempt[] = []
  const options: LaneOptions = {
    organizationId: 'acme',
    timeoutMs: 5000,
    limit: new AdaptiveLimit(32),
    hasFreeSlot,
    attempt: ({ eventId }, limits) =>
      new Promise((answer) => {
        begun.push({ eventId, ...limits, answer })
        if (isWritten) limits.onWritten?.()
      }),
    onFinished: (attempt) => void finished.push(attempt),
    onChange() {},
  }
  return { lane: new Lane(options), begun, finished }
}

/** Its subscriber is the first letter of its id. */
function event(eventId: string): Claimed {
  const url = 'http://receiver.example'
  const facts = { body: '{}', attempts: 0, once: false, queuedAt: null, url, sealedSecret: Buffer.alloc(0) }
  return { organizationId: 'acme', eventId, subscriber: eventId[0] as string, ...facts }
}

/** Answers a claim with these events, which may be sent within this time. */
function claim(lane: Lane, eventIds: string[], lifetimeMs = 1000): void {
  const wanted = lane.toClaim() as ClaimRequest
  lane.beginClaim()
  const until = performance.now() + lifetimeMs
  lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: eventIds.map(event) }, wanted, until)
}

const idsOf = (attempts: readonly { eventId: string }[]) => attempts.map(({ eventId }) => eventId)

describe('a lane', () => {
  it('begins each attempt of a subscriber after the previous one was answered, in order', async () => {
    const { lane, begun, finished } = startLane()

    claim(lane, ['a1', 'a2', 'a3'], 10_000)
    for (const count of [1, 2, 3]) {
      await pass(1000)
      expect(begun).toHaveLength(count)
      begun.at(-1)?.answer(acknowledged)
      await pass(0)
      expect(finished).toHaveLength(count)
    }

    expect(idsOf(begun)).toEqual(['a1', 'a2', 'a3'])
    expect(idsOf(finished)).toEqual(['a1', 'a2', 'a3'])
  })

  it('begins the next attempt of another subscriber once the previous request is written', async () => {
    const { lane, begun } = startLane({ isWritten: false })

    claim(lane, ['a', 'b', 'c'], 10_000)
    for (const count of [1, 2]) {
      await pass(1000)
      expect(begun).toHaveLength(count)
      begun.at(-1)?.onWritten?.()
      await pass(0)
    }

    expect(idsOf(begun)).toEqual(['a', 'b', 'c'])
  })

  it('passes over a subscriber whose attempt is under way, and goes back to it', async () => {
    const { lane, begun } = startLane()

    claim(lane, ['a1', 'a2', 'b1', 'b2', 'a3'])
    expect(idsOf(begun)).toEqual(['a1', 'b1'])
    begun[1]?.answer(acknowledged)
    await pass(0)
    begun[0]?.answer(acknowledged)
    await pass(0)

    expect(idsOf(begun)).toEqual(['a1', 'b1', 'b2', 'a2'])
  })

  it('has at most eight attempts under way at first, and one once all failed', async () => {
    const { lane, begun } = startLane()

    claim(lane, [...'abcdefghij'], 10_000)
    await pass(1000)
    expect(begun).toHaveLength(8)
    expect(lane.toClaim()).toBeNull()
    for (const each of [...begun]) each.answer(refused)
    await pass(0)

    expect(begun).toHaveLength(9)
    begun[8]?.answer(acknowledged)
    await pass(0)
    expect(begun).toHaveLength(10)
  })

  it('has one attempt under way while the process may have no more', async () => {
    const { lane, begun } = startLane({ hasFreeSlot: (ofOne) => ofOne === 0 })

    claim(lane, ['a', 'b'])
    expect(begun).toHaveLength(1)
    begun[0]?.answer(acknowledged)
    await pass(0)

    expect(begun).toHaveLength(2)
  })

  it('claims beyond the events of subscribers whose attempts are under way, and again once one is answered', async () => {
    const { lane, begun } = startLane()
    const { rows } = lane.toClaim() as ClaimRequest
    claim(
      lane,
      Array.from({ length: rows }, (_, index) => `a${index}`),
      10_000,
    )
    expect(lane.toClaim()).toMatchObject({ scan: 10_000, skipped: ['a'] })

    claim(lane, ['b0', 'c0'], 10_000)
    expect(idsOf(begun)).toEqual(['a0', 'b0', 'c0'])
    begun[0]?.answer(acknowledged)
    await pass(0)

    expect(lane.toClaim()).toMatchObject({ skipped: [] })
    claim(lane, ['b0', 'c0', 'a1', 'd0'], 10_000)
    expect(idsOf(begun)).toEqual(['a0', 'b0', 'c0', 'a1', 'd0'])
  })

  it('does not use a claim that skipped a subscriber whose next event has become the first meanwhile', async () => {
    const { lane, begun } = startLane()
    const { rows } = lane.toClaim() as ClaimRequest
    claim(lane, [...Array.from({ length: rows - 1 }, (_, index) => `a${index}`), 'b0'], 10_000)
    expect(idsOf(begun)).toEqual(['a0', 'b0'])
    const wanted = lane.toClaim() as ClaimRequest
    expect(wanted.skipped).toEqual(['a', 'b'])
    lane.beginClaim()
    begun[1]?.answer(acknowledged)
    await pass(0)

    lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: [event('c0')] }, wanted, performance.now() + 10_000)

    expect(idsOf(begun)).toEqual(['a0', 'b0'])
  })

  it('counts results in the order of the starts', async () => {
    const { lane, begun, finished } = startLane()
    claim(lane, ['a', 'b', 'c'])

    begun[1]?.answer(refused)
    await pass(0)
    expect(finished[0]?.counted).toEqual([])
    begun[0]?.answer(acknowledged)
    await pass(0)
    expect(idsOf(finished[1]?.counted ?? [])).toEqual(['a', 'b'])
    begun[2]?.answer(acknowledged)
    await pass(0)

    expect(idsOf(finished[2]?.counted ?? [])).toEqual(['c'])
  })

  it('drops claimed events once the claim has lapsed, and claims them again', async () => {
    const { lane, begun, finished } = startLane()

    claim(lane, ['a1', 'a2'], 30)
    expect(begun[0]?.mayLeave()).toBe(true)
    await pass(30)
    expect(begun[0]?.mayLeave()).toBe(false)
    begun[0]?.answer(acknowledged)
    await pass(0)

    expect(finished).toHaveLength(1)
    expect(begun.map(({ eventId }) => eventId)).toEqual(['a1'])
    expect(lane.toClaim()).not.toBeNull()
  })

  it('keeps counting the time-out of an attempt whose claim lapsed while it connected', async () => {
    const { lane, begun, finished } = startLane()
    claim(lane, ['a'], 30)
    const first = begun[0] as StartedAttempt
    await pass(30)
    first.answer('lapsed')
    await pass(0)
    expect(lane.toClaim()).not.toBeNull()
    expect(finished).toEqual([])

    claim(lane, ['a'])
    const second = begun[1] as StartedAttempt
    second.answer(acknowledged)
    await pass(0)

    expect(second.eventId).toBe('a')
    expect(second.leftMs).toBe(first.leftMs - 30)
    expect((finished[0]?.finishedAt ?? 0) - (finished[0]?.startedAt ?? 0)).toBe(30)
  })

  it('claims once more if it was woken while a claim was running', () => {
    const { lane } = startLane()
    const wanted = lane.toClaim() as ClaimRequest
    lane.beginClaim()
    expect(lane.toClaim()).toBeNull()

    lane.wake()
    lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: [] }, wanted, performance.now() + 250)

    expect(lane.isIdle).toBe(false)
    expect(lane.toClaim()).not.toBeNull()
  })

  it('does not resend an event that is claimed again before its attempt is recorded', async () => {
    const { lane, begun, finished } = startLane()
    claim(lane, ['a'])
    begun[0]?.answer(acknowledged)
    await pass(0)
    expect(finished).toHaveLength(1)
    expect(lane.isIdle).toBe(false)

    lane.wake()
    claim(lane, ['a'])
    expect(begun).toHaveLength(1)

    lane.setRecorded('a')
    expect(lane.isIdle).toBe(true)
  })
})
