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

/** Advances the timers by this time, and waits for the effects. */
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
  const started: StartedAttempt[] = []
  const finished: FinishedAttempt[] = []
  const options: LaneOptions = {
    organizationId: 'acme',
    timeoutMs: 5000,
    limit: new AdaptiveLimit(32),
    hasFreeSlot,
    attempt: ({ eventId }, limits) =>
      new Promise((answer) => {
        started.push({ eventId, ...limits, answer })
        if (isWritten) limits.onWritten?.()
      }),
    onFinished: (attempt) => void finished.push(attempt),
    onChange() {},
  }
  return { lane: new Lane(options), started, finished }
}

/** An event whose subscriber is the first letter of its id. */
function event(eventId: string): Claimed {
  const url = 'http://receiver.example'
  const facts = { body: '{}', attempts: 0, once: false, queuedAt: null, url, sealedSecret: Buffer.alloc(0) }
  return { organizationId: 'acme', eventId, subscriber: eventId[0] as string, ...facts }
}

/** Answers a claim with these events, which may be sent within this time. */
function claim(lane: Lane, eventIds: string[], lifetimeMs = 1000): void {
  const claimRequest = lane.toClaim() as ClaimRequest
  lane.beginClaim()
  const until = performance.now() + lifetimeMs
  lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: eventIds.map(event) }, claimRequest, until)
}

const idsOf = (attempts: readonly { eventId: string }[]) => attempts.map(({ eventId }) => eventId)

