import { AsyncLocalStorage } from 'node:async_hooks'

/** A statement of a request: its name, or the beginning of its text without values, and how long its answer took. */
export type StatementTime = { statement: string; ms: number | null }

const mostStatements = 50
const mostCharacters = 100

/** Collects the statements that its work sends, until it is ended. */
export class StatementTimes {
  readonly statements: StatementTime[] = []
  #hasEnded = false

  run<Result>(work: () => Result): Result {
    return current.run(this, work)
  }

  /** Later statements belong to work that goes on in the background. */
  end(): readonly StatementTime[] {
    this.#hasEnded = true
    return this.statements
  }

  /** Notes a statement that is sent now. Returns the function to call when it is answered. */
  note(name: string | undefined, text: string): () => void {
    if (this.#hasEnded || this.statements.length >= mostStatements) return () => {}
    const sentAt = performance.now()
    const statement = name ?? text.trim().slice(0, mostCharacters).replaceAll(/\s+/g, ' ')
    const noted: StatementTime = { statement, ms: null }
    this.statements.push(noted)
    return () => {
      noted.ms = Math.round(performance.now() - sentAt)
    }
  }
}

const current = new AsyncLocalStorage<StatementTimes>()

/** The collection of the request that runs now, if its statements are collected. */
export function currentStatementTimes(): StatementTimes | undefined {
  return current.getStore()
}
