import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { type DomainError, Overloaded, validationError } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'

const maxMessageLength = 1_000

/** The error contract in GraphQL's words: the same code, message and details as at the REST door. */
export function toGraphqlError(refusal: DomainError, requestId: string, at?: GraphQLError): GraphQLError {
  const { type, code, message, details, status } = refusal
  return new GraphQLError(message, {
    nodes: at?.nodes ?? null,
    source: at?.source ?? null,
    positions: at?.positions ?? null,
    path: at?.path ?? null,
    extensions: { type, code, requestId, details, status },
  })
}

/** What a document, its variables or its size are refused for. Messages that quote a long text are cut. */
export function refuseDocument({ message }: { message: string }): DomainError {
  const shown = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
  return validationError([{ path: '', message: shown }])
}

/** Why a field was refused. What failed on our side is logged once, however many fields had to wait for it. */
export function createRefusalOf(logger: Logger, requestId: string): (error: GraphQLError) => DomainError {
  const logged = new Set<unknown>()
  return (error) => {
    const cause = findCause(error)
    // GraphQL's own: an argument that does not fit.
    if (cause instanceof GraphQLError) return refuseDocument(cause)
    const refusal = toDomainError(cause)
    const isFault = refusal.status >= 500 && !(refusal instanceof Overloaded)
    if (isFault && !logged.has(cause)) {
      logged.add(cause)
      logger.error({ err: refusal.cause ?? refusal, requestId }, refusal.message)
    }
    return refusal
  }
}

function findCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? findCause(error.originalError) : error
}
