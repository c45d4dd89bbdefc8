import type { FileLine } from '../../../components/import/run-import.ts'

/** The lines of a file in the format of REST. Empty ones are skipped, and counted. */
export function readLines(text: string): FileLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '')
}