describe('a lane', () => {
  it('begins each attempt of a subscriber after the previous one was answered, in order', async () => {
    const { lane, started, finished } = startLane()

    claim(lane, ['a1', 'a2', 'a3'], 10_000)
    for (const count of [1, 2, 3]) {
      await pass(1000)
      expect(started).toHaveLength(count)
      started.at(-1)?.answer(acknowledged)
      await pass(0)
      expect(finished).toHaveLength(count)
    }

    expect(idsOf(started)).toEqual(['a1', 'a2', 'a3'])
    expect(idsOf(finished)).toEqual(['a1', 'a2', 'a3'])
  })

  it('begins the next attempt of another subscriber once the previous request is written', async () => {
    const { lane, started } = startLane({ isWritten: false })

    claim(lane, ['a', 'b', 'c'], 10_000)
    for (const count of [1, 2]) {
      await pass(1000)
      expect(started).toHaveLength(count)
      started.at(-1)?.onWritten?.()
      await pass(0)
    }

    expect(idsOf(started)).toEqual(['a', 'b', 'c'])
  })

  it('passes over a subscriber whose attempt is under way, and goes back to it', async () => {
    const { lane, started } = startLane()

    claim(lane, ['a1', 'a2', 'b1', 'b2', 'a3'])
    expect(idsOf(started)).toEqual(['a1', 'b1'])
    started[1]?.answer(acknowledged)
    await pass(0)
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(idsOf(started)).toEqual(['a1', 'b1', 'b2', 'a2'])
  })

  it('has at most eight attempts under way at first, and one once all failed', async () => {
    const { lane, started } = startLane()

    claim(lane, [...'abcdefghij'], 10_000)
    await pass(1000)
    expect(started).toHaveLength(8)
    expect(lane.toClaim()).toBeNull()
    for (const each of [...started]) each.answer(refused)
    await pass(0)

    expect(started).toHaveLength(9)
    started[8]?.answer(acknowledged)
    await pass(0)
    expect(started).toHaveLength(10)
  })

  it('has one attempt under way while the process may have no more', async () => {
    const { lane, started } = startLane({ hasFreeSlot: (ofOne) => ofOne === 0 })

    claim(lane, ['a', 'b'])
    expect(started).toHaveLength(1)
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(started).toHaveLength(2)
  })

  it('claims beyond the events of subscribers whose attempts are under way, and again once one is answered', async () => {
    const { lane, started } = startLane()
    const { rows } = lane.toClaim() as ClaimRequest
    claim(
      lane,
      Array.from({ length: rows }, (_, index) => `a${index}`),
      10_000,
    )
    expect(lane.toClaim()).toMatchObject({ scan: 10_000, skipped: ['a'] })

    claim(lane, ['b0', 'c0'], 10_000)
    expect(idsOf(started)).toEqual(['a0', 'b0', 'c0'])
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(lane.toClaim()).toMatchObject({ skipped: [] })
    claim(lane, ['b0', 'c0', 'a1', 'd0'], 10_000)
    expect(idsOf(started)).toEqual(['a0', 'b0', 'c0', 'a1', 'd0'])
  })

  it('does not use a claim that skipped a subscriber whose next event has become the first meanwhile', async () => {
    const { lane, started } = startLane()
    const { rows } = lane.toClaim() as ClaimRequest
    claim(lane, [...Array.from({ length: rows - 1 }, (_, index) => `a${index}`), 'b0'], 10_000)
    expect(idsOf(started)).toEqual(['a0', 'b0'])
    const claimRequest = lane.toClaim() as ClaimRequest
    expect(claimRequest.skipped).toEqual(['a', 'b'])
    lane.beginClaim()
    started[1]?.answer(acknowledged)
    await pass(0)

    lane.setClaimed(
      { organizationId: 'acme', woken: '0', claimed: [event('c0')] },
      claimRequest,
      performance.now() + 10_000,
    )

    expect(idsOf(started)).toEqual(['a0', 'b0'])
  })

  it('counts results in the order of the starts', async () => {
    const { lane, started, finished } = startLane()
    claim(lane, ['a', 'b', 'c'])

    started[1]?.answer(refused)
    await pass(0)
    expect(finished[0]?.counted).toEqual([])
    started[0]?.answer(acknowledged)
    await pass(0)
    expect(idsOf(finished[1]?.counted ?? [])).toEqual(['a', 'b'])
    started[2]?.answer(acknowledged)
    await pass(0)

    expect(idsOf(finished[2]?.counted ?? [])).toEqual(['c'])
  })

  it('drops claimed events once the claim has lapsed, and claims them again', async () => {
    const { lane, started, finished } = startLane()

    claim(lane, ['a1', 'a2'], 30)
    expect(started[0]?.mayLeave()).toBe(true)
    await pass(30)
    expect(started[0]?.mayLeave()).toBe(false)
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(finished).toHaveLength(1)
    expect(started.map(({ eventId }) => eventId)).toEqual(['a1'])
    expect(lane.toClaim()).not.toBeNull()
  })

  it('keeps counting the time-out of an attempt whose claim lapsed while it connected', async () => {
    const { lane, started, finished } = startLane()
    claim(lane, ['a'], 30)
    const first = started[0] as StartedAttempt
    await pass(30)
    first.answer('lapsed')
    await pass(0)
    expect(lane.toClaim()).not.toBeNull()
    expect(finished).toEqual([])

    claim(lane, ['a'])
    const second = started[1] as StartedAttempt
    second.answer(acknowledged)
    await pass(0)

    expect(second.eventId).toBe('a')
    expect(second.leftMs).toBe(first.leftMs - 30)
    expect((finished[0]?.finishedAt ?? 0) - (finished[0]?.startedAt ?? 0)).toBe(30)
  })

  it('claims once more if it was woken while a claim was running', () => {
    const { lane } = startLane()
    const claimRequest = lane.toClaim() as ClaimRequest
    lane.beginClaim()
    expect(lane.toClaim()).toBeNull()

    lane.wake()
    lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: [] }, claimRequest, performance.now() + 250)

    expect(lane.isIdle).toBe(false)
    expect(lane.toClaim()).not.toBeNull()
  })

  it('does not resend an event that is claimed again before its attempt is recorded', async () => {
    const { lane, started, finished } = startLane()
    claim(lane, ['a'])
    started[0]?.answer(acknowledged)
    await pass(0)
    expect(finished).toHaveLength(1)
    expect(lane.isIdle).toBe(false)

    lane.wake()
    claim(lane, ['a'])
    expect(started).toHaveLength(1)

    lane.setRecorded('a')
    expect(lane.isIdle).toBe(true)
  })
})
