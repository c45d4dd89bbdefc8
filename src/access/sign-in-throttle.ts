import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DomainError } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import type { Database } from '../database/client.ts'
import type { CallerLookups } from './caller-lookups.ts'

const windowSeconds = 60
const maxPerAddress = 60
const maxPerEmailAndAddress = 8
const maxRemembered = 20_000
const addressLimit = { max: maxPerAddress, reason: 'Too many requests from your address.' }

/** Counts anonymous clients' requests across all processes; throws 429 if there are too many in a minute. */
export type SignInThrottle = {
  /**
   * Counts an attempt to sign in or up, successful or not: at most 60 from one address, and 8 from one address with the same
   * e-mail. The minute begins with the first attempt.
   */
  countSignIn(attempt: { email: string; ip: string }): Promise<void>
  /** Counts a step of a sign-in at the identity provider: at most 60 of each step from one address. */
  countProviderStep(step: 'start' | 'callback', ip: string): Promise<void>
  /**
   * Counts a read that anyone may make: at most 60 from one address. Counted separately from sign-in attempts, so that opening
   * the page does not use up attempts.
   */
  countOpenRead(ip: string): Promise<void>
  /** Counts a read of the public keys, in this process only, because it needs no database: at most 60 from one address. */
  countKeyRead(ip: string): void
}

/**
 * A minute as this process knows it: how many attempts it knows of (there may be more), and the minute's end by
 * `performance.now()`.
 */
type Minute = { attempts: number; endsAt: number }

type CountedAction = { what: string; ip: string; max: number; reason: string }

export function createSignInThrottle(
  { pool }: Database,
  lookups: Pick<CallerLookups, 'ofAnonymousClient'>,
): SignInThrottle {
  const minutes = new LRUCache<string, Minute>({ max: maxRemembered })

  /** Counts in this process first, so that most attempts of a flood are refused without the database. */
  async function count({ what, ip, max, reason }: CountedAction): Promise<void> {
    const minute = countHere({ what, max, reason })
    const { attempts, seconds_left: secondsLeft } = await lookups.ofAnonymousClient(ip, () =>
      countInDatabase(pool, what),
    )
    const endsAt = performance.now() + secondsLeft * 1000
    // The database may already be in the next minute when this process is not. Attempts of the earlier minute then no longer
    // count.
    const isNext = endsAt > minute.endsAt + 1_000
    minute.attempts = isNext ? attempts : Math.max(minute.attempts, attempts)
    minute.endsAt = endsAt
    assertBelowLimit({ ...minute, attempts }, max, reason)
  }

  function countHere({ what, max, reason }: Omit<CountedAction, 'ip'>): Minute {
    const minute = minuteOf(what)
    minute.attempts += 1
    assertBelowLimit(minute, max, reason)
    return minute
  }

  function minuteOf(what: string): Minute {
    const now = performance.now()
    const known = minutes.get(what)
    if (known && known.endsAt > now) return known
    const minute = { attempts: 0, endsAt: now + windowSeconds * 1000 }
    minutes.set(what, minute)
    return minute
  }

  return {
    async countSignIn({ email, ip }) {
      const network = networkOf(ip)
      const common = { ip, reason: 'Too many attempts to sign in.' }
      await count({ ...common, what: `address ${network}`, max: maxPerAddress })
      await count({ ...common, what: `e-mail ${network} ${email.toLowerCase()}`, max: maxPerEmailAndAddress })
    },
    countProviderStep: (step, ip) => count({ ip, what: `provider ${step} ${networkOf(ip)}`, ...addressLimit }),
    countOpenRead: (ip) => count({ ip, what: `open read ${networkOf(ip)}`, ...addressLimit }),
    countKeyRead: (ip) => void countHere({ what: `keys ${networkOf(ip)}`, ...addressLimit }),
  }
}

type Counter = { attempts: number; seconds_left: number }

async function countInDatabase(pool: Database['pool'], what: string): Promise<Counter> {
  const { rows } = await pool.query<Counter>({
    name: 'count-sign-in-attempt',
    text: `with old as (
             delete from sign_in_counter
              where counter_key in (select counter_key from sign_in_counter
                                     where window_started_at < now() - interval '10 minutes' and counter_key <> $1
                                     limit 20 for update skip locked))
           insert into sign_in_counter as c (counter_key, window_started_at, attempts)
           values ($1, clock_timestamp(), 1)
           on conflict (counter_key) do update set
             attempts = case when c.window_started_at > clock_timestamp() - $2 * interval '1 second'
                             then c.attempts + 1 else 1 end,
             window_started_at = case when c.window_started_at > clock_timestamp() - $2 * interval '1 second'
                                      then c.window_started_at else clock_timestamp() end
           returning attempts,
             (extract(epoch from window_started_at - clock_timestamp()) + $2)::float8 as seconds_left`,
    values: [createHash('sha256').update(what).digest(), windowSeconds],
  })
  return rows[0] as Counter
}

function assertBelowLimit({ attempts, endsAt }: Minute, max: number, reason: string): void {
  if (attempts <= max) return
  const secondsLeft = Math.ceil((endsAt - performance.now()) / 1000)
  const seconds = Math.min(Math.max(secondsLeft, 1), windowSeconds)
  throw new DomainError('RATE_LIMITED', `${reason} Try again in ${seconds} seconds.`, {
    retry_after_seconds: seconds,
  })
}
