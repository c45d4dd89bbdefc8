import { toSeparatorLine } from './csv.ts'
import type { Row } from './row.ts'

/** The layout of the imported file, which the file of refused rows gets, too. */
export type FileLayout = {
  /** The names of the columns; null for NDJSON. */
  header: readonly string[] | null
  delimiter: string
  /** Whether the file begins with a line that names its delimiter. */
  hasSeparatorLine: boolean
}

const errorColumn = 'error'

/** Writes refused rows in the imported file's format, each with its error, so that people can correct and import them again. */
export function createRefusedRowsWriter({ header, delimiter, hasSeparatorLine }: FileLayout) {
  // The imported file may itself be a file of refused rows.
  const index = header?.indexOf(errorColumn) ?? -1
  const withError = (cells: readonly string[], error: string) => {
    const full = padCells(cells, header?.length ?? 0)
    return index < 0 ? [...full, error] : full.with(index, error)
  }
  return {
    /** The lines above the rows. */
    top: [
      hasSeparatorLine ? toSeparatorLine(delimiter) : '',
      header ? toCsv(withError(header, errorColumn), delimiter) : '',
    ].join(''),
    toText: ({ original }: Pick<Row, 'original'>, error: string) =>
      typeof original === 'string' ? `${addError(original, error)}\n` : toCsv(withError(original, error), delimiter),
  }
}

function padCells(cells: readonly string[], width: number): string[] {
  return [...cells, ...Array<string>(Math.max(width - cells.length, 0)).fill('')]
}

function toCsv(cells: readonly string[], delimiter: string): string {
  const isSpecial = (cell: string) => /[",;\r\n\t]/.test(cell) || cell.includes(delimiter)
  return `${cells.map((cell) => (isSpecial(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\n`
}

/** Adds the field `error` to the object; imports ignore this field. A value that is not an object stays unchanged. */
function addError(text: string, error: string): string {
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object === 'object' && object !== null && !Array.isArray(object))
      return JSON.stringify({ ...object, error })
  } catch {
    // The text is not JSON.
  }
  return text
}
