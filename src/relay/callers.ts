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
 * The permitted callers: clients with one of the tokens; without any tokens, every client that reaches the relay on this
 * machine.
 */
export class Callers {
  readonly #hashes: ReadonlySet<string> | null
  /** The token, or the name of this machine, that was found right on a connection. */
  readonly #found = new WeakMap<Socket, string>()

  constructor(tokens: readonly string[]) {
    this.#hashes = tokens.length === 0 ? null : new Set(tokens.map(hashOf))
  }

  isToken(text: string): boolean {
    return this.#hashes?.has(hashOf(text)) ?? true
  }

  /** A hook that refuses with 401. It awaits nothing: each check runs it. */
  readonly admit = (request: Request, _reply: unknown, done: (error?: Error) => void): void => {
    let refused: Error | undefined
    try {
      const { 'x-api-key': key, authorization } = request.headers
      this.assertToken(request, key === undefined ? readBearer(authorization) : String(key))
    } catch (error) {
      refused = error as Error
    }
    done(refused)
  }

  /** Throws 401. */
  assertToken({ hostname, raw }: Request, token: string | undefined): void {
    if (this.#hashes === null) {
      this.#assertOwnMachine(hostname, raw)
    } else if (token === undefined || this.#found.get(raw.socket) !== token) {
      if (token === undefined || !this.isToken(token)) throw unauthorized(refusal)
      this.#found.set(raw.socket, token)
      recognizeCaller(raw)
    }
  }

  /** Whether the same was allowed before on the connection. */
  knows({ headers, socket }: IncomingMessage): boolean {
    const { 'x-api-key': key, authorization, host } = headers
    const shown = this.#hashes === null ? host : key === undefined ? readBearer(authorization) : String(key)
    return shown !== undefined && this.#found.get(socket) === shown
  }

  /** A page in a browser on this machine could reach it by another name. */
  #assertOwnMachine(hostname: string, { socket, headers }: IncomingMessage): void {
    if (socket.remoteAddress !== undefined && !isLoopback(hostname)) throw unauthorized(noTokens)
    if (headers.host !== undefined) this.#found.set(socket, headers.host)
  }
}

function hashOf(token: string): string {
  return hash('sha256', token)
}

const refusal = "Send one of the relay's tokens (RELAY_TOKENS) in the X-API-Key header, or as a Bearer token."
const noTokens = 'This relay has no tokens, so it answers only at localhost, 127.0.0.1 or [::1].'
