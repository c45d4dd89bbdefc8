/** A value in a statement: a column of one of its sources, a parameter (`$1`), a constant, or any one of several values. */
export type Term = string

export const constant: Term = 'constant'

/**
 * Which values a statement requires to be equal. An entry `a → b` says that rows in which `a` is not `b` are filtered out.
 */
export class Equalities {
  readonly #equal = new Map<Term, Set<Term>>()
  readonly #choices = new Map<Term, readonly (Term | undefined)[]>()

  hold(term: Term, other: Term): void {
    const known = this.#equal.get(term)
    if (known) known.add(other)
    else this.#equal.set(term, new Set([other]))
  }

  /** A term for a value that is one of these; it counts as fixed only if each of these is fixed. */
  oneOf(terms: readonly (Term | undefined)[]): Term {
    const term = `choice${this.#choices.size}`
    this.#choices.set(term, terms)
    return term
  }

  /** Whether the value is equal to a parameter or a constant. */
  isFixed(term: Term, visited: Set<Term> = new Set()): boolean {
    if (isParameterOrConstant(term)) return true
    if (visited.has(term)) return false
    visited.add(term)
    const choices = this.#choices.get(term)
    if (choices?.every((choice) => choice !== undefined && this.isFixed(choice, new Set(visited)))) return true
    return [...(this.#equal.get(term) ?? [])].some((other) => this.isFixed(other, visited))
  }

  /** The numbers of the parameters that equal these values, ascending. */
  parametersOf(terms: readonly Term[]): number[] {
    const reached = new Set<Term>(terms)
    for (const term of reached) {
      for (const other of this.#equal.get(term) ?? []) reached.add(other)
      for (const other of this.#choices.get(term) ?? []) if (other !== undefined) reached.add(other)
    }
    return [...reached].flatMap((term) => (term.startsWith('$') ? [Number(term.slice(1))] : [])).sort((a, b) => a - b)
  }
}

function isParameterOrConstant(term: Term): boolean {
  return term === constant || term.startsWith('$')
}
