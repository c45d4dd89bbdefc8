import { findEncodingFault, type Row } from '../../../../core/import-file/row.ts'

/** The rows of an NDJSON file. Empty lines are not rows, but they count in the line numbers. */
export function readLines(text: string): Row[] {
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, original: line.replace(/\r$/, '') }))
    .filter(({ original }) => original.trim() !== '')
    .map(({ number, original }) => {
      const fault = findEncodingFault(original)
      return { number, original, line: fault === null ? original : null, fault }
    })
}
