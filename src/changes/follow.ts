import { organizationMovedType, organizationMoveInProgress } from '../access/organization-move.ts'
import type { ChangeFeed } from './feed.ts'
import type { FollowerOptions } from './follower.ts'
import type { Change, LoadedChanges } from './load-changes.ts'
import type { Cursor } from './position.ts'

/** Changes, and the cursor to continue from. `isReset`: the client must drop everything that it has cached. */
export type ChangesPage = { changes: readonly Change[]; cursor: Cursor; hasMore: boolean; isReset: boolean }

export type FollowRequest = FollowerOptions & {
  /** The cursor to start from; null for the current one. */
  after: Cursor | null
  /** The maximum number of changes in a page. */
  limit: number
  /** The maximum age of a cursor. An older cursor leads to a reset. */
  retentionMs: number
  /** Runs a read in a queue in which organizations take turns. */
  inQueue<Result>(read: () => Promise<Result>): Promise<Result>
}

/** Reads the changes after a cursor once. */
async function readPage(feed: ChangeFeed, followRequest: FollowRequest): Promise<ChangesPage> {
  const { organizationId, own, after, limit, retentionMs, inQueue } = followRequest
  const selection = own ?? [organizationId]
  const read = await inQueue(() => feed.read(selection, after?.position ?? null, limit))
  const isReset = after !== null && isOutdated(after, read, retentionMs)
  assertServedHere(read.changes)
  const { changes, hasMore, plan, ...cursor } = isReset ? await inQueue(() => feed.read(selection, null, 1)) : read
  return { changes: own?.convertPage(changes, plan) ?? changes, cursor, hasMore, isReset }
}

/** Throws 503 if another installation now serves the organization, because the changes here could be incomplete. */
function assertServedHere(changes: readonly Change[]): void {
  if (changes.some(({ type }) => type === organizationMovedType)) throw organizationMoveInProgress()
}

function isOutdated({ epoch, atMs, position }: Cursor, read: LoadedChanges, retentionMs: number): boolean {
  return epoch !== read.epoch || read.atMs - atMs > retentionMs || position.next <= read.prunedUntil
}

/**
 * Yields the changes after a cursor, and then new changes, until the signal aborts or the process stops. A page without changes
 * means that no change has committed. Throws 401 or 403 once the credential has ended, and 503 when changes cannot be read.
 */
export async function* follow(
  feed: ChangeFeed,
  following: FollowRequest,
  signal: AbortSignal,
): AsyncGenerator<ChangesPage, void> {
  const follower = await feed.join(following)
  const leave = () => follower.end(null)
  signal.addEventListener('abort', leave)
  try {
    let { after } = following
    while (!(follower.isEnded || signal.aborted)) {
      follower.beginReading()
      const page = await readPage(feed, { ...following, after })
      after = page.cursor
      if (!following.own) feed.recordLastSent(following.organizationId, page.changes)
      yield page
      if (page.hasMore) continue
      if (follower.recordPage(page)) yield { ...page, changes: [] }
      follower.followBatches(after.position)
      for (let batch = await follower.next(); batch; batch = await follower.next()) {
        after = batch.cursor
        assertServedHere(batch.changes)
        const { own } = following
        const changes = own ? await own.convertBatch(batch) : batch.changes
        // Even an empty page would reveal to this subscriber that the entitlements of others have changed.
        if (changes.length === 0 && batch.changes.length > 0) continue
        // A page without changes would say that this follower is up to date.
        if (changes.length === 0 && !batch.isReset && !batch.isCurrent) continue
        feed.measureSent(changes)
        const next = { ...batch, changes, hasMore: false }
        yield next
        if (batch.isCurrent && follower.recordPage(next)) yield { ...next, changes: [], isReset: false }
      }
    }
    follower.assertAllowed()
  } finally {
    signal.removeEventListener('abort', leave)
    feed.leave(follower)
  }
}

/** Returns the first changes after a cursor, or none if no change commits within `waitMs`. */
export async function poll(
  feed: ChangeFeed,
  following: FollowRequest,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<ChangesPage> {
  if (waitMs === 0) return readPage(feed, following)
  // Not `AbortSignal.any` with a timeout: without a listener, it may miss the timeout (nodejs/node#65995).
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, waitMs)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  let last: ChangesPage | null = null
  try {
    for await (const page of follow(feed, following, ending.signal)) {
      // A batch is read for all followers, and may have more changes than fit in this page.
      if (page.changes.length > following.limit) break
      last = page
      if (page.changes.length > 0 || page.isReset) return page
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return readPage(feed, { ...following, after: last?.cursor ?? following.after })
}
