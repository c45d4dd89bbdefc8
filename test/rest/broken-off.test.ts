import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { readLog } from '../support/audit.ts'
import { rawRequest } from '../support/raw-http.ts'
import { type LogEntry, startService } from '../support/service.ts'

const log: LogEntry[] = []
const service = await startService({ LOG_LEVEL: 'warn' }, log)

/** Sends a part of a request, and disconnects while the server waits for the rest. */
async function breakOff(path: string, key: string): Promise<void> {
  const { hostname, port } = new URL(service.url)
  const asked = once(service.app.server, 'request')
  const socket = connect(Number(port), hostname)
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '1000' }
  socket.write(rawRequest('POST', path, headers, '{"key":'))
  const [request] = await asked
  // The server reads the body only after it has authenticated and authorized the caller.
  await expect.poll(() => request.listenerCount('data')).toBeGreaterThan(0)
  const gone = new Promise((resolve) => request.socket.once('close', resolve))
  socket.destroy()
  await gone
}

it('logs no failure when a client disconnects in the middle of a body', async () => {
  const caller = await service.organization()

  for (const path of ['/org/features', '/org/subscribers/x/entitlements/check', '/graphql', '/user/sign-in']) {
    for (let n = 0; n < 4; n++) await breakOff(path, caller.key)
  }

  await expect.poll(async () => (await readLog(caller)).length).toBe(4)
  for (const entry of await readLog(caller)) {
    expect(entry).toMatchObject({ route: '/org/features', outcome: 'rejected', status: 400 })
  }
  expect(log.filter(({ level }) => level >= 50)).toEqual([])
})
