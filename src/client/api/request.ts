import { backoffMs } from '../backoff.ts'
import {
  type Abort,
  type AbortSignalLike,
  type Environment,
  type FetchAnswer,
  maxTimerMs,
  newAbort,
} from '../platform.ts'
import { EntitlementsError, errorOf } from './errors.ts'

declare const URL: new (address: string, base: string) => { readonly origin: string }

/** Where requests go, and who sends them. */
export type Transport = {
  baseUrl: string
  /** The headers that identify the caller. */
  authorization(): Record<string, string> | Promise<Record<string, string>>
  /** Runs a request, and runs it again if the service refused the credentials and `authorization` can return new ones. */
  renewing?: <Answer>(run: () => Promise<Answer>) => Promise<Answer>
  environment: Environment
  /** The time limit for an answer, including retries. */
  timeoutMs: number
}

/** The `signal` of an `AbortController`. */
export type Signal = AbortSignalLike & {
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export type JsonRequest = {
  method: string
  /** The path with the query. */
  path: string
  headers?: Record<string, string>
  /** The text of the body: JSON, unless the headers have another type. */
  body?: string | undefined
  /** Whether the client may retry the request even if an earlier attempt may have run. */
  isRepeatable: boolean
  /** Whether the client waits and retries after the rate limit refused the request; true by default. */
  waitsForRate?: boolean
  signal?: Signal | undefined
}

export type JsonAnswer = { status: number; headers: FetchAnswer['headers']; body: unknown }

const betweenAttempts = { least: 100, most: 2_000 }

/**
 * Sends a request, with retries within the time limit. Returns answers with status 2xx and 304. Throws an `EntitlementsError`
 * for anything else, and the signal's reason if the signal aborts the request.
 */
export function requestJson(transport: Transport, request: JsonRequest): Promise<JsonAnswer> {
  const until = transport.environment.now() + transport.timeoutMs
  const run = () => sendUntilAnswered(transport, request, until)
  return transport.renewing ? transport.renewing(run) : run()
}

async function sendUntilAnswered(transport: Transport, request: JsonRequest, until: number): Promise<JsonAnswer> {
  const { environment } = transport
  const { signal } = request
  const attempts = new Attempts(newAbort())
  const stop = () => attempts.end(signal?.reason)
  const cancel = environment.later(Math.min(until - environment.now(), maxTimerMs), () =>
    attempts.end(timedOut(transport)),
  )
  let cancelWait = () => {}
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempts.unlessEnded(sendOnce(transport, request, attempts.abort.signal))
      } catch (error) {
        if (attempts.isOver || !(error instanceof EntitlementsError) || !mayRetry(error, request)) throw error
        const waitMs = (error.retryAfterSeconds ?? 0) * 1000 + backoffMs(environment, betweenAttempts, failures)
        if (environment.now() + waitMs >= until) throw error
        const waited = new Promise<void>((resolve) => {
          cancelWait = environment.later(waitMs, resolve)
        })
        await attempts.unlessEnded(waited)
      }
    }
  } finally {
    cancel()
    cancelWait()
    signal?.removeEventListener('abort', stop)
  }
}

/** Ends the attempts of a request when the time limit is over or the caller aborts. */
class Attempts {
  readonly abort: Abort
  isOver = false
  readonly #ended: Promise<never>
  #reject: (reason: unknown) => void = () => {}

  constructor(abort: Abort) {
    this.abort = abort
    this.#ended = new Promise((_, reject) => {
      this.#reject = reject
    })
    this.#ended.catch(() => {})
  }

  end(reason: unknown): void {
    this.isOver = true
    this.#reject(reason)
    this.abort.abort(reason)
  }

  /** Resolves to the result of the work. Rejects when the attempts end, even if the platform's `fetch` ignores the signal. */
  unlessEnded<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([this.#ended, work])
  }
}

/**
 * Whether the client may send the request again. After 502, 503 and 504 it is unknown whether the request ran: the service may
 * have lost the database's answer.
 */
function mayRetry(
  { code, status, details }: EntitlementsError,
  { isRepeatable, waitsForRate = true }: JsonRequest,
): boolean {
  if (status === 429) return waitsForRate
  if (!isRepeatable) return false
  if (code === 'NO_ANSWER' || status === 502 || status === 503 || status === 504) return true
  // The first attempt is still running.
  return code === 'CONFLICT' && (details as { field?: unknown } | null)?.field === 'idempotency_key'
}

