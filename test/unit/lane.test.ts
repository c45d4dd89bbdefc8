import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Lane, type LaneOptions } from '../../worker/lane.ts'
import type { Claimed } from '../../worker/lane-store.ts'
import type { FinishedAttempt } from '../../worker/record-attempts.ts'
import type { SendResult } from '../../worker/send.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  return () => vi.useRealTimers()
})

/** Advances the timers by this time, and lets the effects happen. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const acknowledged: SendResult = { status: 200, error: null, answer: null, headers: null }

type Begun = { eventId: string; leftMs: number; mayLeave: () => boolean; answer: (result: SendResult) => void }

/** A lane whose attempts the test answers. */
function startLane() {
  const begun: Begun[] = []
  const finished: FinishedAttempt[] = []
  const options: LaneOptions = {
    organizationId: 'acme',
    timeoutMs: 5000,
    attempt: ({ eventId }, limits) => new Promise((answer) => begun.push({ eventId, ...limits, answer })),
    onFinished: (attempt) => void finished.push(attempt),
    onChange() {},
  }
  return { lane: new Lane(options), begun, finished }
}

function event(eventId: string): Claimed {
  const url = 'http://receiver.example'
  const facts = { body: '{}', attempts: 0, once: false, queuedAt: null, url, sealedSecret: Buffer.alloc(0) }
  return { organizationId: 'acme', eventId, ...facts }
}

/** Answers a claim with these events, which may be sent within this time. */
function claim(lane: Lane, eventIds: string[], lifetimeMs = 1000): void {
  const rows = lane.rowsToClaim()
  lane.beginClaim()
  const until = performance.now() + lifetimeMs
  lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: eventIds.map(event) }, rows, until)
}

describe('a lane', () => {
  it('begins each attempt after the previous one was answered, in order', async () => {
    const { lane, begun, finished } = startLane()

    claim(lane, ['a', 'b', 'c'])
    for (const count of [1, 2, 3]) {
      expect(begun).toHaveLength(count)
      begun.at(-1)?.answer(acknowledged)
      await pass(0)
      expect(finished).toHaveLength(count)
    }

    expect(begun.map(({ eventId }) => eventId)).toEqual(['a', 'b', 'c'])
    expect(finished.map(({ eventId }) => eventId)).toEqual(['a', 'b', 'c'])
  })

  it('begins the next attempt after a tenth of a second without an answer, with at most eight at once', async () => {
    const { lane, begun } = startLane()

    claim(lane, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'], 10_000)
    for (let count = 1; count < 8; count++) {
      await pass(99)
      expect(begun).toHaveLength(count)
      await pass(1)
      expect(begun).toHaveLength(count + 1)
    }
    await pass(1000)
    expect(begun).toHaveLength(8)

    expect(lane.rowsToClaim()).toBe(0)
    begun[0]?.answer(acknowledged)
    await pass(0)
    expect(begun).toHaveLength(9)
  })

  it('drops claimed events once the claim has lapsed, and claims them again', async () => {
    const { lane, begun, finished } = startLane()

    claim(lane, ['a', 'b'], 30)
    expect(begun[0]?.mayLeave()).toBe(true)
    await pass(30)
    expect(begun[0]?.mayLeave()).toBe(false)
    begun[0]?.answer(acknowledged)
    await pass(0)

    expect(finished).toHaveLength(1)
    expect(begun.map(({ eventId }) => eventId)).toEqual(['a'])
    expect(lane.rowsToClaim()).toBeGreaterThan(0)
  })

  it('keeps counting the time-out of an attempt whose claim lapsed while it connected', async () => {
    const { lane, begun, finished } = startLane()
    claim(lane, ['a'], 30)
    const first = begun[0] as Begun
    await pass(30)
    first.answer('lapsed')
    await pass(0)
    expect(lane.rowsToClaim()).toBeGreaterThan(0)
    expect(finished).toEqual([])

    claim(lane, ['a'])
    const second = begun[1] as Begun
    second.answer(acknowledged)
    await pass(0)

    expect(second.eventId).toBe('a')
    expect(second.leftMs).toBe(first.leftMs - 30)
    expect((finished[0]?.finishedAt ?? 0) - (finished[0]?.startedAt ?? 0)).toBe(30)
  })

  it('claims once more if it was woken while a claim was running', () => {
    const { lane } = startLane()
    const rows = lane.rowsToClaim()
    lane.beginClaim()
    expect(lane.rowsToClaim()).toBe(0)

    lane.wake()
    lane.setClaimed({ organizationId: 'acme', woken: '0', claimed: [] }, rows, performance.now() + 250)

    expect(lane.isIdle).toBe(false)
    expect(lane.rowsToClaim()).toBeGreaterThan(0)
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
