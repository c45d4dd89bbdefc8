import type {} from 'pg'

/** Members of pg's classes that their published types leave out. */
declare module 'pg' {
  interface ClientBase {
    /** False while a query runs; unset before the server is ready for the first. */
    readonly readyForQuery?: boolean
    /** Idle, in a transaction, or in one that failed; null before the server reported it. */
    readonly _txStatus: 'I' | 'T' | 'E' | null
    /** The server's process for this connection. */
    readonly processID: number | null
  }

  interface Query {
    /** Of the statement whose answer comes next. */
    name?: string | undefined
    text: string
    callback?: (error?: Error) => void
  }

  interface Connection {
    /** The texts of the statements prepared on it, by name; and of those whose preparation is not answered yet. */
    readonly parsedStatements: Record<string, string>
    readonly submittedNamedStatements: Record<string, string>
    parse(statement: { name: string; text: string }): void
    bind(portal: { statement: string; values: readonly (string | Buffer | null)[] }): void
    describe(what: { type: 'P'; name: string }): void
    execute(): void
  }
}
