import type { Term } from './equalities.ts'

/** A source of rows in a statement: a table, a subquery, or the result of a function. */
export type Source = {
  id: string
  /** Undefined if the source has no such column, as far as the statement shows. */
  column(name: string): Term | undefined
  /** The columns in order, if the statement names each. */
  columns?: readonly (Term | undefined)[]
}

/** The names that an expression can use. */
export class Scope {
  readonly sources = new Map<string, Source>()
  readonly #named = new Map<string, Source>()
  readonly #parent: Scope | undefined

  constructor(parent?: Scope) {
    this.#parent = parent
  }

  /** A query of the `with` clause. */
  name(name: string, source: Source): void {
    this.#named.set(name, source)
  }

  named(name: string): Source | undefined {
    return this.#named.get(name) ?? this.#parent?.named(name)
  }

  /** The column of a source, in this scope or an outer one; by the source's alias if one is given. */
  column(alias: string | undefined, name: string): Term | undefined {
    const own = this.own(alias, name)
    if (own !== undefined || (alias !== undefined && this.sources.has(alias))) return own
    return this.#parent?.column(alias, name)
  }

  /** The column of a source in this scope, as `*` returns it. */
  own(alias: string | undefined, name: string): Term | undefined {
    const sources = alias === undefined ? [...this.sources.values()] : [this.sources.get(alias)]
    return sources.map((source) => source?.column(name)).find((term) => term !== undefined)
  }
}
