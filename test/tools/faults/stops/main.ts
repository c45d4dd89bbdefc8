/**
 * npm run test:stops [-- --stops 20] [-- --only nginx]
 *
 * Repeatedly stops one of two API processes under load: called directly, and behind each proxy configuration in
 * docs/operations. Exits with code 1 when a request fails.
 */
import { parseArgs } from 'node:util'
import { findProxy } from '../../../support/proxy-program.ts'
import { frontends, maxResetsPerStop, stopBehindFront } from './stop-behind-front.ts'

// On exit, everything that was started ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values } = parseArgs({ options: { stops: { type: 'string', default: '20' }, only: { type: 'string' } } })
for (const [name, front] of Object.entries(frontends)) {
  if (!new RegExp(values.only ?? '').test(name)) continue
  if (front && findProxy(front.proxy) === null) {
    console.log(`${name}: ${front.proxy} is not installed`)
    continue
  }
  const { stops, requests, resets, failures } = await stopBehindFront(name, Number(values.stops))
  console.log(`${name}: ${stops} stops, ${requests} requests, ${resets} reset, ${failures.length} failed`)
  for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`)
  if (failures.length > 0 || resets > stops * (maxResetsPerStop[name] ?? 0)) process.exitCode = 1
}
