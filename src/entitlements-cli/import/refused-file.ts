import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRefusedRowsWriter, type FileLayout } from '../../core/import-file/refused-rows.ts'
import type { Row } from '../../core/import-file/row.ts'

/** The refused rows, to be corrected and imported again. */
export type RefusedFile = {
  /** Throws if the file cannot be written. */
  add(row: Row, error: string): void
}

/** Writes the file when the first row is added, and removes an earlier file of this name at once. */
export function createRefusedFile(path: string | undefined, layout: FileLayout): RefusedFile {
  if (path === undefined) return { add() {} }
  // Throws before anything is imported if the file cannot be written.
  writeFileSync(path, '')
  rmSync(path, { force: true })
  const { top, toText } = createRefusedRowsWriter(layout)
  let start = top
  return {
    add(row, error) {
      appendFileSync(path, start + toText(row, error))
      start = ''
    },
  }
}
