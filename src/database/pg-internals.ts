import type {} from 'pg'

/** Members of pg's clients that their published types leave out. */
declare module 'pg' {
  interface ClientBase {
    /** False while a query runs; unset before the server is ready for the first. */
    readonly readyForQuery?: boolean
    /** Idle, in a transaction, or in one that failed; null before the server reported it. */
    readonly _txStatus: 'I' | 'T' | 'E' | null
    /** The server's process for this connection. */
    readonly processID: number | null
  }
}
