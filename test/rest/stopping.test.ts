import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { rawRequest } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'

it('answers as usual what still arrives on a connection in use while the server stops', async () => {
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
