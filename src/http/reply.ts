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

/** Answers HEAD for a body of unknown length. Fastify would answer an absent body with `Content-Length: 0`. */
export function sendOnlyHeaders(reply: FastifyReply): FastifyReply {
  return reply.send(Readable.from([]))
}

/** The refusal of an unknown path, or of a method that the path does not have. Contract: Errors 4. */
export function unknownRoute(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such route. Check the method and the path.')
}

/** The refusal of a query in the URL of /graphql, which would be in logs, and with which a link could run a mutation. */
export function graphqlTakesPost(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'Send GraphQL requests by POST, with the query in a JSON body: { "query": "…", "variables": { … } }.',
  )
}
