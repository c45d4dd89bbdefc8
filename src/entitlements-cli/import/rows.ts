import type { FileLayout } from '../../core/import-file/refused-rows.ts'
import type { Row } from '../../core/import-file/row.ts'

/** The rows of a file, and its layout. */
export type Rows = FileLayout & {
  /** Columns that an import does not use. */
  ignored: readonly string[]
  rows: AsyncIterable<Row>
}
