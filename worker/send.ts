import { Agent, type Dispatcher } from 'undici'
import { guardedConnector } from './address-guard.ts'
import { describeFailure } from './failure.ts'
import { signatureHeaders } from './signature.ts'

/** One attempt as it leaves: these bytes, to this address, with the secret of this moment. */
export type Attempt = {
  id: string
  /** `http` or `https`. */
  url: string
  body: Uint8Array
  secret: string
  now: Date
  /** For all of it: connecting, sending, and the whole answer. */
  timeoutMs: number
  /** What is left of that, where connecting took some of it before a claim lapsed. */
  leftMs?: number
  /** Asked when the connection stands and the first byte is about to leave. */
  mayLeave(): boolean
}

/** What the receiver answered, or why there was no answer. `error` is null if and only if the receiver acknowledged. */
export type AttemptResult = { status: number | null; error: string | null; answer: string | null }

/** `lapsed`: what was claimed no longer held when the connection stood. Nothing left; claim it again. */
export type SendResult = AttemptResult | 'lapsed'

export type Sender = {
  /** Never rejects. */
  send(attempt: Attempt): Promise<SendResult>
  close(): Promise<void>
}

/** As much of an answer as is read and kept. */
export const answerLimitBytes = 4096

/** Shorter than what receivers usually allow, so that a connection is not used in the moment in which they close it. */
const keepAliveMs = 1000

export function createSender(options: { allowPrivateNetworks: boolean; timeoutMs: number }): Sender {
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    // No cap on connections to an origin: many organizations may share one. An organization's lane is the cap.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // One timer watches the whole attempt.
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

    const settle = (result: SendResult) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      resolve(result)
    }
    const fail = (error: string) => settle({ status, error, answer: answer.toText() })
    const settleAnswered = (code: number) => settle({ status, error: findRefusal(code), answer: answer.toText() })
    const giveUp = () => {
      fail(describeTimeout(attempt.timeoutMs, status))
      controller?.abort(new Error('The attempt took too long.'))
    }
    const timer = setTimeout(giveUp, attempt.leftMs ?? attempt.timeoutMs)

    try {
      const { origin, pathname, search } = new URL(attempt.url)
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'entitlements-service',
        ...signatureHeaders(attempt),
      }
      const { body } = attempt
      agent.dispatch(
        { origin, path: pathname + search, method: 'POST', headers, body },
        {
          onRequestStart(started) {
            controller = started
            // Thrown here, before a byte was written, an error leaves the connection as it is: the next claim uses it.
            if (isSettled) throw new Error('The attempt was given up.')
            if (attempt.mayLeave()) return
            isLapsed = true
            // A turn later the connection is free, and the next claim finds it.
            setImmediate(() => settle('lapsed'))
            throw new Error('The claim lapsed.')
          },
          onResponseStart(_started, code) {
            if (code >= 200) status = code
          },
          onResponseData(started, chunk) {
            if (answer.take(chunk) || status === null) return
            // Enough was read to tell: the rest is not waited for.
            settleAnswered(status)
            started.abort(new Error('The answer is longer than what is read.'))
          },
          onResponseEnd() {
            if (status !== null) settleAnswered(status)
          },
          onRequestUpgrade(started, code, _headers, socket) {
            status = code
            socket.destroy()
            fail(`the receiver answered ${code}, which is no 2xx`)
            started.abort(new Error('The receiver changed the protocol.'))
          },
          onResponseError(_started, error) {
            if (!isLapsed) fail(describeFailure(error, status))
          },
        },
      )
    } catch (error) {
      fail(describeFailure(error as Error, status))
    }
  })
}

/** Why an answer acknowledges nothing, or null when it does. Contract: Delivery 1. */
function findRefusal(status: number): string | null {
  if (status >= 200 && status < 300) return null
  const isRedirect = status >= 300 && status < 400
  return `the receiver answered ${status}, which is no 2xx${isRedirect ? '; redirects are not followed' : ''}`
}

function describeTimeout(timeoutMs: number, status: number | null): string {
  const within = `within ${timeoutMs / 1000} seconds`
  return status === null ? `no answer ${within}` : `the answer, ${status}, did not end ${within}`
}

class Answer {
  #chunks: Buffer[] = []
  #bytes = 0

  /** Whether there is room for more. */
  take(chunk: Buffer): boolean {
    const room = answerLimitBytes - this.#bytes
    const taken = chunk.subarray(0, room)
    this.#chunks.push(Buffer.from(taken))
    this.#bytes += taken.length
    return chunk.length <= room
  }

  /** Null when there was nothing, or no text. A character that was cut in two is left out. */
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
