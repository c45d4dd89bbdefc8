import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startVendor } from '../support/client.ts'
import { findFreePort } from '../support/free-port.ts'
import { send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { run, temporaryFolder } from './server-process.ts'

const service = await startService()
const check = '/org/subscribers/acme/entitlements/check'

/** A relay like `npm run start:relay`, with its output at the start. */
async function startRelay(env: Record<string, string>) {
  const { admin, access } = await startVendor(service)
  const settings = { RELAY_UPSTREAM_URL: access.baseUrl, ENTITLEMENTS_API_KEY: access.apiKey, ...env }
  const relay = run({ args: ['relay'], env: settings })
  await until(() => relay.stderr().includes('answers at'))
  const [, url = ''] = /answers at (\S+)\. /.exec(relay.stderr()) ?? []
  return { ...relay, url, admin }
}

it('a relay answers without a database, and stops cleanly', async () => {
  const metricsPort = String(await findFreePort())
  const { url, child, ended, stderr } = await startRelay({ METRICS_PORT: metricsPort })

  expect(await send(url + check, 'POST', { feature: 'seats' })).toMatchObject({ status: 200, body: { limit: 5 } })
  expect(stderr()).toMatch(/The relay of http:\S+ answers at http:\S+\. Anyone on this machine may call it\./)
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(metrics).toMatch(/^entitlements_relay_answers_total\{from="upstream"\} 1$/m)
  expect(metrics).toMatch(/^entitlements_relay_subscribers 1$/m)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
})

it('with PROCESSES, several processes of a relay answer, and all of them end when the primary ends', async () => {
  const { url, child, ended } = await startRelay({ PROCESSES: '2' })

  for (let index = 0; index < 8; index += 1) {
    const answer = await send(url + check, 'POST', { feature: 'seats' }, { connection: 'close' })
    expect(answer).toMatchObject({ status: 200, body: { limit: 5 } })
  }
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
})

it('with PROCESSES, the counts of a relay include those of processes that a restart has replaced', async () => {
  const metricsPort = String(await findFreePort())
  const { url, child, ended, stdout } = await startRelay({
    PROCESSES: '2',
    METRICS_PORT: metricsPort,
    LOG_LEVEL: 'info',
  })
  const ask = async () => {
    for (let index = 0; index < 8; index += 1) {
      const answer = await send(url + check, 'POST', { feature: 'seats' }, { connection: 'close' })
      expect(answer.status).toBe(200)
    }
  }
  const countAnswers = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const counts = [...text.matchAll(/^entitlements_relay_answers_total\{.*\} (\d+)$/gm)].map(([, count]) =>
      Number(count),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
  await ask()
  expect(await countAnswers()).toBe(8)

  child.kill('SIGHUP')
  await expect.poll(stdout).toContain('the restart of the API processes has ended')

  expect(await countAnswers()).toBe(8)
  await ask()
  expect(await countAnswers()).toBe(16)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
})

it('a relay listens on a Unix socket, even if a killed process left its socket behind', async () => {
  const HOST = join(await temporaryFolder(), 'relay.sock')
  const { url, child, ended } = await startRelay({ HOST })
  expect(url).toBe(`unix:${HOST}`)
  expect(await statusOver(HOST)).toBe(200)
  child.kill('SIGKILL')
  await ended

  await startRelay({ HOST })

  expect(await statusOver(HOST)).toBe(200)
})

it('a relay refuses to start if other machines could reach it without a token, and names the variable', async () => {
  const env = { RELAY_UPSTREAM_URL: service.url, ENTITLEMENTS_API_KEY: 'ent_key', HOST: '0.0.0.0' }
  const { code, stderr } = await run({ args: ['relay'], env }).ended

  expect(code).toBe(1)
  expect(stderr).toContain('RELAY_TOKENS is required with HOST=0.0.0.0')
})

function statusOver(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/org/subscribers/acme/entitlements' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
