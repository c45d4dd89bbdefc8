import { movedType, organizationIsMoving } from '../access/moving.ts'
import type { ChangeFeed } from './feed.ts'
import type { FollowerOptions } from './follower.ts'
import type { Cursor } from './position.ts'
import type { Change, ChangesRead } from './read-changes.ts'

/** Changes, and the cursor to continue from. `isReset`: the client must drop everything that it has cached. */
export type ChangesPage = { changes: readonly Change[]; cursor: Cursor; hasMore: boolean; isReset: boolean }

export type FollowRequest = FollowerOptions & {
  /** The cursor to start from; null: the current one. */
  after: Cursor | null
  /** The most changes of a page. */
  limit: number
  /** Older cursors are refused by a reset. */
  retentionMs: number
  /** Runs a read in the organization's turn. */
  inQueue<Result>(read: () => Promise<Result>): Promise<Result>
}

/** The changes after a cursor, read once. */
async function readPage(feed: ChangeFeed, following: FollowRequest): Promise<ChangesPage> {
  const { organizationId, own, after, limit, retentionMs, inQueue } = following
  const whose = own ?? [organizationId]
  const read = await inQueue(() => feed.read(whose, after?.position ?? null, limit))
  const isReset = after !== null && isOutdated(after, read, retentionMs)
  assertServedHere(read.changes)
  const { changes, hasMore, plan, ...cursor } = isReset ? await inQueue(() => feed.read(whose, null, 1)) : read
  return { changes: own?.ofPage(changes, plan) ?? changes, cursor, hasMore, isReset }
}

/** 503 once another installation serves the organization: a follower must get no changes here that could be incomplete. */
function assertServedHere(changes: readonly Change[]): void {
  if (changes.some(({ type }) => type === movedType)) throw organizationIsMoving()
}

function isOutdated({ epoch, atMs, position }: Cursor, read: ChangesRead, retentionMs: number): boolean {
  return epoch !== read.epoch || read.atMs - atMs > retentionMs || position.next <= read.prunedUntil
}

/**
 * The changes after a cursor, and then later ones, until the signal aborts or the process stops. Pages without changes say that
 * nothing else has committed. Throws 401 or 403 once the credential has ended, and 503 when changes cannot be read.
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
      if (!following.own) feed.recordLastGiven(following.organizationId, page.changes)
      yield page
      if (page.hasMore) continue
      follower.followBatches(after.position)
      for (let live = await follower.next(); live; live = await follower.next()) {
        after = live.cursor
        assertServedHere(live.changes)
        const { own } = following
        const changes = own ? await own.ofLive(live.changes) : live.changes
        // None of the changes concern this subscriber, so it must not see them.
        if (changes.length === 0 && live.changes.length > 0) continue
        feed.recordSent(changes)
        follower.recordYield()
        yield { ...live, changes, hasMore: false }
      }
    }
    follower.assertAllowed()
  } finally {
    signal.removeEventListener('abort', leave)
    feed.leave(follower)
  }
}

/** The first changes after a cursor, or none if there are none within `waitMs`. */
export async function poll(
  feed: ChangeFeed,
  following: FollowRequest,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<ChangesPage> {
  if (waitMs === 0) return readPage(feed, following)
  const waited = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
  let last: ChangesPage | null = null
  for await (const page of follow(feed, following, waited)) {
    // Other reads may have found more changes than one page takes.
    if (page.changes.length > following.limit) break
    last = page
    if (page.changes.length > 0 || page.isReset) return page
  }
  return readPage(feed, { ...following, after: last?.cursor ?? following.after })
}
