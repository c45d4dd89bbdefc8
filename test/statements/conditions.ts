import type { A_Expr, Node, SubLink } from 'libpg-query'
import { constant, type Equalities, type Term } from './equalities.ts'
import { nameOf } from './nodes.ts'
import type { Scope, Source } from './scope.ts'

type Pair = readonly [Term, Term]

/** Reads conditions, to find which values must be equal in the rows that satisfy them. */
export class Conditions {
  readonly #equalities: Equalities
  readonly #query: (query: Node, scope: Scope) => Source

  constructor(equalities: Equalities, query: (query: Node, scope: Scope) => Source) {
    this.#equalities = equalities
    this.#query = query
  }

  pairs(condition: Node, scope: Scope): Pair[] {
    if ('A_Expr' in condition) return this.#comparison(condition.A_Expr, scope)
    if ('SubLink' in condition) return this.#in(condition.SubLink, scope)
    if (!('BoolExpr' in condition)) return []
    const { boolop, args = [] } = condition.BoolExpr
    if (boolop === 'AND_EXPR') return args.flatMap((arg) => this.pairs(arg, scope))
    if (boolop !== 'OR_EXPR') return []
    const [first = [], ...others] = args.map((arg) => this.pairs(arg, scope))
    return first.map(([term, other]) => {
      const elsewhere = others.map((arm) => arm.find(([own]) => own === term)?.[1])
      return [term, this.#equalities.oneOf([other, ...elsewhere])]
    })
  }

  /** The term that stands for an expression; undefined if its value is computed. */
  term(expression: Node, scope: Scope): Term | undefined {
    if ('ParamRef' in expression) return `$${expression.ParamRef.number}`
    if ('A_Const' in expression) return constant
    if ('TypeCast' in expression && expression.TypeCast.arg) return this.term(expression.TypeCast.arg, scope)
    if ('SubLink' in expression && expression.SubLink.subLinkType === 'EXPR_SUBLINK') {
      return this.#query(expression.SubLink.subselect as Node, scope).columns?.[0]
    }
    if (!('ColumnRef' in expression)) return undefined
    const names = (expression.ColumnRef.fields ?? []).map(nameOf)
    const name = names.at(-1)
    return name === undefined ? undefined : scope.column(names.at(-2), name)
  }

  #comparison({ kind, name, lexpr, rexpr }: A_Expr, scope: Scope): Pair[] {
    if (!lexpr || !rexpr || nameOf(name?.[0]) !== '=') return []
    if (kind === 'AEXPR_OP') return this.#equal(lexpr, [rexpr], scope)
    if (kind === 'AEXPR_IN' && 'List' in rexpr) return this.#equal(lexpr, rexpr.List.items ?? [], scope)
    return []
  }

  /** The pairs for a value (or a row of values) that must equal one of the options. */
  #equal(value: Node, options: readonly Node[], scope: Scope): Pair[] {
    const parts = partsOf(value)
    return parts.flatMap((part, index) => {
      const term = this.term(part, scope)
      const others = options.map((option) => {
        const other = partsOf(option)[index]
        return other && this.term(other, scope)
      })
      const other = others.length === 1 ? others[0] : this.#equalities.oneOf(others)
      return term === undefined || other === undefined ? [] : [[term, other] as const]
    })
  }

  #in({ subLinkType, testexpr, operName, subselect }: SubLink, scope: Scope): Pair[] {
    const isIn = operName === undefined || nameOf(operName[0]) === '='
    if (subLinkType !== 'ANY_SUBLINK' || !isIn || !testexpr || !subselect) return []
    const found = this.#query(subselect, scope)
    return partsOf(testexpr).flatMap((part, index) => {
      const [term, other] = [this.term(part, scope), found.columns?.[index]]
      return term === undefined || other === undefined ? [] : [[term, other] as const]
    })
  }
}

function partsOf(value: Node): readonly Node[] {
  return 'RowExpr' in value ? (value.RowExpr.args ?? []) : [value]
}
