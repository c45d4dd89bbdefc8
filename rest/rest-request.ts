import type { FastifyRequest } from 'fastify'
import type { Actor, UserActor } from '../src/access/actor.ts'
import { hashApiKey } from '../src/access/api-key.ts'
import { authenticateKey } from '../src/access/authenticate.ts'
import { authenticateToken } from '../src/access/authenticate-user.ts'
import { unauthorized } from '../src/core/errors.ts'
import { recognizeCaller } from '../src/http/connection.ts'
import { isFromForeignPage, noSignInFromElsewhere } from '../src/http/cookies.ts'
import { type Origin, originOf } from '../src/http/origin.ts'
import type { Callers, OperationRequest } from '../src/operation/request.ts'
import type { Services } from '../src/operation/services.ts'

/** Whether the request's `Accept` names this media type. */
export function accepts({ headers }: Pick<FastifyRequest, 'headers'>, mediaType: string): boolean {
  return String(headers.accept ?? '')
    .split(',')
    .some((type) => type.split(';')[0]?.trim().toLowerCase() === mediaType)
}

/**
 * A request to the REST API: operations in an organization accept only the key, personal ones only the Bearer token. A
 * class, because each eval creates one: members that the eval does not read cost nothing.
 */
export class RestRequest implements OperationRequest, Callers {
  readonly api = 'rest'
  readonly #services: Services
  readonly #request: FastifyRequest
  #origin: Origin | undefined

  constructor(services: Services, request: FastifyRequest) {
    this.#services = services
    this.#request = request
  }

  get requestId(): string {
    return this.#request.id
  }

  get origin(): Origin {
    this.#origin ??= originOf(this.#request, this.#services)
    return this.#origin
  }

  /** The gate reads it only if the key may be restricted to networks. */
  get keyAddress(): string | null {
    return this.#services.keyOrigins.addressOf(this.origin.ip)
  }

  get path(): Record<string, string> {
    return this.#request.params as Record<string, string>
  }

  get callers(): Callers {
    return this
  }

  async member(): Promise<Actor> {
    const key = this.#key
    if (key === undefined) this.#refuseBrowser()
    const member = await authenticateKey(this.#services, key, this.origin.ip)
    recognizeCaller(this.#request.raw)
    return member
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

  stranger() {
    const pageOrigin = this.#services.address.pageOrigin(this.#request)
    if (isFromForeignPage(this.#request, pageOrigin)) throw noSignInFromElsewhere
    return { browserMark: null }
  }

  /** Someone who opens an API address in a browser cannot send a header, but may sign in to the console. */
  #refuseBrowser(): void {
    if (!this.#request.headers.accept?.includes('text/html')) return
    const signIn = `${this.#services.address.baseUrl(this.#request)}/sign-in`
    throw unauthorized(`This address is for programs, which send an API key. Sign in to the console at ${signIn}.`)
  }

  get #key(): string | undefined {
    const key = this.#request.headers['x-api-key']
    return Array.isArray(key) ? key.join() : key
  }
}
