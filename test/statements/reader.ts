import type {
  CommonTableExpr,
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeFunction,
  RangeVar,
  SelectStmt,
  UpdateStmt,
  WithClause,
} from 'libpg-query'
import { Conditions } from './conditions.ts'
import { Equalities, type Term } from './equalities.ts'
import { nameOf, subqueriesIn } from './nodes.ts'
import type { Proof } from './prove.ts'
import { Scope, type Source } from './scope.ts'

const key = 'organization_id'

/** Follows `organization_id` through a statement: its sources, joins, conditions, subqueries, and inserted rows. */
export class Reader {
  readonly #tables: ReadonlySet<string>
  readonly #equalities = new Equalities()
  readonly #conditions = new Conditions(this.#equalities, (query, scope) => this.#query(query, scope))
  readonly #bound: { table: string; term: Term }[] = []
  readonly #others = new Set<string>()
  #sources = 0

  constructor(tables: ReadonlySet<string>) {
    this.#tables = tables
  }

  read(statement: Node): void {
    this.#query(statement, new Scope())
  }

  proof(): Proof {
    const unbound = this.#bound.filter(({ term }) => !this.#equalities.isFixed(term))
    return {
      others: [...this.#others].sort(),
      unbound: [...new Set(unbound.map(({ table }) => table))].sort(),
      parameters: this.#equalities.parametersOf(this.#bound.map(({ term }) => term)),
    }
  }

  /** The query's result, as a source. */
  #query(query: Node, outer: Scope): Source {
    if ('SelectStmt' in query) return this.#select(query.SelectStmt, outer)
    if ('InsertStmt' in query) return this.#insert(query.InsertStmt, outer)
    if ('UpdateStmt' in query) return this.#update(query.UpdateStmt, outer)
    if ('DeleteStmt' in query) return this.#delete(query.DeleteStmt, outer)
    // BEGIN, SET, SHOW and LISTEN name no table. Other kinds of statements are not known to be harmless.
    const [kind = ''] = Object.keys(query)
    if (!/^(Transaction|VariableSet|VariableShow|Listen|Notify|Unlisten)Stmt$/.test(kind)) this.#others.add(kind)
    return this.#rows([])
  }

