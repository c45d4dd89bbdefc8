import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { type Request, startLoad } from '../support/fetch-load.ts'
import { findFreePort } from '../support/free-port.ts'
import { limitOf } from '../support/limit-of.ts'
import { testMasterKey } from '../support/master-key.ts'
import { startService } from '../support/service.ts'
import { type Running, startServer, untilStopping } from './server-process.ts'

/** With FAULTS=long, as many restarts as in a day of deployments, with production's grace period and health checks. */
const { restarts, graceMs, checkEveryMs } =
  process.env.FAULTS === 'long'
    ? { restarts: 20, graceMs: 5000, checkEveryMs: 250 }
    : { restarts: 2, graceMs: 6000, checkEveryMs: 100 }

/** An API process on this port, run as production runs it behind a balancer. */
function startApi(port: number): Promise<Running> {
  return startServer({
    args: ['api'],
    env: {
      DATABASE_URL: inject('databaseUrl'),
      MASTER_KEY: testMasterKey,
      PORT: `${port}`,
      SHUTDOWN_GRACE_MS: `${graceMs}`,
      EVAL_RATE_LIMIT_PER_SECOND: '1000000',
    },
  })
}

async function untilUsed(balancer: Balancer, url: string): Promise<void> {
  await expect.poll(() => balancer.uses(url)).toBe(true)
}

describe('a rolling restart behind a balancer', () => {
  it('fails no request: a stopping process immediately stops being ready, serves with Connection: close, and ends in time', {
    timeout: limitOf(restarts * 60_000 + 120_000),
  }, async () => {
    const { key } = await (await startService()).organization()
    const ports = [await findFreePort(), await findFreePort()]
    const servers = await Promise.all(ports.map(startApi))
    const urls = servers.map(({ url }) => url)
    const balancer = await startBalancer(urls, checkEveryMs)
    onTestFinished(() => balancer.close())
    for (const url of urls) await untilUsed(balancer, url)

    const next = (suffix: string) =>
      [
        ['POST', '/org/features', { key: `f-${suffix}`, name: 'F', kind: 'flag' }],
        ['GET', '/org'],
      ] satisfies Request[]
    const load = startLoad(balancer.url, key, next, { pauseMs: 30 })
    for (let restart = 0; restart < restarts; restart++) {
      const index = restart % ports.length
      const server = servers[index] as Running
      const { child, url, ended } = server
      expect((await fetch(`${url}/readyz`)).headers.get('connection')).toBe('keep-alive')
      child.kill('SIGTERM')
      await untilStopping(server)
      // On a slow machine, the grace period may be over.
      const served = await fetch(`${url}/healthz`).catch(() => null)
      if (served) expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
      expect(await ended).toMatchObject({ code: 0, stderr: '' })
      await expect(fetch(`${url}/healthz`)).rejects.toThrow()
      const started = await startApi(ports[index] as number)
      servers[index] = started
      await untilUsed(balancer, started.url)
    }
    const statuses = await load.end()

    expect(balancer.failures).toEqual([])
    expect([...new Set(statuses)].sort()).toEqual([200, 201])
  })
})
