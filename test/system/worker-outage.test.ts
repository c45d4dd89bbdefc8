import { rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { copyDataFolder } from '../support/data-folder.ts'
import { createDeliveryTest } from '../support/delivery.ts'
import { createLongPathFolder } from '../support/long-path-folder.ts'
import { type PortProxy, startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

/** The test's own PostgreSQL behind a port that stays the same. */
async function startPostgres(): Promise<{ url: string; restart(): Promise<void> }> {
  const dataDir = copyDataFolder(createLongPathFolder('entitlements-outage'))
  const start = () => startEmbeddedPostgres({ dataDir, log: () => {} })
  let postgres: EmbeddedPostgres = await start()
  const portOf = ({ url }: EmbeddedPostgres) => Number(new URL(url).port)
  const proxy: PortProxy = await startProxy(portOf(postgres))
  onTestFinished(async () => {
    await proxy.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const url = new URL(postgres.url)
  url.port = `${proxy.port}`
  return {
    url: url.href,
    async restart() {
      await postgres.stop()
      proxy.routeTo(null)
      postgres = await start()
      proxy.routeTo(portOf(postgres))
    },
  }
}

it('a worker continues by itself after the database was stopped and started under load, without losing anything', async () => {
  const { url, restart } = await startPostgres()
  const test = await createDeliveryTest(url)
  await test.worker()
  const vendor = await test.vendor()
  const refused: number[] = []
  let written = 0
  const stop = new AbortController()
  const writing = (async () => {
    for (let limit = 0; !stop.signal.aborted; limit++) {
      const answer = await vendor.rest('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit })
      if (answer.status === 200) written++
      else refused.push(answer.status)
    }
  })()
  await until(() => vendor.receiver.received.length > 50)

  await restart()
  const writtenBefore = written
  await until(() => written > writtenBefore + 50)
  stop.abort()
  await writing
  const events = await test.settled(vendor, 'delivered')

  expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? [503] : []))
  expect(events.length).toBe(written)
  expect(new Set(vendor.receiver.ids())).toEqual(new Set(events.map(({ id }) => id)))
  // Attempts that ended while the database was away were recorded once it was back, and not repeated.
  expect(vendor.receiver.received.length).toBe(events.length)
})