  #select(select: SelectStmt, outer: Scope): Source {
    const scope = this.#with(select.withClause, outer)
    if (select.larg && select.rarg) return this.#union(select.larg, select.rarg, scope)
    if (select.valuesLists) return this.#values(select.valuesLists, scope)
    const inner = new Scope(scope)
    for (const item of select.fromClause ?? []) this.#from(item, inner)
    this.#where(select.whereClause, inner)
    const { fromClause: _, whereClause: __, withClause: ___, ...rest } = select
    this.#subqueries(rest, inner)
    return this.#rows(select.targetList ?? [], inner)
  }

  #union(left: SelectStmt, right: SelectStmt, scope: Scope): Source {
    const arms = [this.#select(left, scope), this.#select(right, scope)] as const
    const own = this.#source((name) => {
      const terms = arms.map((arm) => arm.column(name))
      return terms.every((term) => term === undefined) ? undefined : this.#equalities.oneOf(terms)
    })
    const [first, second] = arms
    return {
      ...own,
      columns: first.columns?.map((term, index) => this.#equalities.oneOf([term, second.columns?.[index]])),
    }
  }

  #values(lists: readonly Node[], scope: Scope): Source {
    const rows = lists.map((list) => ('List' in list ? (list.List.items ?? []) : []))
    for (const row of rows) this.#subqueries(row, scope)
    const columns = (rows[0] ?? []).map((_, index) =>
      this.#equalities.oneOf(rows.map((row) => row[index] && this.#conditions.term(row[index], scope))),
    )
    return { ...this.#source(() => undefined), columns }
  }

  #insert(insert: InsertStmt, outer: Scope): Source {
    const scope = new Scope(this.#with(insert.withClause, outer))
    const inserted = insert.selectStmt ? this.#query(insert.selectStmt, scope) : undefined
    const target = this.#table(insert.relation as RangeVar, scope)
    const index = (insert.cols ?? []).findIndex((column) => nameOf(column) === key)
    const term = inserted?.columns?.[index]
    const own = target.column(key)
    if (own !== undefined && term !== undefined) this.#equalities.hold(own, term)
    const excluded = this.#source(() => undefined)
    scope.sources.set('excluded', excluded)
    this.#subqueries([insert.onConflictClause, insert.returningClause], scope)
    return this.#returned(insert, scope)
  }

  #update(update: UpdateStmt, outer: Scope): Source {
    const scope = new Scope(this.#with(update.withClause, outer))
    const target = this.#table(update.relation as RangeVar, scope)
    for (const item of update.fromClause ?? []) this.#from(item, scope)
    this.#where(update.whereClause, scope)
    this.#subqueries([update.targetList, update.returningClause], scope)
    // A row that changes its organization would move to another shard.
    const setsKey = update.targetList?.some((column) => nameOf(column) === key)
    if (setsKey && target.column(key) !== undefined) this.#others.add(`set ${key}`)
    return this.#returned(update, scope)
  }

  #delete(statement: DeleteStmt, outer: Scope): Source {
    const scope = new Scope(this.#with(statement.withClause, outer))
    this.#table(statement.relation as RangeVar, scope)
    for (const item of statement.usingClause ?? []) this.#from(item, scope)
    this.#where(statement.whereClause, scope)
    this.#subqueries([statement.returningClause], scope)
    return this.#returned(statement, scope)
  }

  #returned({ returningClause }: InsertStmt | UpdateStmt | DeleteStmt, scope: Scope): Source {
    return this.#rows(returningClause?.exprs ?? [], scope)
  }

  /** The statement's scope, with the queries of its `with` clause. */
  #with(clause: WithClause | undefined, outer: Scope): Scope {
    const scope = new Scope(outer)
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr as CommonTableExpr
      // A recursive query reads its own rows, about which nothing is known.
      if (clause?.recursive)
        scope.name(
          ctename,
          this.#source(() => undefined),
        )
      scope.name(ctename, this.#renameColumns(this.#query(ctequery as Node, scope), aliascolnames))
    }
    return scope
  }

  /** Adds the names from an item of FROM to the scope; returns its sources. */
  #from(item: Node, scope: Scope): Source[] {
    if ('RangeVar' in item) return [this.#table(item.RangeVar, scope)]
    if ('JoinExpr' in item) return this.#join(item.JoinExpr, scope)
    if ('RangeSubselect' in item) {
      const { subquery, alias } = item.RangeSubselect
      return [
        this.#add(scope, alias?.aliasname, this.#renameColumns(this.#query(subquery as Node, scope), alias?.colnames)),
      ]
    }
    if ('RangeFunction' in item) return [this.#function(item.RangeFunction, scope)]
    throw new Error(`cannot read ${Object.keys(item)[0]} in FROM`)
  }

  #table({ schemaname, relname = '', alias }: RangeVar, scope: Scope): Source {
    const name = alias?.aliasname ?? relname
    const inPublic = schemaname === undefined || schemaname === 'public'
    const named = schemaname === undefined ? scope.named(relname) : undefined
    if (named) return this.#add(scope, name, this.#renameColumns(named, alias?.colnames))
    if (inPublic && this.#tables.has(relname)) {
      const source = this.#source((column, id) => (column === key ? `${id}.${key}` : undefined))
      this.#bound.push({ table: relname, term: `${source.id}.${key}` })
      return addSource(scope, name, source)
    }
    this.#others.add(inPublic ? relname : `${schemaname}.${relname}`)
    return addSource(
      scope,
      name,
      this.#source(() => undefined),
    )
  }

  #function({ functions, alias, ...rest }: RangeFunction, scope: Scope): Source {
    this.#subqueries([functions, rest], scope)
    const names = new Set(alias?.colnames?.map(nameOf))
    return addSource(
      scope,
      alias?.aliasname,
      this.#source((name, id) => (names.has(name) ? `${id}.${name}` : undefined)),
    )
  }

  #join({ jointype, larg, rarg, usingClause, quals }: JoinExpr, scope: Scope): Source[] {
    const [left, right] = [this.#from(larg as Node, scope), this.#from(rarg as Node, scope)]
    // An outer join keeps rows that match nothing on the other side, so its condition does not hold for them.
    const held =
      jointype === 'JOIN_INNER'
        ? [...left, ...right]
        : jointype === 'JOIN_LEFT'
          ? right
          : jointype === 'JOIN_RIGHT'
            ? left
            : []
    const ids = new Set(held.map(({ id }) => id))
    if (quals) this.#addEqualities(this.#conditions.pairs(quals, scope), ids)
    if (quals) this.#subqueries(quals, scope)
    for (const name of usingClause?.map(nameOf) ?? []) {
      const columnOf = (side: Source[]) =>
        side.map((source) => source.column(name ?? '')).find((term) => term !== undefined)
      const pair = [columnOf(left), columnOf(right)] as const
      if (pair[0] !== undefined && pair[1] !== undefined) this.#addEqualities([[pair[0], pair[1]]], ids)
    }
    return [...left, ...right]
  }

  #where(condition: Node | undefined, scope: Scope): void {
    if (!condition) return
    const ids = new Set([...scope.sources.values()].map(({ id }) => id))
    this.#addEqualities(this.#conditions.pairs(condition, scope), ids)
    this.#subqueries(condition, scope)
  }

  /**
   * Adds equalities, but only for columns of sources that the condition filters: a condition in a subquery does not restrict
   * the outer rows.
   */
  #addEqualities(pairs: readonly (readonly [Term, Term])[], ids: ReadonlySet<string>): void {
    for (const [a, b] of pairs) {
      if (ids.has(ownerOf(a))) this.#equalities.hold(a, b)
      if (ids.has(ownerOf(b))) this.#equalities.hold(b, a)
    }
  }

  #subqueries(part: unknown, scope: Scope): void {
    for (const query of subqueriesIn(part)) this.#query(query, scope)
  }

  /** The columns of a select list, or of RETURNING. */
  #rows(targets: readonly Node[], scope?: Scope): Source {
    const columns = new Map<string, Term>()
    const terms: (Term | undefined)[] = []
    const stars: (string | undefined)[] = []
    for (const target of targets) {
      if (!('ResTarget' in target) || !target.ResTarget.val || !scope) continue
      const { name, val } = target.ResTarget
      const fields = 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : []
      if (fields.some((field) => 'A_Star' in field)) stars.push(fields.length > 1 ? nameOf(fields[0]) : undefined)
      const term = this.#conditions.term(val, scope)
      terms.push(term)
      const shown = name ?? nameOf(fields.at(-1))
      if (term !== undefined && shown !== undefined) columns.set(shown, term)
    }
    const all = (name: string) => stars.map((alias) => scope?.own(alias, name)).find((term) => term !== undefined)
    const source = this.#source((name) => columns.get(name) ?? all(name))
    return stars.length > 0 ? source : { ...source, columns: terms }
  }

  /** A source with the same rows and other column names. */
  #renameColumns(source: Source, names: readonly Node[] | undefined): Source {
    if (!names || names.length === 0) return source
    const renamed = names.map(nameOf)
    return { ...source, column: (name) => source.columns?.[renamed.indexOf(name)] }
  }

  /** Within a scope a source has columns of its own, so that conditions outside do not restrict the rows inside. */
  #add(scope: Scope, alias: string | undefined, { column, columns }: Source): Source {
    const source = this.#source((name, id) => {
      const inside = column(name)
      if (inside === undefined) return undefined
      this.#equalities.hold(`${id}.${name}`, inside)
      return `${id}.${name}`
    })
    return addSource(scope, alias, columns ? { ...source, columns } : source)
  }

  #source(column: (name: string, id: string) => Term | undefined): Source {
    const id = `source${this.#sources++}`
    return { id, column: (name) => column(name, id) }
  }
}

function addSource(scope: Scope, alias: string | undefined, source: Source): Source {
  scope.sources.set(alias ?? source.id, source)
  return source
}

function ownerOf(term: Term): string {
  return term.split('.')[0] ?? ''
}
