import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { rawRequest } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'

it('a stopping server answers requests that still arrive on a busy connection', async () => {
  const service = await startService()
  const { key } = await service.organization()
  const headers = { 'x-api-key': key, connection: 'keep-alive' }
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })

  const length = { 'content-type': 'application/json', 'content-length': '2', expect: '100-continue' }
  socket.write(rawRequest('POST', '/org/plans/nope/archive', { ...headers, ...length }))
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  const closed = service.app.close()
  socket.write(`{}${rawRequest('GET', '/org', headers)}`)
  await once(socket, 'close')
  await closed

  const [first = '', second = ''] = received.split('HTTP/1.1 ').slice(2)
  expect(first).toMatch(/^404 .*"resource":"plan","id":"nope"/s)
  expect(second).toMatch(/^200 .*x-request-id: req_.*"organization_id"/s)
  expect(second.toLowerCase()).toContain('connection: close')
})

it('a stopping server answers a request that arrives on an idle connection just when the stop begins', async () => {
  const { service, socket, received } = await openConnection()
  const request = rawRequest('GET', '/healthz', { connection: 'keep-alive' })
  socket.write(request)
  await expect.poll(received).toContain('"ok"')

  const closed = service.app.close()
  socket.write(request)
  await closed

  await expect.poll(() => received().match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
})

const json = { 'content-type': 'application/json' }

describe('a stopping server does not wait for', () => {
  it.each([
    ['a connection that has sent nothing', ''],
    ['the remaining bytes of half-sent headers', 'GET /healthz HTT'],
    ['a body that does not arrive', rawRequest('POST', '/user/sign-in', { ...json, 'content-length': '10' })],
  ])('%s', async (_what, sent) => {
    const { service, socket } = await openConnection()
    socket.write(sent)
    await service.app.inject('/healthz')
    const begunAt = performance.now()

    await service.app.close()

    expect(performance.now() - begunAt).toBeLessThan(20_000)
  })
})

async function openConnection() {
  const service = await startService()
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { service, socket, received: () => text }
}
