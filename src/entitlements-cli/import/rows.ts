import type { Look } from '../../core/import-file/refused-rows.ts'
import type { Row } from '../../core/import-file/row.ts'

/** The rows of a file, and how it looks. */
export type Rows = Look & {
  /** Columns that say nothing about a subscriber. */
  ignored: readonly string[]
  rows: AsyncIterable<Row>
}
