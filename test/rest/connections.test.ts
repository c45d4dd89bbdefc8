import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { rawRequest } from '../support/raw-http.ts'
import { type Caller, type LogEntry, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** How many answers of a megabyte are requested: far more than the kernel buffers for a client that does not read. */
const largeAnswerCount = 32

async function startWithLimits(limits: Record<string, string>) {
  const log: LogEntry[] = []
  const service = await startService({ LOG_LEVEL: 'warn', ...limits }, log)
  return { service, caller: await service.organization(), log }
}

/** Creates a catalog of a megabyte. */
async function fillCatalog(caller: Caller): Promise<void> {
  const value = { text: 'x'.repeat(60_000) }
  await caller.rest('POST', '/org/features', { key: 'big', name: 'Big', kind: 'config', value_type: 'json' })
  for (let n = 0; n < 17; n++) {
    const plan = { key: `plan_${n}`, name: 'Plan', grants: { big: { kind: 'config', value } } }
    expect((await caller.rest('POST', '/org/plans', plan)).status).toBe(201)
  }
}

/** Opens a connection that sends these bytes and reads nothing. */
async function send({ url }: TestService, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  atEnd(async () => void socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Like `send`, but on a connection on which the server has already recognized the caller. */
async function sendKnown(service: TestService, key: string, text: string): Promise<Socket> {
  const socket = await send(service, rawRequest('GET', '/org/features', { 'x-api-key': key, connection: 'keep-alive' }))
  await once(socket.resume(), 'data')
  socket.pause()
  socket.write(text)
  return socket
}

const connectionsOf = ({ app }: TestService) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

const listPlans = (key: string, times: number) =>
  rawRequest('GET', '/org/plans', { 'x-api-key': key, connection: 'keep-alive' }).repeat(times)

/** Creates a snapshot of 120 KB, which is answered as one string, not as a stream. */
async function fillSnapshot(caller: Caller): Promise<void> {
  await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
  for (const key of ['second', 'third']) {
    await caller.rest('POST', '/org/features', { key, name: key, kind: 'config', value_type: 'json' })
    const override = { kind: 'config', value: { text: 'x'.repeat(60_000) } }
    expect((await caller.rest('PUT', `/org/subscribers/acme/overrides/${key}`, override)).status).toBe(200)
  }
}

/** The entries about limits. On a busy machine, the log may also say that the database answers late. */
const limitsIn = (log: readonly LogEntry[]) => log.filter(({ limit }) => limit !== undefined)

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('unread answers', () => {
  it('make the server end their own connections after the time limit, and no other connection', async () => {
    const { service, caller, log } = await startWithLimits({ ANSWER_TIMEOUT_MS: '1000' })
    await fillCatalog(caller)
    const before = await connectionsOf(service)

    for (let n = 0; n < 2; n++) await sendKnown(service, caller.key, listPlans(caller.key, largeAnswerCount))

    await expect.poll(() => limitsIn(log)).toEqual([expect.objectContaining({ level: 40, limit: 'ANSWER_TIMEOUT_MS' })])
    await expect.poll(() => connectionsOf(service)).toBeLessThanOrEqual(before)
    expect((await caller.rest('GET', '/org/plans')).body.plans).toHaveLength(17)
  })

  it("above the process's limit cause large snapshots to be refused, and refused ones do not count as evals", async () => {
    const { service, caller } = await startWithLimits({ MAX_WAITING_BYTES: '1' })
    await fillCatalog(caller)
    await fillSnapshot(caller)

    const [statuses, documents]: [number[], number[]] = [[], []]
    // Its bytes are shared by all answers.
    const getDocument = async () => (await caller.rest('GET', '/openapi.json', undefined, plain)).status
    const plain = { 'accept-encoding': 'identity' }
    const flood = async () => {
      const lists = Array.from({ length: 4 }, () => sendKnown(service, caller.key, listPlans(caller.key, 16)))
      await Promise.all(lists)
      documents.push(...(await Promise.all(Array.from({ length: 20 }, getDocument))))
      const snapshots = Array.from({ length: 20 }, () => caller.rest('GET', '/org/subscribers/acme/entitlements'))
      statuses.push(...(await Promise.all(snapshots)).map(({ status }) => status))
      return statuses
    }
    await expect.poll(flood).toContain(503)

    const answered = statuses.filter((status) => status === 200).length
    expect(new Set(documents)).toEqual(new Set([200]))
    expect(statuses.filter((status) => status === 503)).toHaveLength(statuses.length - answered)
    await expect.poll(async () => (await caller.rest('GET', '/org/eval-usage')).body.used).toBe(answered)
  })

  it("above the process's limit are dropped to make room for other clients", async () => {
    const { service, caller, log } = await startWithLimits({ MAX_WAITING_BYTES: '8000000' })
    await fillCatalog(caller)

    // Requests lists until the limit is exceeded, because the kernel buffers an unknown number of the first answers.
    const flood = async () => {
      await sendKnown(service, caller.key, listPlans(caller.key, 16))
      return log
    }
    await expect.poll(flood).toContainEqual(expect.objectContaining({ level: 40, limit: 'MAX_WAITING_BYTES' }))
    // Lists are refused until the server has noticed that the earlier answers are not being read.
    await expect.poll(async () => (await caller.rest('GET', '/org/plans')).status).toBe(200)
    expect((await caller.rest('POST', '/org/features', { key: 'a', name: 'A', kind: 'flag' })).status).toBe(201)
  })

  it('keep their connection for as long as the client reads a little', async () => {
    const { service, caller, log } = await startWithLimits({ ANSWER_TIMEOUT_MS: '3000' })
    await fillCatalog(caller)
    const socket = await sendKnown(service, caller.key, listPlans(caller.key, largeAnswerCount))

    let bytes = 0
    for await (const chunk of socket) {
      bytes += chunk.length
      if (bytes > largeAnswerCount * 1_000_000) break
      // Reads about 500 chunks with a pause after each, which takes longer in total than the limit.
      await new Promise((resolve) => setTimeout(resolve, 10))
    }

    expect(bytes).toBeGreaterThan(largeAnswerCount * 1_000_000)
    expect(limitsIn(log)).toEqual([])
  })
})

it.each([
  ['hundreds of unanswered requests', 500, sendKnown],
  [
    'a dozen unanswered requests before its caller is recognized',
    12,
    (service: TestService, _key: string, text: string) => send(service, text),
  ],
])('the server ends a connection with %s', async (_which, requests, sendThem) => {
  const { service, caller, log } = await startWithLimits({})
  const before = await connectionsOf(service)

  await sendThem(service, caller.key, listPlans(caller.key, requests))

  await expect.poll(() => log).toContainEqual(expect.objectContaining({ level: 40, limit: 'pipelined requests' }))
  await expect.poll(() => connectionsOf(service)).toBeLessThanOrEqual(before)
})

describe('a flood of connections', () => {
  it.each([
    ['that send nothing', ''],
    ['that send half of their headers', 'GET /healthz HTTP/1.1\r\nhost: serv'],
  ])('%s locks out no other client', async (_which, text) => {
    const { service, caller, log } = await startWithLimits({ MAX_CONNECTIONS: '20' })

    const flood = await Promise.all(Array.from({ length: 60 }, () => send(service, text)))

    expect((await caller.rest('GET', '/org/features')).status).toBe(200)
    expect(flood).toHaveLength(60)
    await expect.poll(() => connectionsOf(service)).toBeLessThanOrEqual(20)
    expect(limitsIn(log)).toEqual([expect.objectContaining({ limit: 'MAX_CONNECTIONS' })])
  })

  it('that never sends its bodies closes neither idle nor new connections of other clients', async () => {
    const { service, caller, log } = await startWithLimits({ MAX_CONNECTIONS: '20' })
    const idle = await sendKnown(service, caller.key, '')
    const headers = { 'content-type': 'application/json', 'content-length': '100', expect: '100-continue' }
    const flood = Array.from({ length: 19 }, () => send(service, rawRequest('POST', '/graphql', headers)))
    await Promise.all((await Promise.all(flood)).map((socket) => once(socket.resume(), 'data')))
    // Only after a second does the server close connections whose bodies do not arrive.
    const stalledAt = performance.now() + 1_000
    await until(() => performance.now() > stalledAt)

    const others = [idle, await send(service, ''), await send(service, ''), await send(service, '')]

    for (const socket of others) {
      socket.write(rawRequest('GET', '/org/features', { 'x-api-key': caller.key }))
      expect(await readAll(socket)).toMatch(/^HTTP\/1.1 200 /)
    }
    expect(limitsIn(log)).toEqual([expect.objectContaining({ limit: 'MAX_CONNECTIONS' })])
  })

  it('that sends large bodies slowly is cut off at the limit, and small requests are still answered', async () => {
    const { service, caller, log } = await startWithLimits({ MAX_RECEIVING_BYTES: '1000000' })
    const before = await connectionsOf(service)
    const headers = { 'x-api-key': caller.key, 'content-type': 'application/json', 'content-length': '900000' }
    const half = rawRequest('POST', '/org/features', headers, ' '.repeat(400_000))

    for (let n = 0; n < 6; n++) await send(service, half)

    await expect.poll(() => limitsIn(log)).toEqual([expect.objectContaining({ limit: 'MAX_RECEIVING_BYTES' })])
    await expect.poll(() => connectionsOf(service)).toBeLessThanOrEqual(before + 2)
    expect((await caller.rest('POST', '/org/features', { key: 'a', name: 'A', kind: 'flag' })).status).toBe(201)
  })
})
