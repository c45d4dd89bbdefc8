/** Measures the cost of following changes, and how soon a follower receives a change: `npm run bench -- --followers`. */
import { connect, type Socket } from 'node:net'
import { nextCheck, nextPut, request } from './exchanges.ts'
import { median } from './growth/line.ts'
import { type LoadResult, runLoad } from './http-load.ts'
import type { Service } from './processes.ts'
import { toColumnTable } from './table.ts'

type Options = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

const followed = { organizations: 100, each: 10 }
/** Pauses of a tenth of a second on 20 connections: about 200 writes a second. */
const writing = { connections: 20, pauseMs: 90 }
/** The first subscribers of each organization, which only checks use: no write changes them. */
const unchanged = 100
const pairs = 5
const singleChanges = 1000
const aims = { receiptP99Ms: 50, ofRate: 0.9 }

/** Yields lines to print. Throws if a follower misses a change. */
export async function* runFollowers(options: Options): AsyncGenerator<string> {
  const { service, keys } = options
  yield await measureReceipt(service, keys[0] as string)

  await measurePair(options)
  const measured: Pair[] = []
  for (let pair = 0; pair < pairs; pair++) measured.push(await measurePair(options))
  const rows = measured.map(({ alone, beside, events, writes }) => [
    alone.perSecond.toFixed(0),
    beside.perSecond.toFixed(0),
    (beside.perSecond / alone.perSecond).toFixed(2),
    alone.p99Ms.toFixed(1),
    beside.p99Ms.toFixed(1),
    writes.toFixed(0),
    events.toFixed(0),
  ])
  const columns = ['checks/s', 'followed', 'ratio', 'p99 ms', 'followed', 'writes/s', 'events/s']
  yield toColumnTable(columns, rows)
  const ratio = median(measured.map(({ alone, beside }) => beside.perSecond / alone.perSecond))
  const { organizations, each } = followed
  yield `${organizations * each} followers of ${organizations} organizations leave ${ratio.toFixed(2)} of the checks (median); aim: ${aims.ofRate}`
}

/** Measures from sending a write until a follower receives its change, one change at a time; includes the write. */
async function measureReceipt({ port }: Service, key: string): Promise<string> {
  let received = () => {}
  const follower = await follow(port, key, () => received())
  const times: number[] = []
  for (let count = 0; count < singleChanges; count++) {
    const heard = new Promise<void>((resolve) => {
      received = resolve
    })
    const sentAt = performance.now()
    const written = runLoad({ port, connections: 1, requests: 1, next: () => nextPut([key], unchanged) })
    await heard
    times.push(performance.now() - sentAt)
    await written
  }
  follower.leave()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] as number).toFixed(1)
  return `one change at a time, from sending the write to its receipt: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; aim: a p99 of ${aims.receiptP99Ms} ms\n`
}

type Pair = { alone: LoadResult; beside: LoadResult; events: number; writes: number }

/** Measures checks beside writes, first without followers and then with them. */
async function measurePair(options: Options): Promise<Pair> {
  const { service, keys } = options
  const alone = await measureChecks(options)
  let events = 0
  const followers = await Promise.all(
    keys
      .slice(0, followed.organizations)
      .flatMap((key) => Array.from({ length: followed.each }, () => follow(service.port, key, () => events++))),
  )
  const beside = await measureChecks(options)
  const expected = beside.written * followed.each
  for (const endsAt = performance.now() + 10_000; events < expected && performance.now() < endsAt; )
    await new Promise((resolve) => setTimeout(resolve, 50))
  for (const { leave } of followers) leave()
  if (events !== expected) throw new Error(`followers received ${events} of ${expected} events`)
  const perSecond = (count: number) => (count / options.durationMs) * 1000
  return { alone: alone.checks, beside: beside.checks, events: perSecond(events), writes: perSecond(beside.written) }
}

async function measureChecks({ service: { port }, keys, connections, durationMs }: Options) {
  const ofFollowed = keys.slice(0, followed.organizations)
  const [checks, { requests }] = await Promise.all([
    runLoad({ port, connections, durationMs, next: () => nextCheck(keys, unchanged) }),
    runLoad({ port, ...writing, durationMs, next: () => nextPut(ofFollowed, unchanged) }),
  ])
  return { checks, written: requests }
}

const eventLine = Buffer.from('event: entitlements.')

/** Resolves once the stream is ready. To cost little, it only looks for the lines that name an event. */
function follow(port: number, key: string, onEvent: () => void): Promise<{ leave: () => void }> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    let rest: Buffer = Buffer.alloc(0)
    let isReady = false
    socket.on('connect', () =>
      socket.write(request('GET', '/org/changes', key, undefined, 'Accept: text/event-stream\r\n')),
    )
    socket.on('error', reject)
    socket.on('data', (part: Buffer) => {
      const text = rest.length > 0 ? Buffer.concat([rest, part]) : part
      if (!isReady && text.includes('event: ready')) {
        isReady = true
        resolve({ leave: () => void socket.destroy() })
      }
      let at = 0
      for (let found = text.indexOf(eventLine); found !== -1; found = text.indexOf(eventLine, at)) {
        at = found + eventLine.length
        onEvent()
      }
      // Two chunks may share a line.
      rest = text.subarray(Math.max(at, text.length - eventLine.length))
    })
  })
}
