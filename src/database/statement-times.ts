import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenSpan } from '../tracing/open-span.ts'
import { endStatement, startStatement } from '../tracing/start-statement.ts'

/** A statement of a request: its name, or the beginning of its text without values, and how long its answer took. */
export type StatementTime = { statement: string; ms: number | null }

const maxStatements = 50
const maxTextLength = 100

/** Collects the statements that the work sends, until it is ended; each has a span below the given one. */
export class StatementTimes {
  readonly statements: StatementTime[] = []
  #hasEnded = false
  readonly #span: OpenSpan | null

  constructor(span: OpenSpan | null = null) {
    this.#span = span
  }

  run<Result>(work: () => Result): Result {
    return current.run(this, work)
  }

  /** Later statements belong to work that goes on in the background. */
  end(): readonly StatementTime[] {
    this.#hasEnded = true
    return this.statements
  }

  /** Notes a statement that is sent now. Returns the function to call when it is answered, or with its error. */
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

const current = new AsyncLocalStorage<StatementTimes>()

/** The collection of the request that runs now, if its statements are collected. */
export function currentStatementTimes(): StatementTimes | undefined {
  return current.getStore()
}
