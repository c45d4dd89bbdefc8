import { Agent, type Dispatcher } from 'undici'
import { guardedConnector } from './address-guard.ts'
import { describeFailure } from './failure.ts'
import { signatureHeaders } from './signature.ts'

/** One attempt to send: these bytes, to this address, with the current secret. */
export type Attempt = {
  id: string
  /** `http` or `https`. */
  url: string
  body: Uint8Array
  secret: string
  /** Further headers. */
  more?: Record<string, string>
  now: Date
  /** The time limit for the whole attempt: connecting, sending, and reading the answer. */
  timeoutMs: number
  /** The rest of that time, if connecting took some of it before a claim lapsed. */
  leftMs?: number
  /** Called when the connection is open and the first byte is about to be sent. */
  mayLeave(): boolean
  /** Called when the request is written. */
  onWritten?: () => void
}

/** The receiver's answer, or the reason for getting none. `error` is null if and only if the status is a 2xx. */
export type AttemptResult = {
  status: number | null
  error: string | null
  answer: string | null
  /** The headers as sent; null when nothing was sent. */
  headers: Record<string, string> | null
}

/** `lapsed`: the claim was no longer valid when the connection was open. Nothing was sent; claim the event again. */
export type SendResult = AttemptResult | 'lapsed'

export type Sender = {
  /** Never rejects. */
  send(attempt: Attempt): Promise<SendResult>
  close(): Promise<void>
}

/** Bytes of an answer's body that are read and stored at most, and how long they are waited for after the status. */
const answerLimitBytes = 4096
const answerMs = 1000

/** Shorter than receivers usually allow, so that no connection is reused at the moment when they close it. */
const keepAliveMs = 1000

export function createSender(options: Parameters<typeof guardedConnector>[0]): Sender {
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    // Many organizations may share an origin, so it has no limit of connections: an organization's lane is the limit.
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
    let isSettled = false
    let isLapsed = false
    let status: number | null = null
    const answer = new Answer()
    let headers: Record<string, string> | null = null

    const settle = (result: SendResult) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      resolve(result)
    }
    /** A status decides, whatever happened to the rest of the answer; without one, this is the reason. */
    const end = (failure: string) =>
      settle({ status, error: status === null ? failure : findRefusal(status), answer: answer.toText(), headers })
    const giveUp = () => {
      end(`no answer within ${attempt.timeoutMs / 1000} seconds`)
      controller?.abort(new Error('The attempt took too long.'))
    }
    const leftMs = attempt.leftMs ?? attempt.timeoutMs
    const endsAt = performance.now() + leftMs
    let timer = setTimeout(giveUp, leftMs)

    try {
      const request = toRequest(attempt)
      agent.dispatch(request, {
        onRequestStart(started) {
          controller = started
          // An error thrown here, before a byte was written, leaves the connection usable: the next claim uses it.
          if (isSettled) throw new Error('The attempt was given up.')
          if (attempt.mayLeave()) {
            headers = request.headers
            return
          }
          isLapsed = true
          // By the next iteration of the event loop the connection is free for the next claim.
          setImmediate(() => settle('lapsed'))
          throw new Error('The claim lapsed.')
        },
        onRequestSent() {
          attempt.onWritten?.()
        },
        onResponseStart(_started, code) {
          if (code < 200 || isSettled) return
          status = code
          clearTimeout(timer)
          timer = setTimeout(giveUp, Math.min(answerMs, endsAt - performance.now()))
        },
        onResponseData(started, chunk) {
          if (answer.take(chunk)) return
          end('')
          started.abort(new Error('The answer is longer than what is read.'))
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
    ...attempt.more,
  }
  return { origin, path: pathname + search, method: 'POST' as const, headers, body: attempt.body }
}

/** Why a status is no acknowledgement, or null when it is one. Contract: Delivery 1. */
function findRefusal(status: number): string | null {
  if (status >= 200 && status < 300) return null
  const isRedirect = status >= 300 && status < 400
  return `the receiver answered ${status}, which is not a 2xx${isRedirect ? '; redirects are not followed' : ''}`
}

class Answer {
  #chunks: Buffer[] = []
  #bytes = 0

  /** Whether there is space for more. */
  take(chunk: Buffer): boolean {
    const room = answerLimitBytes - this.#bytes
    const taken = chunk.subarray(0, room)
    this.#chunks.push(Buffer.from(taken))
    this.#bytes += taken.length
    return chunk.length <= room
  }

  /** Null when the answer is empty or not text. A truncated character is left out. */
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
