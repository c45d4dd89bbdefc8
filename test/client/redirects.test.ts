import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createApi } from '../../src/client/api/index.ts'
import { startClient } from '../support/client.ts'
import { until } from '../support/until.ts'

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([301, 302, 303, 307, 308])('no request of the client follows a redirect by %i', async (status) => {
  const received: unknown[] = []
  const elsewhere = await listen(({ headers }, response) => {
    received.push(headers)
    response.end('{}')
  })
  const paths = new Set<string>()
  const baseUrl = await listen(({ url = '' }, response) => {
    paths.add(new URL(url, elsewhere).pathname)
    response.writeHead(status, { location: elsewhere + url }).end()
  })
  for (const credential of [{ apiKey: 'ent_key' }, { token: 'a.b.c' }]) {
    const errors: string[] = []
    paths.clear()
    const { entitlements } = startClient({ baseUrl, ...credential, timeoutMs: 2_000 })
    entitlements.on('unavailable', ({ error }) => errors.push(error.message))

    expect(await entitlements.check('acme', 'sso')).toBe(false)
    await until(() => paths.has('/org/changes') && errors.length > 0)
    const api = createApi({ baseUrl, ...credential })
    await expect(api.getOrganization()).rejects.toThrow(`${baseUrl} redirects to ${elsewhere}, and redirects are not`)
    for (const message of errors) expect(message).toContain(elsewhere)
  }

  expect(received).toEqual([])
})
