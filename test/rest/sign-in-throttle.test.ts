import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSignInThrottle } from '../../src/access/sign-in-throttle.ts'
import { sharedService } from '../support/service.ts'

it('attempts do not count after their minute has ended, even if this process expects it to end later', async () => {
  const { database } = await sharedService()
  const throttle = createSignInThrottle(database, { ofAnonymousClient: (_ip, work) => work() })
  const attempt = { email: 'ada@example.org', ip: '192.0.2.77' }
  const counters = ['address 192.0.2.77', 'e-mail 192.0.2.77 ada@example.org']
  const keys = counters.map((name) => createHash('sha256').update(name).digest())
  const ageCounters = (seconds: number) =>
    database.pool.query(
      `update sign_in_counter set window_started_at = window_started_at - $2 * interval '1 second' where counter_key = any($1)`,
      [keys, seconds],
    )
  for (let count = 0; count < 6; count++) await throttle.countSignIn(attempt)
  await ageCounters(45)
  // This attempt reads the counters: from now on, the process expects the minute to end in 15 seconds.
  await throttle.countSignIn(attempt)
  await ageCounters(20)

  for (let count = 0; count < 8; count++) await throttle.countSignIn(attempt)
  await expect(throttle.countSignIn(attempt)).rejects.toThrow('Too many attempts to sign in.')
})
