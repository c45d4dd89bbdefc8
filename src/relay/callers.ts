import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../core/errors.ts'
import { isLoopback } from '../core/public-address.ts'
import { readBearer } from '../http/bearer.ts'
import { recognizeCaller } from '../http/connection.ts'

type Request = Pick<FastifyRequest, 'headers' | 'hostname' | 'raw'>

/**
 * The permitted callers: clients that send one of the tokens, or if the relay has no tokens, all clients that address it by a
 * name of this machine, such as localhost.
 */
export class Callers {
  readonly #hashes: ReadonlySet<string> | null
  /** The token or host name that was last accepted on each connection. */
  readonly #accepted = new WeakMap<Socket, string>()

  constructor(tokens: readonly string[]) {
    this.#hashes = tokens.length === 0 ? null : new Set(tokens.map(hashOf))
  }

  isToken(text: string): boolean {
    return this.#hashes?.has(hashOf(text)) ?? true
  }

  /** A hook that refuses other callers with 401. It is synchronous, because each check runs it. */
  readonly admit = (request: Request, _reply: unknown, done: (error?: Error) => void): void => {
    let refusal: Error | undefined
    try {
      const { 'x-api-key': key, authorization } = request.headers
      this.assertToken(request, key === undefined ? readBearer(authorization) : String(key))
    } catch (error) {
      refusal = error as Error
    }
    done(refusal)
  }

  /** Throws 401 unless the caller is permitted. */
  assertToken({ hostname, raw }: Request, token: string | undefined): void {
    if (this.#hashes === null) {
      this.#assertOwnMachine(hostname, raw)
    } else if (token === undefined || this.#accepted.get(raw.socket) !== token) {
      if (token === undefined || !this.isToken(token)) throw unauthorized(tokenRequired)
      this.#accepted.set(raw.socket, token)
      recognizeCaller(raw)
    }
  }

  /** Whether the same token or host name was accepted before on this connection. */
  hasAccepted({ headers, socket }: IncomingMessage): boolean {
    const { 'x-api-key': key, authorization, host } = headers
    const credential = this.#hashes === null ? host : key === undefined ? readBearer(authorization) : String(key)
    return credential !== undefined && this.#accepted.get(socket) === credential
  }

  /** Refuses other host names, by which a web page in a browser on this machine could reach the relay. */
  #assertOwnMachine(hostname: string, { socket, headers }: IncomingMessage): void {
    if (socket.remoteAddress !== undefined && !isLoopback(hostname)) throw unauthorized(loopbackOnly)
    if (headers.host !== undefined) this.#accepted.set(socket, headers.host)
  }
}

function hashOf(token: string): string {
  return hash('sha256', token)
}

const tokenRequired = "Send one of the relay's tokens (RELAY_TOKENS) in the X-API-Key header, or as a Bearer token."
const loopbackOnly = 'This relay has no tokens, so it answers only at localhost, 127.0.0.1 or [::1].'
