import type { FastifyInstance } from 'fastify'
import { DomainError } from '../core/errors.ts'

/** Refuses HTTP/1.1 requests that lack the required Host header: answers 400 and the contract's error body. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isMissing = raw.headers.host === undefined && raw.httpVersion === '1.1'
    done(isMissing ? new DomainError('INVALID_JSON', 'Send a Host header: HTTP/1.1 requires one.') : undefined)
  })
}
