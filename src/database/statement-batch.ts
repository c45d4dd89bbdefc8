import pg from 'pg'
import { serverLimits } from './limits.ts'
import type { Statement } from './sql.ts'
import { toParameter } from './to-parameter.ts'

/** The answer to a statement. `rowCount` is null for statements that have no rows to count. */
export type Answer = { command: string; rowCount: number | null; rows: Record<string, unknown>[] }

/** `name` is its name as a prepared statement; with an empty one it is planned for this execution alone. */
export type NamedStatement = Statement & { name?: string | undefined }

type Column = { name: string; parse: (text: string) => unknown }

type Sent = Statement & {
  name: string | undefined
  parameters: readonly (string | Buffer | null)[]
  columns: readonly Column[] | null
  received: (string | null)[][]
  tag: string
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** The columns of the statements that a connection has prepared, by name. */
const prepared = new WeakMap<pg.Connection, Map<string, readonly Column[]>>()

/** Behind a PgBouncer the limits of a transaction are set in it, because its connections do not have them. */
const limitStatement = {
  name: 'transaction-limits',
  text: `select ${Object.entries(serverLimits).map(([name, limitMs]) => `set_config('${name}', '${limitMs}', true)`)}`,
  values: [],
  parameters: [],
}

/**
 * Statements that are sent together and answered in one message, each executed in its own snapshot. If one fails, PostgreSQL
 * skips those behind it. Outside of a transaction, all of them are one: only statements of a transaction belong together.
 *
 * To the driver this is one query. The driver's own queries wait for an answer each, and ask for the description of their rows
 * each time; both took a quarter of the process's time for a write, and PostgreSQL a system call for each answer.
 */
export class StatementBatch extends pg.Query {
  readonly #sent: Sent[] = []
  /** The place of the statement whose answer comes next. */
  #at = 0
  #usesNames = true
  #connection: pg.Connection | null = null
  #columns = new Map<string, readonly Column[]>()

  constructor() {
    super('', undefined, (error) => error && this.#fail(error))
  }

  /**
   * Rejects with the error of this statement, or of the one before it that failed. Throws at once if a value cannot be sent:
   * without its statement, those behind it must not be sent either.
   */
  add({ name, text, values }: NamedStatement): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const parameters = values.map(toParameter)
    this.#sent.push({
      name: name || undefined,
      text,
      values,
      parameters,
      columns: null,
      received: [],
      tag: '',
      resolve,
      reject,
    })
    return promise
  }

  get statements(): readonly Statement[] {
    return this.#sent
  }

  /** Called by the pool of connections before it sends this. */
  adapt({ pooled, namedStatements }: { pooled: boolean; namedStatements: boolean }): void {
    this.#usesNames = namedStatements
    if (pooled && this.#sent[0]?.text === 'BEGIN') {
      const ignored = { columns: null, received: [], tag: '', resolve() {}, reject() {} }
      this.#sent.splice(1, 0, { ...limitStatement, ...ignored })
    }
  }

  // Called by the driver from here on.

  override submit = (connection: pg.Connection): null => {
    let columns = prepared.get(connection)
    if (!columns) {
      columns = new Map()
      prepared.set(connection, columns)
    }
    this.#connection = connection
    this.#columns = columns
    for (const sent of this.#sent) this.#write(connection, sent)
    connection.sync()
    this.#expect()
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
    const sent = this.#sent[this.#at] as Sent
    sent.columns = columns
    if (sent.name !== undefined) this.#columns.set(sent.name, columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#sent[this.#at]?.received.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const sent = this.#sent[this.#at] as Sent
    sent.tag = text
    if (sent.columns === null && sent.name !== undefined) this.#columns.set(sent.name, [])
    this.#at++
    this.#expect()
  }

  /** Not before this are the statements committed that are not in a transaction. */
  handleReadyForQuery(): void {
    this.callback?.(undefined)
    for (const sent of this.#sent) sent.resolve(toAnswer(sent))
  }

  #write(connection: pg.Connection, sent: Sent): void {
    if (!this.#usesNames) sent.name = undefined
    const { name = '', text, parameters } = sent
    if (name === '' || !isPrepared(connection, name)) {
      connection.parse({ name, text })
      if (name !== '') connection.submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values: parameters })
    sent.columns = this.#columns.get(name) ?? null
    if (sent.columns === null) connection.describe({ type: 'P', name: '' })
    connection.execute()
  }

  /** Under this name and text the driver notes what the connection has prepared. */
  #expect(): void {
    const next = this.#sent[this.#at]
    this.name = next?.name
    this.text = next?.text ?? ''
  }

  /** An error behind the last statement is one of its commit. */
  #fail(error: unknown): void {
    const isCommit = this.#at >= this.#sent.length
    for (const [place, sent] of this.#sent.entries()) {
      if (place < this.#at && !isCommit) sent.resolve(toAnswer(sent))
      else this.#rejectOne(sent, error)
    }
  }

  #rejectOne({ name, reject }: Sent, error: unknown): void {
    // Not prepared, if it was skipped.
    if (name !== undefined) delete this.#connection?.submittedNamedStatements[name]
    reject(error)
  }
}

function isPrepared({ parsedStatements, submittedNamedStatements }: pg.Connection, name: string): boolean {
  return parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined
}

function toAnswer({ tag, columns, received }: Sent): Answer {
  const words = tag.split(' ')
  const count = words.length > 1 ? Number(words.at(-1)) : null
  return { command: words[0] as string, rowCount: count, rows: received.map((fields) => toRow(columns ?? [], fields)) }
}

function toRow(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [place, { name, parse }] of columns.entries()) {
    const field = fields[place] as string | null
    row[name] = field === null ? null : parse(field)
  }
  return row
}

/** The driver's parsers, but for int8: as Prisma gives it. */
function parserOf(oid: number): (text: string) => unknown {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, 'text')
}
