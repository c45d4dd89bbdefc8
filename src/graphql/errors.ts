import { GraphQLError } from 'graphql'
import { type DomainError, validationError } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'
import type { FailureLog } from '../http/failure-log.ts'

const maxMessageLength = 1_000

/** The error contract in GraphQL's form: the same code, message and details as in REST. */
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

/** The refusal of a document, its variables or its size. Messages that quote a long text are truncated. */
export function refuseDocument({ message }: { message: string }): DomainError {
  const shown = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
  return validationError([{ path: '', message: shown }])
}

/** Why a field was refused. Logs the failure of a nested field; that of an operation is logged already. */
export function toRefusal(error: GraphQLError, failures: FailureLog, requestId: string): DomainError {
  const cause = findCause(error)
  // GraphQL's own error: an argument of the wrong type.
  if (cause instanceof GraphQLError) return refuseDocument(cause)
  const refusal = toDomainError(cause)
  failures.log(refusal, requestId)
  return refusal
}

function findCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? findCause(error.originalError) : error
}
