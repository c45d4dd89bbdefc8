import { GraphQLError } from 'graphql'
import { type DomainError, validationError } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'
import type { FailureLog } from '../http/failure-log.ts'

const maxMessageLength = 1_000

/** Converts a refusal to a GraphQL error with the same code, message and details as in REST. */
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

/** Converts an error about a document, its variables or its size. Truncates messages that quote a long text. */
export function toDocumentRefusal({ message }: { message: string }): DomainError {
  const shown = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
  return validationError([{ path: '', message: shown }])
}

/** Converts the error of a field. Logs the failure of a nested field; operations have logged theirs. */
export function toRefusal(error: GraphQLError, failures: FailureLog, requestId: string): DomainError {
  const cause = findCause(error)
  // graphql-js refused an argument of the wrong type.
  if (cause instanceof GraphQLError) return toDocumentRefusal(cause)
  const refusal = toDomainError(cause)
  failures.log(refusal, requestId)
  return refusal
}

function findCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? findCause(error.originalError) : error
}
