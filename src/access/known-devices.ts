import { createHmac, timingSafeEqual } from 'node:crypto'
import { networkOf, unknownAddress } from '../core/network.ts'
import type { Database } from '../database/client.ts'
import type { KeySource } from '../database/master-key.ts'

/*
 * Remembers where a person has signed in before: browsers by a mark in a cookie, networks in the database. The only effect of a
 * known browser or network is that a sign-in waits in the queue of known people (password-queue.ts).
 */

/**
 * Makes and recognizes the mark in a person's browser. The mark depends on a secret key, so that nobody can compute another
 * person's mark.
 */
export type BrowserMarks = {
  of(userId: string): string
  is(mark: string | null, userId: string): boolean
}

export function createBrowserMarks(vault: KeySource): BrowserMarks {
  const key = vault.deriveKey('familiar-browser')
  const keys = [key, ...(vault.previous ? [vault.previous.deriveKey('familiar-browser')] : [])]
  return {
    of: (userId) => digestOf(userId, key).toString('base64url'),
    is(mark, userId) {
      const sentMark = Buffer.from(mark ?? '', 'base64url')
      return keys.some((each) => {
        const expected = digestOf(userId, each)
        return sentMark.length === expected.length && timingSafeEqual(sentMark, expected)
      })
    },
  }
}

function digestOf(userId: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(userId).digest()
}

/** How many networks are kept for a person, and for how many days. */
const maxNetworks = 20
const networkRetentionDays = 180

/** Records the network of a sign-in; writes at most once a day for each network. */
export async function rememberNetwork({ pool }: Database, userId: string, ip: string): Promise<void> {
  // All clients without a known address would seem to be in one network.
  if (ip === unknownAddress) return
  await pool.query({
    name: 'remember-network',
    text: `with remembered as (
             insert into sign_in_network as n (user_id, network, last_sign_in_at) values ($1, $2, now())
             on conflict (user_id, network) do update set last_sign_in_at = excluded.last_sign_in_at
               where n.last_sign_in_at < now() - interval '1 day'
             returning user_id)
           delete from sign_in_network
            where user_id in (select user_id from remembered) and network <> $2
              and (last_sign_in_at < now() - $4 * interval '1 day'
                or network not in (select network from sign_in_network where user_id = $1 and network <> $2
                                    order by last_sign_in_at desc, network limit $3 - 1))`,
    values: [userId, networkOf(ip), maxNetworks, networkRetentionDays],
  })
}
