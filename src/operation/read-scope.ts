import type { LoadBudget } from '../database/load-within-byte-limit.ts'
import type { Queries } from '../database/prisma.ts'
import type { Sql } from '../database/sql.ts'

/** The context of a read outside of operations: a nested GraphQL field, read for all parents on its level at once. */
export type ReadScope = {
  db: Queries
  /** Reads many rows, in slices of the event loop. */
  readRows: Sql['query']
  organizationId: string
  /** The database's time when the request was authenticated. */
  now: Date
  /** The request's budget, for reads that may load many rows. */
  loadBudget: LoadBudget
}

/**
 * Prisma's selection of these columns and of the other columns that the document needs. Empty if the document may need all
 * columns.
 */
export type SelectionWith = (...columns: readonly string[]) => object

export const allColumns: SelectionWith = () => ({})
