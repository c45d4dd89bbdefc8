import type { Row } from '../../core/import-file/row.ts'
import type { Connection } from '../connection.ts'

export type Counts = { lines: number; created: number; updated: number; unchanged: number; refused: number }

type Settings = {
  connection: Connection
  isDryRun: boolean
  onRefused(row: Row, error: string): void
  /** Called before each batch except the first, but not after the last: `sendRows` then returns the counts. */
  onProgress(counts: Counts): void
}

/** The number of rows in a batch. For a batch of this size, the service names every refused line; it takes little memory. */
const rowsAtOnce = 1_000

/** Sends the rows as they are read, a thousand at a time. */
export async function sendRows(rows: AsyncIterable<Row>, settings: Settings): Promise<Counts> {
  const counts: Counts = { lines: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }
  let waiting: Row[] = []
  for await (const row of rows) {
    waiting.push(row)
    if (waiting.length < rowsAtOnce) continue
    await send(waiting, counts, settings)
    waiting = []
  }
  if (waiting.length > 0) await send(waiting, counts, settings)
  return counts
}

async function send(
  rows: readonly Row[],
  counts: Counts,
  { connection, isDryRun, onRefused, onProgress }: Settings,
): Promise<void> {
  if (counts.lines > 0) onProgress(counts)
  const sent = rows.filter(({ line }) => line !== null)
  const errors = new Map<Row, string>()
  for (const row of rows) if (row.fault !== null) errors.set(row, row.fault)
  if (sent.length > 0) {
    const lines = sent.map(({ line }) => (typeof line === 'string' ? line : JSON.stringify(line)))
    const result = await connection.ask((api) => api.importSubscribers({ lines, dry_run: isDryRun }))
    for (const { line, code, message } of result.errors) errors.set(sent[line - 1] as Row, `${code}: ${message}`)
    for (const name of ['created', 'updated', 'unchanged'] as const) counts[name] += result[name]
    counts.refused += result.failed
  }
  counts.refused += rows.length - sent.length
  counts.lines += rows.length
  for (const row of rows) {
    const error = errors.get(row)
    if (error !== undefined) onRefused(row, error)
  }
}
