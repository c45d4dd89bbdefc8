import type pg from 'pg'
import type { Logger } from 'pino'
import { newId } from '../core/ids.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import type { ChangeFeed, LastSentChange } from './feed.ts'

const publishIntervalMs = 5_000
/** Rows are written again after this time even if unchanged, to show that this process is alive. */
const refreshMs = 15_000
/** A row that has not been written for this long belongs to a process that has died. */
export const liveSeconds = 40
const quietMs = 60_000

/** The last published row of an organization. */
type PublishedRow = { followers: number; changeId: string | undefined; atMs: number }

type Options = { pool: pg.Pool; logger: Pick<Logger, 'warn'>; followersPublishedEveryMs?: number | undefined }

/**
 * Publishes in a table how many followers each organization has in this process, and the last change that was sent to them.
 * Returns a stop function, which sets the counts of this process to 0.
 */
export function publishFollowerCounts(
  feed: ChangeFeed,
  { pool, logger, followersPublishedEveryMs = publishIntervalMs }: Options,
): () => Promise<void> {
  const processId = newId()
  const published = new Map<string, PublishedRow>()
  const warn = warnAtIntervals(logger, quietMs)
  let publishing = Promise.resolve()

  async function publish(): Promise<void> {
    const now = performance.now()
    const counts = feed.followerCounts()
    const rows = [...new Set([...counts.keys(), ...published.keys()])].flatMap((organizationId) => {
      const [followers, last] = [counts.get(organizationId) ?? 0, feed.lastSentOf(organizationId)]
      const before = published.get(organizationId)
      const isSame = before?.followers === followers && before.changeId === last?.id
      if (isSame && (followers === 0 || now - before.atMs < refreshMs)) return []
      return { organizationId, followers, last }
    })
    if (rows.length === 0) return
    try {
      await write(pool, processId, rows)
      for (const { organizationId, followers, last } of rows) {
        if (followers === 0) published.delete(organizationId)
        else published.set(organizationId, { followers, changeId: last?.id, atMs: now })
      }
    } catch (error) {
      warn({ err: error }, 'the number of followers could not be written, so the console shows an outdated number')
    }
  }

  const timer = setInterval(() => {
    publishing = publishing.then(publish)
  }, followersPublishedEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await publishing
    await publish()
  }
}

type Row = { organizationId: string; followers: number; last: LastSentChange | undefined }

async function write(pool: pg.Pool, processId: string, rows: readonly Row[]): Promise<void> {
  await pool.query({
    name: 'tell-followers',
    text: `insert into follower_count as told
             (organization_id, process_id, followers, transaction_id, change_id, handed_out_at, told_at)
           select organization_id, $1, followers, transaction_id, change_id, handed_out_at, clock_timestamp()
             from unnest($2::text[], $3::int[], $4::bigint[], $5::text[], $6::timestamptz[])
               as now (organization_id, followers, transaction_id, change_id, handed_out_at)
           on conflict (organization_id, process_id) do update set followers = excluded.followers,
             transaction_id = excluded.transaction_id, change_id = excluded.change_id,
             handed_out_at = excluded.handed_out_at, told_at = excluded.told_at`,
    values: [
      processId,
      rows.map(({ organizationId }) => organizationId),
      rows.map(({ followers }) => followers),
      rows.map(({ last }) => last?.transactionId ?? null),
      rows.map(({ last }) => last?.id ?? null),
      rows.map(({ last }) => (last ? new Date(last.atMs) : null)),
    ],
  })
}