async function sendOnce(transport: Transport, request: JsonRequest, signal: AbortSignalLike): Promise<JsonAnswer> {
  const { method, path, body } = request
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(await transport.authorization()),
    ...request.headers,
  }
  const init = { method, headers, signal, ...(body !== undefined && { body }) }
  let answer: FetchAnswer
  let text: string
  try {
    answer = await transport.environment.fetch(transport.baseUrl + path, init)
    text = await answer.text()
  } catch (cause) {
    throw noAnswer(transport, cause)
  }
  return readAnswer(transport, answer, text)
}

type ErrorBody = {
  error?: { code?: unknown; message?: unknown; request_id?: unknown; details?: unknown }
  errorCode?: unknown
  errorDetails?: unknown
}

/** Returns a successful answer with its parsed body. Throws an `EntitlementsError` for any other answer. */
export function readAnswer(
  { baseUrl }: Pick<Transport, 'baseUrl'>,
  { status, headers }: FetchAnswer,
  text: string,
): JsonAnswer {
  const body = parseJson(text)
  if (status === 304 || (status >= 200 && status < 300 && body !== unreadable)) return { status, headers, body }
  const redirect = redirectOf({ baseUrl }, { status, headers })
  if (redirect) throw redirect
  const { error, errorCode, errorDetails } = (body ?? {}) as ErrorBody
  // OpenFeature's routes return `errorCode` and `errorDetails` instead of `error`.
  const [code, message] = error ? [error.code, error.message] : [errorCode, errorDetails]
  const isServiceError = status >= 400 && typeof code === 'string'
  if (!isServiceError) throw unexpectedAnswer({ baseUrl }, { status, headers })
  throw errorOf({
    code,
    message: String(message ?? code),
    status,
    requestId: (error?.request_id as string | undefined) ?? headers.get('x-request-id'),
    details: error?.details,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  })
}

/** The error for a redirect; null for other answers. For a redirect that is not followed, browsers show only the status 0. */
function redirectOf(
  { baseUrl }: Pick<Transport, 'baseUrl'>,
  { status, headers }: Pick<FetchAnswer, 'status' | 'headers'>,
): EntitlementsError | null {
  if (status !== 0 && (status < 300 || status > 399)) return null
  const target = originOfTarget(headers.get('location'), baseUrl)
  const message =
    `${baseUrl} redirects${target === null ? '' : ` to ${target}`}, and redirects are not followed, because the ` +
    'credential would be sent there. Set baseUrl to the address of the service itself.'
  return errorOf({ code: 'UNEXPECTED_ANSWER', message, status, requestId: headers.get('x-request-id') })
}

/** The origin of a redirect's target, which may be relative to `baseUrl`; null if the target is missing or invalid. */
function originOfTarget(location: string | null, baseUrl: string): string | null {
  try {
    return location === null ? null : new URL(location, baseUrl).origin
  } catch {
    return null
  }
}

/** The error for an answer that did not come from the service, but from a proxy, for example. */
export function unexpectedAnswer(
  { baseUrl }: Pick<Transport, 'baseUrl'>,
  { status, headers }: Pick<FetchAnswer, 'status' | 'headers'>,
): EntitlementsError {
  return errorOf({
    code: 'UNEXPECTED_ANSWER',
    message: `${baseUrl} answered ${status}, but not in the service's format. Is it the address of the service?`,
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
  })
}

const unreadable = Symbol('unreadable')

/** The parsed JSON; null for an empty text, and `unreadable` for any other text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return unreadable
  }
}

/** The wait that a `Retry-After` header asks for, in seconds. The header has seconds or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0)
}

export function noAnswer({ baseUrl }: Pick<Transport, 'baseUrl'>, cause: unknown): EntitlementsError {
  const reasons = [(cause as { cause?: { message?: unknown } } | null)?.cause?.message, String(cause)]
  const message = `The service at ${baseUrl} did not answer: ${reasons.find(Boolean)}`
  return errorOf({ code: 'NO_ANSWER', message, cause })
}

function timedOut({ baseUrl, timeoutMs }: Transport): EntitlementsError {
  return errorOf({
    code: 'TIMED_OUT',
    message: `The service at ${baseUrl} did not answer within ${Math.ceil(timeoutMs)} ms.`,
  })
}
