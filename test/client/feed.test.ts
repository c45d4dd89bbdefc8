import { expect, it } from 'vitest'
import { Feed } from '../../src/client/feed.ts'
import { Server } from '../../src/client/server.ts'
import { Stream } from './world/stream.ts'
import { settle, VirtualTime } from './world/virtual-time.ts'

const nothing = () => {}
const listener = { alive: nothing, changed: nothing, reset: nothing, silent: nothing, failed: nothing }

/** A feed in virtual time. Each of its streams sends `ready`, and a little later `alive`. */
async function startFeed() {
  const time = new VirtualTime()
  const random = () => 0.5
  const streams: Stream[] = []
  async function open() {
    const stream = new Stream(time, random, { sent: 0, onHeard: nothing })
    stream.begin('ready', streams.length > 0)
    stream.sendChanges([], true)
    streams.push(stream)
    return { status: 200, headers: { get: () => null }, body: stream.body, text: async () => '' }
  }
  const environment = { fetch: open, later: time.later, now: () => time.now, random }
  const feed = new Feed(
    new Server({ baseUrl: 'http://service', apiKey: 'ent_key' }, environment),
    environment,
    listener,
  )
  void feed.run()
  await settle()
  return { feed, time, streams }
}

it('the feed ignores the first messages of a connection if the machine slept while they were on their way', async () => {
  const { feed, time, streams } = await startFeed()
  await time.pass(1_000)
  expect(feed.isAlive(time.now)).toBe(true)
  streams[0]?.end('ended')
  await settle()
  while (streams.length < 2) await time.pass(1)

  time.sleep(60_000)
  await time.pass(0)

  expect(feed.isAlive(time.now)).toBe(false)
  await time.pass(1_000)
  expect(streams.length).toBe(3)
  expect(feed.isAlive(time.now)).toBe(true)
  feed.close()
})

it('the feed sends another request after a minute if a proxy asks for a wait of an hour', async () => {
  const time = new VirtualTime()
  let requestCount = 0
  async function fetch() {
    requestCount += 1
    const headers = { get: (name: string) => (name === 'retry-after' ? '3600' : null) }
    return { status: 503, headers, body: null, text: async () => '' }
  }
  const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.5 }
  const server = new Server({ baseUrl: 'http://service', apiKey: 'ent_key' }, environment)
  const feed = new Feed(server, environment, listener)
  void feed.run()
  await settle()

  await time.pass(59_000)
  const withinTheMinute = requestCount
  await time.pass(2_000)
  feed.close()

  expect([withinTheMinute, requestCount]).toEqual([1, 2])
})

it('the feed reads a backlog of changes without pauses, also in polls', async () => {
  const time = new VirtualTime()
  const pages = 100
  let page = 0
  let changes = 0
  async function fetch(url: string) {
    if (url.includes('after=')) page += 1
    const answer = { changes: page > 0 ? [{ type: 'catalog.updated' }] : [], cursor: `c${page}`, reset: false }
    const text = JSON.stringify({ ...answer, has_more: page > 0 && page < pages })
    if (page > pages) await new Promise(nothing)
    // Without a body that can be read as it arrives, the feed polls.
    return { status: 200, headers: { get: () => null }, body: null, text: async () => text }
  }
  const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.5 }
  const server = new Server({ baseUrl: 'http://service', apiKey: 'ent_key' }, environment)
  const feed = new Feed(server, environment, { ...listener, changed: () => (changes += 1) })
  void feed.run()
  await settle()

  await time.pass(2_000)
  feed.close()

  expect(changes).toBe(pages)
})

it('the feed tries a stream again after some minutes of polling, however many polls there were', async () => {
  const time = new VirtualTime()
  let streams = 0
  let polls = 0
  async function fetch(_url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) {
    if (headers.accept === 'text/event-stream') {
      streams += 1
      // A proxy buffers what the stream sends.
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    polls += 1
    await new Promise<void>((resolve) => time.later(100, resolve))
    const page = { changes: [{ type: 'catalog.updated' }], cursor: `c${polls}`, has_more: false, reset: false }
    return { status: 200, headers: { get: () => null }, body: null, text: async () => JSON.stringify(page) }
  }
  const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.5 }
  const server = new Server({ baseUrl: 'http://service', apiKey: 'ent_key' }, environment)
  const feed = new Feed(server, environment, listener)
  void feed.run()
  await settle()

  await time.pass(60_000)
  expect(polls).toBeGreaterThan(100)
  expect(streams).toBe(1)
  await time.pass(300_000)
  feed.close()

  expect(streams).toBe(2)
})

it('the feed stays alive while it tries a stream again that a proxy still buffers', async () => {
  const time = new VirtualTime()
  let streams = 0
  async function fetch(url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) {
    if (headers.accept === 'text/event-stream') {
      streams += 1
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    if (url.includes('wait=4')) await new Promise<void>((resolve) => time.later(4_000, resolve))
    const page = { changes: [], cursor: 'c', has_more: false, reset: false }
    return { status: 200, headers: { get: () => null }, body: null, text: async () => JSON.stringify(page) }
  }
  let silences = 0
  const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.5 }
  const server = new Server({ baseUrl: 'http://service', apiKey: 'ent_key' }, environment)
  const feed = new Feed(server, environment, { ...listener, silent: () => (silences += 1) })
  void feed.run()
  await settle()

  await time.pass(1_000_000)
  feed.close()

  expect(streams).toBe(4)
  expect(silences).toBe(0)
})
