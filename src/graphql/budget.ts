import { DomainError } from '../core/errors.ts'
import type { Room } from '../database/load-weighed.ts'

/** The maximum that one request may load and answer. */
type AnswerLimits = { maxAnswerBytes: number; maxAnswerRows: number }

/** Fields times rows, whatever their size: each takes time. */
const maxValues = 400_000
const maxFailures = 1_000
const maxIntrospectionBytes = 4 * 1_048_576
/** Three times what tools ask for: each takes a microsecond, and the schema is answered without a wait in between. */
const maxIntrospectionValues = 25_000

/** Ends the whole request: the executor passes an error with this extension through all nullable fields. */
class BudgetSpent extends DomainError {
  readonly extensions = { CRITICAL_ERROR: true }
  /** With a path, the executor does not make an error of its own for each of the thousands of fields that are left. */
  readonly path = []

  constructor(refusal: DomainError) {
    super(refusal, refusal.message)
  }
}

/**
 * What one GraphQL request may still load and answer. The estimate from schema and document is a guess (a list
 * without pages counts as ten rows, a JSON value as one); this counts the actual amounts, and ends the request.
 */
export class Budget implements Room {
  readonly #limits: AnswerLimits
  #rows = 0
  #loadedBytes = 0
  #answerBytes = 0
  #values = 0
  #failures = 0
  #introspectionBytes = 0
  #introspectionValues = 0
  /** Why the request ended, if it has. */
  refusal: DomainError | null = null
  #spent: BudgetSpent | null = null

  constructor(limits: AnswerLimits) {
    this.#limits = limits
  }

  /** Rows and bytes that may still be loaded. */
  left(): { rows: number; bytes: number } {
    const { maxAnswerRows, maxAnswerBytes } = this.#limits
    return { rows: maxAnswerRows - this.#rows, bytes: 2 * maxAnswerBytes - this.#loadedBytes }
  }

  /** Called before rows are loaded that may be many or large: refuses those that do not fit. */
  assertFor(rows: number, bytes: number): void {
    this.#assertLoaded(this.#rows + rows, this.#loadedBytes + bytes)
  }

  /** Called once rows are loaded. */
  takeLoaded(rows: number, bytes: number): void {
    this.#rows += rows
    this.#loadedBytes += bytes
    this.#assertLoaded(this.#rows, this.#loadedBytes)
  }

  /** Called for a part of the answer, before it is made. */
  takeAnswer(values: number, bytes: number): void {
    this.#values += values
    this.#answerBytes += bytes
    if (this.#values > maxValues) this.#end(`answers more than ${maxValues} values`)
    if (this.#answerBytes > this.#limits.maxAnswerBytes) this.#endAtBytes()
    if (this.refusal) this.#end(this.refusal.message)
  }

  takeIntrospection(values: number, bytes: number): void {
    this.#introspectionValues += values
    this.#introspectionBytes += bytes
    if (this.#introspectionValues > maxIntrospectionValues || this.#introspectionBytes > maxIntrospectionBytes) {
      this.#end(`answers more than ${maxIntrospectionValues} values or ${maxIntrospectionBytes} bytes of the schema`)
    }
  }

  takeFailure({ message = '' }: Partial<Error>): void {
    this.takeAnswer(1, 200 + 2 * message.length)
    this.#failures += 1
    if (this.#failures > maxFailures) this.#end(`has more than ${maxFailures} fields that failed`)
  }

  /** The whole answer as text: the errors in it have not been counted before. */
  measure(bytes: number): void {
    if (bytes > this.#limits.maxAnswerBytes)
      this.refusal = refuseFor(`answers more than ${this.#limits.maxAnswerBytes} bytes`)
  }

  #assertLoaded(rows: number, bytes: number): void {
    const { maxAnswerRows, maxAnswerBytes } = this.#limits
    if (rows > maxAnswerRows) this.#end(`reads more than ${maxAnswerRows} rows`)
    // Twice: not everything that is read is answered, and the same row may be read at two places.
    if (bytes > 2 * maxAnswerBytes) this.#end(`reads more than ${2 * maxAnswerBytes} bytes`)
    if (this.refusal) this.#end(this.refusal.message)
  }

  #endAtBytes(): never {
    return this.#end(`answers more than ${this.#limits.maxAnswerBytes} bytes`)
  }

  #end(what: string): never {
    this.refusal ??= refuseFor(what)
    this.#spent ??= new BudgetSpent(this.refusal)
    throw this.#spent
  }
}

function refuseFor(what: string): DomainError {
  return new DomainError(
    'VALIDATION_ERROR',
    `The request ${what}. Ask for pages (first), for fewer lists, or for fewer fields at once.`,
  )
}
