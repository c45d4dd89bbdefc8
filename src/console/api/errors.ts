import { withEnglishQuotes } from './quotes.ts'

export type FieldError = { path: string; message: string }

/** A refusal in the server's own words. Contract: Errors. */
export class ServerError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string
  readonly details: Record<string, unknown> | null

  constructor(message: string, extensions: ErrorExtensions) {
    super(withEnglishQuotes(message))
    this.name = 'ServerError'
    this.code = extensions.code
    this.status = extensions.status
    this.requestId = extensions.requestId
    this.details = extensions.details
  }

  /** The invalid fields of a VALIDATION_ERROR, with their names in GraphQL. */
  get fields(): FieldError[] {
    const fields = this.details?.fields
    return Array.isArray(fields) ? (fields as FieldError[]) : []
  }
}

export type ErrorExtensions = {
  code: string
  status: number
  requestId: string
  details: Record<string, unknown> | null
}

/** The service did not answer, or something else answered: it is unknown whether the request was carried out. */
export class NetworkError extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached. Check your connection, and try again.', { cause })
    this.name = 'NetworkError'
  }
}

export function isServerError(error: unknown, code?: string): error is ServerError {
  return error instanceof ServerError && (code === undefined || error.code === code)
}
