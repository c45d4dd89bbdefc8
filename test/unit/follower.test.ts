import { afterEach, expect, it, vi } from 'vitest'
import { type Batch, Follower } from '../../src/changes/follower.ts'
import { OwnChanges } from '../../src/changes/own-changes.ts'
import type { Position } from '../../src/changes/position.ts'

afterEach(() => void vi.useRealTimers())

const organizationId = 'org'

function batchAt(position: Position, changes: object[] = []): Batch {
  return {
    sentAt: performance.now(),
    ofOrganization: new Map([[organizationId, changes as never]]),
    epoch: 'epoch',
    atMs: 0,
    position,
    isReset: false,
    hasMore: false,
  }
}

it("the position of a subscriber's follower never moves back to that of an earlier batch without its changes", async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const own = new OwnChanges({ organizationId, subscriberId: 'acme', readPlan: async () => null })
  const follower = new Follower({ organizationId, credential: 'key', own })
  follower.followBatches({ next: 990, running: [], after: '' })
  vi.advanceTimersByTime(3_000)
  // Transaction 990 is still running at the first batch.
  follower.offer(batchAt({ next: 1_000, running: [990], after: '' }))
  const change = {
    transactionId: 990,
    id: 'a',
    type: 'entitlements.stale',
    body: '{"subscriber_id":"acme"}',
    organizationId,
  }
  follower.offer(batchAt({ next: 1_000, running: [], after: '' }, [change]))
  const first = await follower.next()
  expect(first?.changes).toEqual([change])
  expect(first?.cursor.position).toEqual({ next: 1_000, running: [], after: '' })

  const second = follower.next()
  await vi.advanceTimersByTimeAsync(600)
  follower.offer(batchAt({ next: 1_000, running: [], after: '' }))
  await vi.advanceTimersByTimeAsync(600)

  expect((await second)?.cursor.position).toEqual({ next: 1_000, running: [], after: '' })
})
