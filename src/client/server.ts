import { errorOf, UnauthorizedError } from './api/errors.ts'
import { type JsonAnswer, noAnswer, readAnswer, requestJson } from './api/request.ts'
import type { AbortSignalLike, Environment, FetchAnswer } from './platform.ts'
import { withinMs } from './within.ts'

export type Access = {
  /** The address of the service, such as `https://entitlements.example`. */
  baseUrl: string
  /** A key of a service account; the role `evaluator` is enough. Never use it in a browser. */
  apiKey?: string | undefined
  /**
   * A subscriber token, or a function that gets one. The client calls the function before its first request, and whenever the
   * service refuses the last token.
   */
  token?: string | (() => string | Promise<string>) | undefined
}

/** The time limit for getting a token: a call that hangs would block all requests after it. */
const tokenTimeoutMs = 10_000

/** Sends requests to the service with the credentials of one caller. */
export class Server {
  /** Whether there is an API key. With one, a request may ask for many subscribers; with a subscriber token, only for one. */
  readonly hasKey: boolean
  readonly baseUrl: string
  readonly #access: Access
  readonly #environment: Environment
  #token: Promise<string> | null = null

  constructor(access: Access, environment: Environment) {
    this.baseUrl = access.baseUrl
    this.hasKey = access.apiKey !== undefined
    this.#access = access
    this.#environment = environment
  }

  readonly authorization = async (): Promise<Record<string, string>> => {
    const { apiKey } = this.#access
    return apiKey === undefined ? { authorization: `Bearer ${await this.#getToken()}` } : { 'x-api-key': apiKey }
  }

  /** Sends a GET, and retries it within the time limit. */
  get(path: string, headers: Record<string, string>, timeoutMs: number, waitsForRate = true): Promise<JsonAnswer> {
    const { baseUrl, authorization, renewing } = this
    const transport = { baseUrl, authorization, renewing, environment: this.#environment, timeoutMs }
    return requestJson(transport, { method: 'GET', path, headers, isRepeatable: true, waitsForRate })
  }

  /** Sends a POST that changes nothing, and retries it within the time limit. */
  postRead(path: string, body: object, timeoutMs: number): Promise<JsonAnswer> {
    const { baseUrl, authorization, renewing } = this
    const transport = { baseUrl, authorization, renewing, environment: this.#environment, timeoutMs }
    return requestJson(transport, {
      method: 'POST',
      path,
      body: JSON.stringify(body),
      isRepeatable: true,
      waitsForRate: false,
    })
  }

  /** Sends a GET whose answer is a stream. */
  open(path: string, headers: Record<string, string>, signal: AbortSignalLike): Promise<FetchAnswer> {
    return this.renewing(async () => {
      const all = { ...headers, ...(await this.authorization()) }
      const answer = await this.#environment.fetch(this.baseUrl + path, { headers: all, signal }).catch((cause) => {
        throw noAnswer(this, cause)
      })
      if (answer.status !== 200) readAnswer(this, answer, await answer.text())
      return answer
    })
  }

  /** Runs the request again with a new token if the service refused the old one. */
  readonly renewing = async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    const token = this.#token
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || typeof this.#access.token !== 'function') throw error
      // Another request may have renewed the token meanwhile.
      if (token === null || this.#token === token) this.#token = null
      return run()
    }
  }

  async #getToken(): Promise<string> {
    const { token = '' } = this.#access
    if (typeof token === 'string') return token
    this.#token ??= withinMs(this.#environment, tokenTimeoutMs, async () => token())
    try {
      return await this.#token
    } catch (cause) {
      this.#token = null
      throw errorOf({ code: 'NO_ANSWER', message: 'The `token` function failed, so the service was not asked.', cause })
    }
  }
}
