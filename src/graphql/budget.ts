import { DomainError } from '../core/errors.ts'
import type { LoadBudget } from '../database/load-within-byte-limit.ts'

/** The maximum that one request may load and return. */
type AnswerLimits = { maxAnswerBytes: number; maxAnswerRows: number }

/** The maximum number of values, whatever their size, because each takes time. */
const maxValues = 400_000
const maxFailures = 1_000
const maxIntrospectionBytes = 4 * 1_048_576
/** Three times as many values as tools need. Each value takes a microsecond, and the schema is returned without a pause. */
const maxIntrospectionValues = 25_000

/** An error that ends the whole request: because of its extension `CRITICAL_ERROR`, no nullable field absorbs it. */
class BudgetSpent extends DomainError {
  readonly extensions = { CRITICAL_ERROR: true }
  /** Without a path, the executor would create its own error for each of the thousands of remaining fields. */
  readonly path = []

  constructor(refusal: DomainError) {
    super(refusal, refusal.message)
  }
}

/**
 * Counts what a request actually loads and returns, and ends the request at the limit. The cost that was estimated before
 * (`cost.ts`) is only a guess: a list without pages counts as ten rows, and a JSON value as one.
 */
export class Budget implements LoadBudget {
  readonly #limits: AnswerLimits
  #rows = 0
  #loadedBytes = 0
  #answerBytes = 0
  #values = 0
  #failures = 0
  #introspectionBytes = 0
  #introspectionValues = 0
  /** The error of a request that has exceeded its budget. */
  refusal: DomainError | null = null
  #spent: BudgetSpent | null = null

  constructor(limits: AnswerLimits) {
    this.#limits = limits
  }

  /** Rows and bytes that may still be loaded. */
  remaining(): { rows: number; bytes: number } {
    const { maxAnswerRows, maxAnswerBytes } = this.#limits
    return { rows: maxAnswerRows - this.#rows, bytes: 2 * maxAnswerBytes - this.#loadedBytes }
  }

  /** Throws if this many rows and bytes do not fit; called before loading many or large rows. */
  assertFits(rows: number, bytes: number): void {
    this.#assertLoaded(this.#rows + rows, this.#loadedBytes + bytes)
  }

  /** Called after rows were loaded. */
  countLoaded(rows: number, bytes: number): void {
    this.#rows += rows
    this.#loadedBytes += bytes
    this.#assertLoaded(this.#rows, this.#loadedBytes)
  }

  /** Called before a part of the answer is built. */
  countAnswer(values: number, bytes: number): void {
    this.#values += values
    this.#answerBytes += bytes
    if (this.#values > maxValues) this.#end(`asks for more than ${maxValues} values`)
    if (this.#answerBytes > this.#limits.maxAnswerBytes) this.#end(this.#tooManyBytes)
    if (this.refusal) this.#stop(this.refusal)
  }

  countSchemaAnswer(values: number, bytes: number): void {
    this.#introspectionValues += values
    this.#introspectionBytes += bytes
    if (this.#introspectionValues > maxIntrospectionValues || this.#introspectionBytes > maxIntrospectionBytes) {
      this.#end(`asks for more than ${maxIntrospectionValues} values or ${maxIntrospectionBytes} bytes of the schema`)
    }
  }

  countFailure({ message = '' }: Partial<Error>): void {
    this.countAnswer(1, 200 + 2 * message.length)
    this.#failures += 1
    if (this.#failures > maxFailures) this.#end(`has more than ${maxFailures} fields that failed`)
  }

  /** Called with the size of the whole answer, including its errors, which were not counted before. */
  checkAnswerSize(bytes: number): void {
    if (bytes > this.#limits.maxAnswerBytes) this.refusal = refuseFor(this.#tooManyBytes)
  }

  #assertLoaded(rows: number, bytes: number): void {
    const { maxAnswerRows, maxAnswerBytes } = this.#limits
    if (rows > maxAnswerRows) this.#end(`reads more than ${maxAnswerRows} rows`)
    // Loaded data may be twice as large as an answer: not all of it is returned, and two fields may load the same row.
    if (bytes > 2 * maxAnswerBytes) this.#end(`reads more than ${2 * maxAnswerBytes} bytes`)
    if (this.refusal) this.#stop(this.refusal)
  }

  get #tooManyBytes(): string {
    return `asks for more than ${this.#limits.maxAnswerBytes} bytes`
  }

  #end(reason: string): never {
    this.refusal ??= refuseFor(reason)
    return this.#stop(this.refusal)
  }

  #stop(refusal: DomainError): never {
    this.#spent ??= new BudgetSpent(refusal)
    throw this.#spent
  }
}

function refuseFor(reason: string): DomainError {
  const advice = 'Ask for smaller pages (first), for fewer lists, or for fewer fields at once.'
  return new DomainError('VALIDATION_ERROR', `The request ${reason}. ${advice}`)
}
