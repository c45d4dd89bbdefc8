import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Actor, UserActor } from '../src/access/actor.ts'
import { hashApiKey } from '../src/access/api-key.ts'
import { authenticateKey, findCachedMember } from '../src/access/authenticate.ts'
import { authenticateToken } from '../src/access/authenticate-user.ts'
import { isSubscriberToken, type TokenSubject } from '../src/access/subscriber-token.ts'
import { unauthorized } from '../src/core/errors.ts'
import { readBearer } from '../src/http/bearer.ts'
import { recognizeCaller } from '../src/http/connection.ts'
import { crossSiteSignInRefused, isFromForeignPage } from '../src/http/cookies.ts'
import { prefersPage } from '../src/http/negotiation.ts'
import { type Origin, originOf } from '../src/http/origin.ts'
import { IdempotentRequest, keyHeader } from '../src/operation/idempotent-request.ts'
import type { AnyOperation } from '../src/operation/operation.ts'
import type { Callers, OperationRequest } from '../src/operation/request.ts'
import type { Services } from '../src/operation/services.ts'
import type { OpenSpan } from '../src/tracing/open-span.ts'

type TokenLocation = 'bearer' | 'either_header' | 'address' | undefined

const tokenNotAccepted = unauthorized(
  "A subscriber's token does not give access to this route. Send an API key in the X-API-Key header.",
)
const bothCredentialsSent = unauthorized("Send an API key or a subscriber's token, not both.")

const idempotencyHeader = keyHeader.toLowerCase()

function streamTokenOf({ query }: FastifyRequest): string {
  const { token } = query as { token?: string | string[] }
  return typeof token === 'string' ? token : ''
}

/**
 * A request to the REST API. Operations in an organization accept only a key, personal operations only a Bearer token, and some
 * operations also a subscriber's token. It is a class because each eval creates an instance, and getters that the eval does not
 * read cost nothing.
 */
export class RestRequest implements OperationRequest, Callers {
  readonly api = 'rest'
  span: OpenSpan | null
  readonly #services: Services
  readonly #request: FastifyRequest
  readonly #tokenLocation: TokenLocation
  #origin: Origin | undefined
  readonly #toBody: ((result: unknown) => string | null) | undefined
  #idempotentRequest: IdempotentRequest | null | undefined

  /** `toBody` converts the result of a write to the body. */
  constructor(
    services: Services,
    request: FastifyRequest,
    operation: AnyOperation,
    toBody?: (result: unknown) => string | null,
  ) {
    this.#services = services
    this.#request = request
    this.span = request.span
    this.#tokenLocation = 'tokens' in operation ? operation.tokens : undefined
    this.#toBody = toBody
  }

  get requestId(): string {
    return this.#request.id
  }

  get origin(): Origin {
    this.#origin ??= originOf(this.#request, this.#services)
    return this.#origin
  }

  /** The caller's address, which the gate needs only for keys that may be restricted to networks. */
  get keyAddress(): string | null {
    return this.#services.keyOrigins.addressOf(this.origin.ip)
  }

  get path(): Record<string, string> {
    return this.#request.params as Record<string, string>
  }

  get callers(): Callers {
    return this
  }

  /** Null without an `Idempotency-Key`. */
  get idempotentRequest(): IdempotentRequest | null {
    if (this.#idempotentRequest === undefined) this.#idempotentRequest = this.#readIdempotentRequest()
    return this.#idempotentRequest
  }

  async member(): Promise<Actor> {
    const key = this.#key
    if (key === undefined) this.#refuseBrowser()
    const member = await authenticateKey(this.#services, key, this.origin.ip)
    recognizeCaller(this.#request.raw)
    return member
  }

  /**
   * The member whom this process remembers for the API key. Null with an `Idempotency-Key`, because that key must be reserved
   * before the audit log entry is recorded.
   */
  remembered(): Actor | null {
    const key = this.#key
    if (key === undefined || this.#request.headers[idempotencyHeader] !== undefined) return null
    const member = findCachedMember(this.#services, key)
    if (member) recognizeCaller(this.#request.raw)
    return member
  }

  /** Whether the request has a subscriber's token, valid or not, and the operation accepts such tokens. */
  get sendsToken(): boolean {
    return this.#token !== undefined
  }

  tokenSubject(): Promise<TokenSubject> | null {
    const token = this.#token
    if (token === undefined) return null
    const { subscriberTokens } = this.#services
    return this.#tokenLocation === 'address' ? subscriberTokens.verifyForStream(token) : subscriberTokens.verify(token)
  }

  evaluator(): ReturnType<Callers['evaluator']> {
    const key = this.#key
    if (key === undefined) this.#refuseBrowser()
    const keyHash = hashApiKey(key ?? '')
    if (!keyHash) throw unauthorized()
    return { caller: { keyHash, from: this }, member: null }
  }

  async person(): Promise<UserActor> {
    const { authorization } = this.#request.headers
    if (authorization === undefined) this.#refuseBrowser()
    const person = await authenticateToken(this.#services, authorization)
    recognizeCaller(this.#request.raw)
    return person
  }

  anonymousClient() {
    const pageOrigin = this.#services.address.pageOrigin(this.#request)
    if (isFromForeignPage(this.#request, pageOrigin)) throw crossSiteSignInRefused
    return { browserMark: null }
  }

  /** Tells a person who opens an API address in a browser, which cannot send the header, to sign in to the console. */
  #refuseBrowser(): void {
    if (!prefersPage(this.#request)) return
    const signIn = `${this.#services.address.baseUrl(this.#request)}/sign-in`
    throw unauthorized(`This address is for programs, which send an API key. Sign in to the console at ${signIn}.`)
  }

  #readIdempotentRequest(): IdempotentRequest | null {
    const { headers, method, url, bodyHash } = this.#request
    const header = headers[idempotencyHeader]
    if (header === undefined) return null
    const requestHash = createHash('sha256')
      .update(`${method} ${url}\n`)
      .update(bodyHash ?? '')
      .digest()
    return new IdempotentRequest({ header: String(header), requestHash, ...(this.#toBody && { toBody: this.#toBody }) })
  }

  get #key(): string | undefined {
    const key = this.#sentKey
    const { authorization } = this.#request.headers
    if (authorization === undefined) return key
    const bearer = readBearer(authorization)
    if (bearer === undefined) return key
    if (this.#tokenLocation === 'either_header') return key ?? bearer
    if (isSubscriberToken(bearer)) throw key === undefined ? tokenNotAccepted : bothCredentialsSent
    return key
  }

  get #token(): string | undefined {
    if (this.#tokenLocation === undefined) return undefined
    if (this.#tokenLocation === 'address') return streamTokenOf(this.#request)
    const key = this.#sentKey
    const bearer = readBearer(this.#request.headers.authorization)
    if (this.#tokenLocation === 'bearer') return key === undefined ? bearer : undefined
    if (key !== undefined && bearer !== undefined) throw bothCredentialsSent
    const sent = key ?? bearer
    return sent !== undefined && isSubscriberToken(sent) ? sent : undefined
  }

  get #sentKey(): string | undefined {
    const key = this.#request.headers['x-api-key']
    return Array.isArray(key) ? key.join() : key
  }
}
