import { createWriteStream, rmSync, type WriteStream, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type FileLayout, refusedWriter } from '../../core/import-file/refused-rows.ts'
import type { Row } from '../../core/import-file/row.ts'

/** The refused rows, to be corrected and imported again. */
export type RefusedFile = {
  add(row: Row, error: string): void
  /** Resolves once all is written. */
  close(): Promise<void>
}

/** Writes the file when the first row is added, and removes an earlier file of this name at once. */
export function createRefusedFile(path: string | undefined, look: FileLayout): RefusedFile {
  if (path === undefined) return { add() {}, async close() {} }
  // Throws before anything is imported if the file cannot be written.
  writeFileSync(path, '')
  rmSync(path, { force: true })
  const { top, toText } = refusedWriter(look)
  let stream: WriteStream | null = null
  const open = () => {
    const opened = createWriteStream(path)
    opened.write(top)
    return opened
  }
  return {
    add(row, error) {
      stream ??= open()
      stream.write(toText(row, error))
    },
    async close() {
      if (!stream) return
      stream.end()
      await finished(stream)
    },
  }
}
