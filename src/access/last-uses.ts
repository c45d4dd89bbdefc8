import type { Logger } from 'pino'
import type { Database } from '../database/client.ts'

/** Records when keys, console sessions and browser sign-ins were last used, at most once a minute each, in the background. */
export type LastUses = {
  /**
   * Records a use of the key with this SHA-256, in hexadecimal. The functions for sessions take the hash of the session's
   * token.
   */
  key(hash: string): void
  session(hash: string): void
  userSession(hash: string): void
  /** Writes the uses that have not been written yet. */
  close(): Promise<void>
}

const delayMs = 500
const intervalMs = 60_000
const maxRemembered = 100_000

/** SQL that records that members were seen. Locks rows in a fixed order, so that two processes never deadlock. */
const recordMembersSeen = (used: string) => `
  insert into member_last_seen (organization_id, member_id, seen_at)
  select organization_id, member_id, statement_timestamp() from ${used}
   group by organization_id, member_id order by organization_id, member_id
      on conflict (organization_id, member_id) do update set seen_at = excluded.seen_at`

// A write's shared lock on a key or session does not block these updates.
const statements = {
  key: `with used as (
          select organization_id, key_id, member_id from api_key
           where key_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)
             and (last_used_at is null or last_used_at < clock_timestamp() - interval '59 seconds')
           order by organization_id, key_id for no key update skip locked),
        seen as (${recordMembersSeen('used')})
        update api_key k set last_used_at = clock_timestamp() from used
         where k.organization_id = used.organization_id and k.key_id = used.key_id`,
  // A new session already has a last use, but its member may not have been seen before.
  session: `with requested as (
          select organization_id, console_session_id, member_id from console_session
           where session_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)),
        used as (
          select organization_id, console_session_id from console_session
           where session_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)
             and last_used_at < clock_timestamp() - interval '59 seconds'
           order by organization_id, console_session_id for no key update skip locked),
        seen as (${recordMembersSeen('requested')})
        update console_session s set last_used_at = clock_timestamp() from used
         where s.organization_id = used.organization_id and s.console_session_id = used.console_session_id`,
  userSession: `with used as (
          select user_session_id from user_session
           where session_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)
             and last_used_at < clock_timestamp() - interval '59 seconds'
           order by user_session_id for no key update skip locked)
        update user_session s set last_used_at = clock_timestamp() from used
         where s.user_session_id = used.user_session_id`,
}

type Kind = keyof typeof statements

const kinds = Object.keys(statements) as Kind[]

/** Writes all uses of a kind in one statement, half a second after the first one; each credential at most once a minute. */
export function createLastUses({ pool }: Database, logger: Pick<Logger, 'warn'>): LastUses {
  const uses = {
    key: new Map<string, number>(),
    session: new Map<string, number>(),
    userSession: new Map<string, number>(),
  }
  const unwrittenHashes = { key: new Set<string>(), session: new Set<string>(), userSession: new Set<string>() }
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  function recordUse(kind: Kind, hash: string): void {
    const writtenAt = uses[kind].get(hash)
    const now = performance.now()
    if (writtenAt !== undefined && now - writtenAt < intervalMs) return
    if (uses[kind].size >= maxRemembered) uses[kind].clear()
    uses[kind].set(hash, now)
    unwrittenHashes[kind].add(hash)
    timer ??= setTimeout(writeSoon, delayMs).unref()
  }

  function writeSoon(): void {
    timer = null
    writing = writing.then(write)
  }

  async function write(): Promise<void> {
    for (const kind of kinds) {
      if (unwrittenHashes[kind].size === 0) continue
      const hashes = [...unwrittenHashes[kind]]
      unwrittenHashes[kind].clear()
      try {
        await pool.query(statements[kind], [hashes])
      } catch (error) {
        // Forgets these uses, so that the next use of each credential is written.
        for (const hash of hashes) uses[kind].delete(hash)
        logger.warn({ err: error }, 'the last use of keys could not be written')
      }
    }
  }

  return {
    key: (hash) => recordUse('key', hash),
    session: (hash) => recordUse('session', hash),
    userSession: (hash) => recordUse('userSession', hash),
    async close() {
      if (timer) clearTimeout(timer)
      writeSoon()
      await writing
    },
  }
}
