import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenSpan } from '../tracing/open-span.ts'
import { endStatement, startStatement } from '../tracing/start-statement.ts'

/** A statement of a request: its name, or the beginning of its text without values, and the time until its answer. */
export type StatementTime = { statement: string; ms: number | null }

const maxStatements = 50
const maxTextLength = 100

/** Collects the statements that work within `run` sends, until `end` is called. Each statement has a span below `span`. */
export class StatementTimes {
  readonly statements: StatementTime[] = []
  #hasEnded = false
  readonly #span: OpenSpan | null

  constructor(span: OpenSpan | null = null) {
    this.#span = span
  }

  run<Result>(work: () => Result): Result {
    return currentTimes.run(this, work)
  }

  /** Ends the collection: later statements belong to work in the background. */
  end(): readonly StatementTime[] {
    this.#hasEnded = true
    return this.statements
  }

  /** Records that a statement is sent. Returns the function to call when it is answered, with the error if it failed. */
  note(name: string | undefined, text: string): (error?: unknown) => void {
    if (this.#hasEnded || this.statements.length >= maxStatements) return () => {}
    const sentAt = performance.now()
    const statement = name ?? text.trim().slice(0, maxTextLength).replaceAll(/\s+/g, ' ')
    const statementTime: StatementTime = { statement, ms: null }
    this.statements.push(statementTime)
    const span = this.#span && startStatement(this.#span, name, text)
    return (error) => {
      statementTime.ms = Math.round(performance.now() - sentAt)
      if (span) endStatement(span, error)
    }
  }
}

const currentTimes = new AsyncLocalStorage<StatementTimes>()

/** The collection of the current request, if its statements are collected. */
export function currentStatementTimes(): StatementTimes | undefined {
  return currentTimes.getStore()
}
