import type { FastifyReply } from 'fastify'
import { DomainError } from '../core/errors.ts'

/** The one shape of every error. Contract: Errors. */
export function sendError(reply: FastifyReply, error: DomainError): FastifyReply {
  const { type, code, message, details, status } = error
  if (code === 'RATE_LIMITED') reply.header('retry-after', String(details?.retry_after_seconds ?? 1))
  return reply.code(status).send({ error: { type, code, message, request_id: reply.request.id, details } })
}

/** An unknown path, or a method that the path does not have. Contract: Errors 4. */
export function unknownRoute(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such route. Check the method and the path.')
}
