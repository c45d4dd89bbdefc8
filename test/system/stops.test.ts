import { describe, expect, it } from 'vitest'
import { findProxy } from '../support/proxy-program.ts'
import { frontends, maxResetsPerStop, stopBehindFront } from '../tools/faults/stops/stop-behind-front.ts'

/* `npm run test:stops` stops the processes twenty times. */
describe('a stop of one of two processes fails no request', () => {
  for (const [name, front] of Object.entries(frontends)) {
    it(front ? `behind ${name}` : `of clients that ask ${name}`, async ({ skip }) => {
      if (front && findProxy(front.proxy) === null) return skip(`${front.proxy} is not installed`)

      const stopped = await stopBehindFront(name, 2)

      expect(stopped).toMatchObject({ stops: 2, failures: [] })
      expect(stopped.resets).toBeLessThanOrEqual(2 * (maxResetsPerStop[name] ?? 0))
    })
  }
})
