import { Agent, type Dispatcher } from 'undici'
import { guardedConnector } from './address-guard.ts'
import { describeFailure } from './failure.ts'
import { signatureHeaders } from './signature.ts'

/** One attempt to send an event. */
export type Attempt = {
  id: string
  /** `http` or `https`. */
  url: string
  body: Uint8Array
  secret: string
  /** Headers besides the signature, such as those of a trace. */
  additionalHeaders?: Record<string, string>
  now: Date
  /** The time limit for the whole attempt: connecting, sending, and reading the answer. */
  timeoutMs: number
  /** What is left of `timeoutMs`, if connecting took some of it before a batch lease lapsed. */
  remainingMs?: number
  /** Whether the request may still be sent; called when the connection is open, before the first byte. */
  maySend(): boolean
  /** Called when the request has been written. */
  onWritten?: () => void
}

/** The receiver's answer, or the reason why there is none. `error` is null if and only if the status is a 2xx. */
export type AttemptResult = {
  status: number | null
  error: string | null
  answer: string | null
  /** The headers as sent; null when nothing was sent. */
  headers: Record<string, string> | null
}

/** `lapsed`: the batch lease ended before the connection was open. Nothing was sent; read the event again. */
export type SendResult = AttemptResult | 'lapsed'

export type Sender = {
  /** Never rejects. */
  send(attempt: Attempt): Promise<SendResult>
  close(): Promise<void>
}

/** How much of an answer's body is read and stored, and how long the attempt waits for the body after the status. */
const maxAnswerBytes = 4096
const maxAnswerMs = 1000

/** Shorter than the time-out of most receivers, so that no connection is reused at the moment when the receiver closes it. */
const keepAliveMs = 1000

export function createSender(options: Parameters<typeof guardedConnector>[0]): Sender {
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    // Unlimited, because many organizations may share an origin. Each organization's delivery queue limits its connections.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // One timer covers the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    send: (attempt) => send(agent, attempt),
    close: () => agent.destroy(),
  }
}

function send(agent: Dispatcher, attempt: Attempt): Promise<SendResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let isResolved = false
    let isLapsed = false
    let status: number | null = null
    const answer = new Answer()
    let headers: Record<string, string> | null = null

    const finish = (result: SendResult) => {
      if (isResolved) return
      isResolved = true
      clearTimeout(timer)
      resolve(result)
    }
    /** The status decides the result, even if reading the body failed; without a status, `failure` is the error. */
    const end = (failure: string) =>
      finish({ status, error: status === null ? failure : findRefusal(status), answer: answer.toText(), headers })
    const giveUp = () => {
      end(`no answer within ${attempt.timeoutMs / 1000} seconds`)
      controller?.abort(new Error('The attempt took too long.'))
    }
    const remainingMs = attempt.remainingMs ?? attempt.timeoutMs
    const endsAt = performance.now() + remainingMs
    let timer = setTimeout(giveUp, remainingMs)

    try {
      const request = toRequest(attempt)
      agent.dispatch(request, {
        onRequestStart(started) {
          controller = started
          // An error thrown here, before a byte was written, leaves the connection open for the next attempt.
          if (isResolved) throw new Error('The attempt was given up.')
          if (attempt.maySend()) {
            headers = request.headers
            return
          }
          isLapsed = true
          // In the next iteration of the event loop, the connection is free for the next attempt.
          setImmediate(() => finish('lapsed'))
          throw new Error('The batch lease lapsed.')
        },
        onRequestSent() {
          attempt.onWritten?.()
        },
        onResponseStart(_started, code) {
          if (code < 200 || isResolved) return
          status = code
          clearTimeout(timer)
          timer = setTimeout(giveUp, Math.min(maxAnswerMs, endsAt - performance.now()))
        },
        onResponseData(started, chunk) {
          if (answer.add(chunk)) return
          end('')
          started.abort(new Error('The answer exceeds the limit.'))
        },
        onResponseEnd() {
          end('the receiver sent no status')
        },
        onRequestUpgrade(started, code, _headers, socket) {
          status = code
          socket.destroy()
          end('')
          started.abort(new Error('The receiver changed the protocol.'))
        },
        onResponseError(_started, error) {
          if (!isLapsed) end(describeFailure(error))
        },
      })
    } catch (error) {
      end(describeFailure(error as Error))
    }
  })
}

function toRequest(attempt: Attempt) {
  const { origin, pathname, search } = new URL(attempt.url)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'entitlements-service',
    ...signatureHeaders(attempt),
    ...attempt.additionalHeaders,
  }
  return { origin, path: pathname + search, method: 'POST' as const, headers, body: attempt.body }
}

/** Why a status is not an acknowledgement; null for a 2xx. Contract: Delivery 1. */
function findRefusal(status: number): string | null {
  if (status >= 200 && status < 300) return null
  const isRedirect = status >= 300 && status < 400
  return `the receiver answered ${status}, which is not a 2xx${isRedirect ? '; redirects are not followed' : ''}`
}

class Answer {
  #chunks: Buffer[] = []
  #bytes = 0

  /** Adds a chunk, as far as the limit allows. Returns false if the chunk was truncated. */
  add(chunk: Buffer): boolean {
    const freeBytes = maxAnswerBytes - this.#bytes
    const part = chunk.subarray(0, freeBytes)
    this.#chunks.push(Buffer.from(part))
    this.#bytes += part.length
    return chunk.length <= freeBytes
  }

  /** Null when the answer is empty or not text. Leaves out a character that was cut at the end. */
  toText(): string | null {
    if (this.#bytes === 0) return null
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#chunks), { stream: true })
      return text.includes('\0') ? null : text
    } catch {
      return null
    }
  }
}
