/** A line of a file, and its values for a subscriber. */
export type Row = {
  /** The number of the line in the file. */
  number: number
  /** The source of the row: the cells of a CSV record, or the text of a line. */
  original: readonly string[] | string
  /** The line for the service: an object, or a line of NDJSON as it is; null if it cannot be sent. */
  line: object | string | null
  /** Why it cannot be sent. */
  fault: string | null
}

/** Makes the line for the service from the values by column. */
export type ToLine = (values: ReadonlyMap<string, unknown>) => Pick<Row, 'line' | 'fault'>

/** The character that replaces bytes that are not valid UTF-8. */
export function wrongEncoding(text: string): string | null {
  return text.includes('\uFFFD') ? 'it is not in UTF-8. Save the file in UTF-8.' : null
}
