/** A line of a file, and what it says about a subscriber. */
export type Row = {
  /** The number of the line in the file. */
  number: number
  /** As it was read: the cells of a CSV record, or the text of a line. */
  original: readonly string[] | string
  /** What the service is sent: an object, or a line of NDJSON as it is; null if it cannot be sent. */
  line: object | string | null
  /** Why it cannot be sent. */
  fault: string | null
}

/** Makes the line for the service from the values by column. */
export type ToLine = (values: ReadonlyMap<string, unknown>) => Pick<Row, 'line' | 'fault'>

/** What cannot be read as UTF-8 has this character in its place. */
export function wrongEncoding(text: string): string | null {
  return text.includes('\uFFFD') ? 'it is not in UTF-8. Save the file in UTF-8.' : null
}
