import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../core/errors.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Sends an error; all errors have the same shape. Contract: Errors. */
export function sendError(reply: FastifyReply, error: DomainError): FastifyReply {
  const { code, details, status } = error
  if (code === 'RATE_LIMITED') reply.header('retry-after', String(details?.retry_after_seconds ?? 1))
  return reply.code(status).send(toErrorBody(error, reply.request.id))
}

export function toErrorBody({ type, code, message, details }: DomainError, requestId: string): object {
  return { error: { type, code, message, request_id: requestId, details } }
}

/**
 * Answers a HEAD request without `Content-Length`, because the length of the body is not known. Fastify would answer an absent
 * body with `Content-Length: 0`.
 */
export function sendOnlyHeaders(reply: FastifyReply): FastifyReply {
  return reply.send(Readable.from([]))
}

/** Answers that the client already has the current answer. */
export function sendNotModified(reply: FastifyReply): FastifyReply {
  reply.code(304)
  return reply.request.method === 'HEAD' ? sendOnlyHeaders(reply) : reply.send()
}

/** The refusal of an unknown path, or of a method that the path does not have. Contract: Errors 4. */
export function unknownRoute(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such route. Check the method and the path.')
}

/**
 * The refusal of a GraphQL query that is sent in the URL: such a query would appear in logs, and a link could run a mutation.
 */
export function graphqlTakesPost(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'Send GraphQL requests by POST, with the query in a JSON body: { "query": "…", "variables": { … } }.',
  )
}
