import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { type DomainError, validationError } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'

/** The error contract in GraphQL's words: the same code, message and details as at the REST door. */
export function toContractError(error: GraphQLError, requestId: string, logger: Logger): GraphQLError {
  const refusal = toRefusal(error)
  if (refusal.status >= 500) logger.error({ err: refusal.cause ?? refusal, requestId }, refusal.message)
  return new GraphQLError(refusal.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    extensions: errorExtensions(refusal, requestId),
  })
}

export function errorExtensions({ type, code, details, status }: DomainError, requestId: string) {
  return { type, code, requestId, details, status }
}

/** What GraphQL itself refuses (syntax, an unknown field, a variable of the wrong type, bounds) is a validation error. */
function toRefusal(error: GraphQLError): DomainError {
  const { originalError } = error
  if (originalError && !(originalError instanceof GraphQLError)) return toDomainError(originalError)
  if (originalError instanceof GraphQLError && originalError.originalError) return toRefusal(originalError)
  return validationError([{ path: '', message: error.message }])
}
