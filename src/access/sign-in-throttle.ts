import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { DomainError } from '../core/errors.ts'
import type { Database } from '../database/client.ts'

const windowSeconds = 60
const maxOfAddress = 60
const maxOfEmailAndAddress = 8

type Counter = { attempts: number; seconds_left: number }

/**
 * Counts an attempt to sign in or up, successful or not, over all processes; 429 when there were too many within a minute:
 * 60 from one address, 8 from one address with one e-mail. The minute begins with the first attempt.
 */
export async function countSignInAttempt(
  { pool }: Database,
  { email, ip }: { email: string; ip: string },
): Promise<void> {
  const network = networkOf(ip)
  const ofAddress = await count(pool, `address ${network}`)
  assertBelow(ofAddress, maxOfAddress, 'Too many attempts to sign in.')
  const ofEmail = await count(pool, `e-mail ${network} ${email.toLowerCase()}`)
  assertBelow(ofEmail, maxOfEmailAndAddress, 'Too many attempts to sign in.')
}

/**
 * Counts a request for what anyone may read; 429 after 60 from one address within a minute. Counted apart from attempts to
 * sign in, so that those who only open the page keep all of theirs.
 */
export async function countOpenRead({ pool }: Database, ip: string): Promise<void> {
  const ofAddress = await count(pool, `open read ${networkOf(ip)}`)
  assertBelow(ofAddress, maxOfAddress, 'Too many requests from your address.')
}

async function count(pool: Database['pool'], counted: string): Promise<Counter> {
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
             ceil(extract(epoch from window_started_at - clock_timestamp()) + $2)::int as seconds_left`,
    values: [createHash('sha256').update(counted).digest(), windowSeconds],
  })
  return rows[0] as Counter
}

function assertBelow({ attempts, seconds_left: secondsLeft }: Counter, max: number, reason: string): void {
  if (attempts <= max) return
  const seconds = Math.min(Math.max(secondsLeft, 1), windowSeconds)
  throw new DomainError('RATE_LIMITED', `${reason} Try again in ${seconds} seconds.`, {
    retry_after_seconds: seconds,
  })
}

/** An IPv6 address counts as its /64, which one caller owns as a whole. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
