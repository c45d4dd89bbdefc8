import { describe, expect, it } from 'vitest'
import { findProxy } from '../support/proxy-program.ts'
import { fronts, stopBehind } from '../tools/faults/stops/stop-behind.ts'

/* `npm run test:stops` stops the processes twenty times. */
describe('a stop of one of two processes fails no request', () => {
  for (const [name, front] of Object.entries(fronts)) {
    it(front ? `behind ${name}` : `of clients that ask ${name}`, async ({ skip }) => {
      if (front && findProxy(front.proxy) === null) return skip(`${front.proxy} is not installed`)

      expect(await stopBehind(name, 2)).toMatchObject({ stops: 2, failures: [] })
    }, 120_000)
  }
})
