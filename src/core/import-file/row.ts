/** A line of an imported file, and the line that is sent to the service for it. */
export type Row = {
  /** The number of the line in the file. */
  number: number
  /** The source of the row: the cells of a CSV record, or the text of a line. */
  original: readonly string[] | string
  /** The line for the service: an object, or an unchanged line of NDJSON; null if the row cannot be sent. */
  line: object | string | null
  /** The reason why the row cannot be sent. */
  fault: string | null
}

/** Makes the line for the service from a row's values, keyed by column. */
export type ToLine = (values: ReadonlyMap<string, unknown>) => Pick<Row, 'line' | 'fault'>

/** The fault if the text contains U+FFFD, which replaces bytes that are not valid UTF-8; otherwise null. */
export function findEncodingFault(text: string): string | null {
  return text.includes('\uFFFD') ? 'it is not in UTF-8. Save the file in UTF-8.' : null
}
