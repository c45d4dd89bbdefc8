import pg, { type QueryConfig } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/** The parts of the driver's connection that a query uses. */
type Connection = {
  submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: readonly unknown[]; valueMapper: typeof prepareValue }): void
  describe(portal: { type: 'P' }): void
  execute(portal: object): void
  sync(): void
}

export type Callback = (error: Error | undefined, result?: unknown) => void

/** The driver's data about a statement's columns, once the server has described them. */
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

/** The driver's own query, with members that are missing in its types. */
type DriverQuery = pg.Query & {
  name: string | undefined
  text: string
  values: readonly unknown[]
  callback: Callback
  queryMode: 'extended'
  _result: Columns & { _types: unknown }
  _accumulateRows: boolean
  hasBeenParsed(connection: Connection): boolean
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

const DriverQuery = pg.Query as unknown as new (text: string, values: undefined, callback: Callback) => DriverQuery

/** The columns of the named statements of each connection. A statement's columns never change. */
const columnsOf = new WeakMap<Connection, Map<string, Columns>>()

/**
 * The driver's query for a statement with values, except that it requests the columns of a named statement only once. The
 * driver would request and read them again for each execution.
 */
export class QueryDescribedOnce extends DriverQuery {
  constructor({ name, text, values = [], types }: QueryConfig, callback: Callback) {
    super(text, undefined, callback)
    this.name = name
    this.values = values
    this.queryMode = 'extended'
    this._result._types = types
    this._accumulateRows = true
  }

  /** Called by the driver to send the query. */
  prepare(connection: Connection): void {
    const { name = '', text, values } = this
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ name, text })
      if (name) connection.submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values, valueMapper: prepareValue })
    const columns = columnsOf.get(connection)?.get(name)
    if (columns) Object.assign(this._result, columns)
    else connection.describe({ type: 'P' })
    connection.execute({})
    connection.sync()
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    super.handleCommandComplete(message, connection)
    if (!this.name) return
    const known = columnsOf.get(connection) ?? new Map<string, Columns>()
    if (known.has(this.name)) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    columnsOf.set(connection, known.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject }))
  }
}
