import type {} from 'pg'

/** Members of pg's clients that the published types omit. */
declare module 'pg' {
  interface ClientBase {
    /** False while a query runs; unset until the server is ready for the first query. */
    readonly readyForQuery?: boolean
    /** Idle, in a transaction, or in a failed transaction; null until the server has reported the status. */
    readonly _txStatus: 'I' | 'T' | 'E' | null
    /** The id of the server's process for this connection. */
    readonly processID: number | null
  }
}
