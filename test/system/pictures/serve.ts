import { loadConfig } from '../../../src/config.ts'
import { startDemoClock } from '../../../src/demo/clock.ts'
import { fillDemo } from '../../../src/demo/fill.ts'

/*
 * Fills the database of DATABASE_URL with the demo as it is at a fixed moment, writes its people to standard output, and serves it
 * at that moment.
 */

const databaseUrl = process.env.DATABASE_URL as string
const now = new Date(process.env.DEMO_NOW as string)
const filled = await fillDemo({
  databaseUrl,
  config: loadConfig(process.env),
  subscribers: 40,
  again: false,
  yes: true,
  now,
  onProgress: () => {},
})
const clock = await startDemoClock(databaseUrl)
await clock.set(now)
process.env.DATABASE_URL = clock.url
console.log(JSON.stringify(filled))
await import('../../../src/main.ts')
