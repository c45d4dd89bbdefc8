/**
 * Sends the tenant's worst requests until it is told to end, then prints how they were answered. It is a separate process, so
 * that reading megabytes does not delay other measurements. Arguments: port, key, worst.
 */
import { Agent, request } from 'undici'
import type { Worst } from './worst-seed.ts'

const [port, key, worst] = process.argv.slice(2) as [string, string, Worst]
const dispatcher = new Agent({ connections: 64, headersTimeout: 120_000, bodyTimeout: 120_000 })
const answers: Record<string, number> = {}
let longestMs = 0
let isEnding = false

process.once('SIGTERM', () => {
  isEnding = true
})
process.stdout.write('ready\n')
await Promise.all(Array.from({ length: concurrency() }, work))
process.stdout.write(JSON.stringify({ answers, longestMs: Math.round(longestMs) }))
process.exit(0)

function concurrency(): number {
  if (worst === 'large overrides') return 50
  return worst === 'large plan' ? 20 : 1
}

async function work(): Promise<void> {
  for (let round = 0; !isEnding; round++) {
    if (worst === 'large overrides' || worst === 'large plan') {
      await answer('GET', '/org/subscribers/s/entitlements')
      continue
    }
    // Each change makes the next check read the whole catalog.
    await answer('PATCH', '/org/plans/small', { name: `name ${round}` })
    await answer('POST', '/org/subscribers/s/entitlements/check', { feature: 'f1' })
  }
}

async function answer(method: string, path: string, body?: object): Promise<void> {
  const sentAt = performance.now()
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
  const response = await request(`http://127.0.0.1:${port}${path}`, {
    dispatcher,
    method: method as 'GET',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  const name = `${method} ${response.statusCode}`
  answers[name] = (answers[name] ?? 0) + 1
  longestMs = Math.max(longestMs, performance.now() - sentAt)
  if (response.statusCode === 200 && method === 'GET' && bytes < 1_000_000)
    throw new Error('a snapshot without its values')
}
