import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startVendor } from '../support/client.ts'
import { relayToken, startRelay } from '../support/relay.ts'
import { send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

/* A check with a known answer, by a known caller, is answered before Fastify. Clients must not notice a difference. */

const service = await startService()

async function openConnection() {
  const { admin, access } = await startVendor(service)
  const relay = await startRelay(access)
  await until(async () => (await send(`${relay.url}/readyz`, 'GET')).body.status === 'ready')
  const socket = connect(Number(new URL(relay.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  await once(socket, 'connect')
  /** The answers so far; each body is as long as its header says. */
  function answers(): { head: string; body: string }[] {
    const found: { head: string; body: string }[] = []
    for (let rest = Buffer.from(received); ; ) {
      const end = rest.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(rest.subarray(0, end).toString())?.[1])
      if (end === -1 || rest.length < end + 4 + length) return found
      found.push({ head: rest.subarray(0, end).toString(), body: rest.subarray(end + 4, end + 4 + length).toString() })
      rest = rest.subarray(end + 4 + length)
    }
  }
  async function next(...parts: string[]) {
    const before = answers().length
    for (const part of parts) {
      socket.write(part)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => answers().length > before)
    return answers().at(-1) as { head: string; body: string }
  }
  return { admin, relay, socket, next, answers, ...vendor(admin) }
}

const head = (body: string, headers = '') =>
  `POST /org/subscribers/acme/entitlements/check HTTP/1.1\r\nHost: relay\r\nX-API-Key: ${relayToken}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`
const request = (body: string, headers = '') => head(body, headers) + body

/** The headers without those that differ in each answer. */
const withoutChangingHeaders = (text: string) =>
  text
    .toLowerCase()
    .split('\r\n')
    .filter((line) => !/^(date|x-request-id|age|x-entitlements-from):/.test(line))
    .toSorted()

it('a quick check has the headers and the body of any other check', async () => {
  const { next } = await openConnection()
  const body = '{"feature":"seats"}'

  const first = await next(request(body))
  const second = await next(request(body))

  expect(second.body).toBe(first.body)
  expect(withoutChangingHeaders(second.head)).toEqual(withoutChangingHeaders(first.head))
  expect(first.head).toMatch(/x-entitlements-from: upstream/)
  expect(second.head).toMatch(/x-entitlements-from: cache/)
  expect(second.head).toMatch(/x-request-id: req_[0-9A-Z]{26}\r\n/)
})

it.each([
  ['a body that comes in parts', [head('{"feature":"seats"}'), '{"feature"', ':"seats"}'], 200, /"limit":5/],
  ['a body with spaces', [request('{ "feature" : "seats" }')], 200, /"limit":5/],
  ['a body of several lines', [request('{\n  "feature": "seats"\n}')], 200, /"limit":5/],
  ['a body with another field', [request('{"feature":"seats","other":1}')], 200, /"limit":5/],
  ['several features', [request('{"features":["seats"]}')], 200, /^\{"entitlements":\[/],
  ['an unknown feature', [request('{"feature":"none"}')], 422, /feature \\"none\\" is not in the catalog/],
  ['no body', [request('')], 422, /feature is required/],
  ['a body that is not JSON', [request('{"feature":seats}')], 400, /INVALID_JSON/],
  ['a wrong token', [request('{"feature":"seats"}').replace(relayToken, 'wrong')], 401, /UNAUTHORIZED/],
  ['another media type', [request('{"feature":"seats"}').replace('application/json', 'text/plain')], 415, /UNSUPP/],
] as const)(
  'a connection that has sent quick checks still gets the usual answer to %s',
  async (_what, parts, status, body) => {
    const { next } = await openConnection()
    for (let index = 0; index < 2; index += 1) await next(request('{"feature":"sso"}'))

    const answer = await next(...parts)

    expect(answer.head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.body).toMatch(body)
  },
)

it('a check whose body comes late is answered with the values at the time when the body arrives', async () => {
  const { next, socket, relay, override } = await openConnection()
  const body = '{"feature":"seats"}'
  for (let index = 0; index < 2; index += 1) await next(request(body))
  socket.write(head(body))
  await override('acme', 'seats', { kind: 'limit', limit: 9 })
  await until(async () => {
    const path = '/org/subscribers/acme/entitlements/check'
    return (await relay.caller.rest('POST', path, { feature: 'seats' })).body.limit === 9
  })

  const answer = await next(body)

  expect(JSON.parse(answer.body).limit).toBe(9)
})

it('pipelined checks are answered in their order, and the connection is closed on request', async () => {
  const { next, socket, answers, override } = await openConnection()
  await override('acme', 'color', { kind: 'config', value: 'green' })
  for (let index = 0; index < 2; index += 1) await next(request('{"feature":"sso"}'))

  const ended = once(socket, 'end')
  socket.write(['seats', 'color', 'sso'].map((key) => request(`{"feature":"${key}"}`)).join(''))
  socket.write(request('{"feature":"seats"}', 'Connection: close\r\n'))
  await ended

  const keys = answers().map(({ body }) => JSON.parse(body).feature)
  expect(keys).toEqual(['sso', 'sso', 'seats', 'color', 'sso', 'seats'])
  expect(answers().at(-1)?.head).toMatch(/connection: close/i)
})

it('hundreds of checks that come at once are answered in their order', async () => {
  const { next, socket, answers } = await openConnection()
  for (let index = 0; index < 2; index += 1) await next(request('{"feature":"sso"}'))

  const keys = Array.from({ length: 260 }, (_, index) => (index % 3 === 0 ? 'seats' : 'sso'))
  socket.write(keys.map((key) => request(`{"feature":"${key}"}`)).join(''))
  await until(() => answers().length === 262)

  expect(answers().map(({ body }) => JSON.parse(body).feature)).toEqual(['sso', 'sso', ...keys])
})

it('the Content-Length of an answer with a value that is not ASCII is in bytes', async () => {
  const { next, feature, override } = await openConnection()
  await feature('motto', { kind: 'config', value_type: 'string' })
  await override('acme', 'motto', { kind: 'config', value: 'grün 🟢' })
  const ask = () => next(request('{"feature":"motto"}'))

  const known = await until(async () => {
    const answer = await ask()
    return /x-entitlements-from: cache/.test(answer.head) && answer.body.includes('🟢') && answer
  })
  expect(JSON.parse((known as { body: string }).body).value).toBe('grün 🟢')
})
