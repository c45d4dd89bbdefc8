import type { Row } from '../../core/import-file/row.ts'
import { formatNumber } from '../output.ts'

/** Remembers at most this many subscribers, so that memory stays limited for a file of any length. */
const maxKnown = 1_000_000
const maxShown = 5

/** The rows of a file, and those whose subscriber had an earlier row. */
type RepeatedRows = {
  rows: AsyncIterable<Row>
  count: number
  examples: { id: string; first: number; again: number }[]
}

/** Watches the rows while they are read. */
export function findRepeatedRows(rows: AsyncIterable<Row>): RepeatedRows {
  const known = new Map<string, number>()
  const repeated: RepeatedRows = { rows: watch(), count: 0, examples: [] }

  async function* watch(): AsyncGenerator<Row> {
    for await (const row of rows) {
      recordRow(row)
      yield row
    }
  }

  function recordRow({ line, number }: Row): void {
    const id = typeof line === 'object' && line !== null && 'subscriber_id' in line ? line.subscriber_id : null
    if (typeof id !== 'string') return
    const first = known.get(id)
    if (first === undefined && known.size < maxKnown) known.set(id, number)
    if (first === undefined) return
    repeated.count++
    if (repeated.examples.length < maxShown) repeated.examples.push({ id, first, again: number })
  }

  return repeated
}

/** Explains the effect of several rows of one subscriber. */
export function describeRepeatedRows({ count, examples }: RepeatedRows): string[] {
  if (count === 0) return []
  const lines = examples.map(({ id, first, again }) => `line ${again}: ${id} is also in line ${first}`)
  const more = count > examples.length ? [`… and ${formatNumber(count - examples.length)} more`] : []
  return [...lines, ...more, 'If several rows for one subscriber set the same column, the last row counts.']
}
