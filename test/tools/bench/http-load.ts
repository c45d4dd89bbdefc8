import { connect, type Socket } from 'node:net'

/** One request as bytes of HTTP/1.1, and a function that finds the fault of its answer, or null. */
export type Exchange = { request: string; faultOf: (status: string, body: string, head: string) => string | null }

type Load = {
  port: number
  connections: number
  /** Ends after this time or this many requests. */
  durationMs?: number
  requests?: number
  /** The mean pause of a connection between an answer and its next request: from half of it to one and a half. */
  pauseMs?: number
  /** Keeps its core busy during pauses, so that they are exact. */
  polls?: boolean
  /** Once aborted, no request starts. */
  signal?: AbortSignal
  next: () => Exchange
}

export type LoadResult = { requests: number; perSecond: number; p50Ms: number; p99Ms: number; maxMs: number }

/**
 * Sends requests over kept connections, one at a time on each, and compares every answer; rejects at the first wrong one.
 * Uses bare sockets, because a full HTTP client takes longer for an exchange than the server under test.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const started = performance.now()
  const endsAt = started + (load.durationMs ?? Number.POSITIVE_INFINITY)
  const latencies: number[] = []
  let begun = 0
  const mayBegin = () =>
    performance.now() < endsAt && !load.signal?.aborted && begun++ < (load.requests ?? Number.POSITIVE_INFINITY)

  await Promise.all(Array.from({ length: load.connections }, () => runConnection(load, mayBegin, latencies)))

  const seconds = (performance.now() - started) / 1000
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  }
}

function runConnection(load: Load, mayBegin: () => boolean, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    let exchange: Exchange
    let sentAt = 0
    let received = ''

    const send = () => {
      if (!mayBegin()) {
        socket.destroy()
        resolve()
        return
      }
      exchange = load.next()
      sentAt = performance.now()
      socket.write(exchange.request, 'latin1')
    }
    const fail = (fault: string) => {
      socket.destroy()
      reject(new Error(fault))
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => fail('the server closed a connection'))
    socket.on('data', (chunk: unknown) => {
      received = received === '' ? (chunk as string) : received + chunk
      const answer = readAnswer(received)
      if (answer === null) return
      received = ''
      latencies.push(performance.now() - sentAt)
      const fault = exchange.faultOf(answer.status, answer.body, answer.head)
      if (fault === null && load.pauseMs !== undefined)
        (load.polls ? after : setTimeout)(send, load.pauseMs * (0.5 + Math.random()))
      else if (fault === null) send()
      else fail(`${fault}\n\n${exchange.request}\n\n${answer.status} ${answer.body}`)
    })
  })
}

const waiting = new Map<() => void, number>()

/** Waits busily, exact to the microsecond: timers count in milliseconds, so each millisecond's requests would be a burst. */
function after(call: () => void, ms: number): void {
  if (waiting.size === 0) setImmediate(callDue)
  waiting.set(call, performance.now() + ms)
}

function callDue(): void {
  const now = performance.now()
  for (const [call, at] of waiting) {
    if (at > now) continue
    waiting.delete(call)
    call()
  }
  if (waiting.size > 0) setImmediate(callDue)
}

/** The answer, once it has fully arrived. Every answer with a body must have a Content-Length. */
function readAnswer(received: string): { status: string; body: string; head: string } | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const head = received.slice(0, headEnd)
  const lowerHead = head.toLowerCase()
  const at = lowerHead.indexOf('\r\ncontent-length:')
  const status = received.slice(9, 12)
  if (at === -1 && status !== '204' && status !== '304')
    return { status: `${status} without Content-Length`, body: head, head }
  const length = at === -1 ? 0 : Number.parseInt(lowerHead.slice(at + 17), 10)
  const bodyStart = headEnd + 4
  if (received.length < bodyStart + length) return null
  return { status, body: received.slice(bodyStart), head }
}
