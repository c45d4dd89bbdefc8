import { createWriteStream, rmSync, type WriteStream, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Row, Rows } from './row.ts'
import { toSeparatorLine } from './separator-line.ts'

/** The refused rows in the format of the file, each with its error, so that they can be corrected and imported again. */
export type RefusedFile = {
  add(row: Row, error: string): void
  /** Resolves once all is written. */
  close(): Promise<void>
}

const errorColumn = 'error'

/** Created with the first row; an earlier file of this name is removed. */
export function createRefusedFile(
  path: string | undefined,
  { header, delimiter, hasSeparatorLine }: Omit<Rows, 'rows'>,
): RefusedFile {
  if (path === undefined) return { add() {}, async close() {} }
  // Throws before anything is imported if it cannot be written.
  writeFileSync(path, '')
  rmSync(path, { force: true })
  // The file may be a refused one itself.
  const place = header?.indexOf(errorColumn) ?? -1
  const withError = (cells: readonly string[], error: string) => {
    const full = pad(cells, header?.length ?? 0)
    return place < 0 ? [...full, error] : full.with(place, error)
  }
  let stream: WriteStream | null = null
  const open = () => {
    const opened = createWriteStream(path)
    if (hasSeparatorLine) opened.write(toSeparatorLine(delimiter))
    if (header) opened.write(toCsv(withError(header, errorColumn), delimiter))
    return opened
  }
  return {
    add({ original }, error) {
      stream ??= open()
      stream.write(
        typeof original === 'string' ? `${addError(original, error)}\n` : toCsv(withError(original, error), delimiter),
      )
    },
    async close() {
      if (!stream) return
      stream.end()
      await finished(stream)
    },
  }
}

function pad(cells: readonly string[], width: number): string[] {
  return [...cells, ...Array<string>(Math.max(width - cells.length, 0)).fill('')]
}

function toCsv(cells: readonly string[], delimiter: string): string {
  const isSpecial = (cell: string) => /[",;\r\n\t]/.test(cell) || cell.includes(delimiter)
  return `${cells.map((cell) => (isSpecial(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\n`
}

/** A field more in the object, which imports ignore. What is no object stays as it is. */
function addError(text: string, error: string): string {
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object === 'object' && object !== null && !Array.isArray(object))
      return JSON.stringify({ ...object, error })
  } catch {
    // Not JSON.
  }
  return text
}
