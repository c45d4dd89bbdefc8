import { expect, inject, it } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { run } from './server-process.ts'

const DATABASE_URL = inject('databaseUrl')

it('a worker process answers only health and readiness on WORKER_PORT, and its metrics on METRICS_PORT', async () => {
  const port = await findFreePort()
  const metricsPort = await findFreePort()
  const env = { DATABASE_URL, WORKER_PORT: `${port}`, METRICS_PORT: `${metricsPort}`, METRICS_HOST: '127.0.0.2' }
  const { child, ended, stderr } = run({ args: ['worker'], env })
  await expect.poll(stderr).toContain('The worker sends')
  const metrics = await (await fetch(`http://127.0.0.2:${metricsPort}/metrics`)).text()

  const answers = ['healthz', 'readyz', 'org', 'graphql'].map(async (path) => {
    const { status } = await fetch(`http://127.0.0.1:${port}/${path}`)
    return [path, status]
  })

  expect(Object.fromEntries(await Promise.all(answers))).toEqual({ healthz: 200, readyz: 200, org: 404, graphql: 404 })
  expect(metrics).toContain('\nentitlements_webhook_lanes_held ')
  expect(metrics).not.toContain('entitlements_followers')
  expect(stderr()).toContain(`The metrics are at http://127.0.0.2:${metricsPort}/metrics\n`)
  expect(stderr()).toContain(`The worker says whether it is ready at http://127.0.0.1:${port}/readyz\n`)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
})
