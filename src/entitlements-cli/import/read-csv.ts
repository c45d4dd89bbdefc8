import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Problem } from '../problem.ts'
import { type Row, type Rows, type ToLine, wrongEncoding } from './row.ts'

type Parsed = { record: string[]; info: { lines: number } }

/** The first record has the names of the columns. `prepare` gets them, and says what the others stand for. */
export async function readCsv(
  file: Readable,
  {
    name,
    delimiter,
    prepare,
  }: { name: string; delimiter: string; prepare(columns: readonly string[]): Promise<ToLine> },
): Promise<Rows> {
  const parser = parse({ bom: true, delimiter, info: true, skip_empty_lines: true, relax_column_count: true })
  file.on('error', (error) => parser.destroy(error)).pipe(parser)
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Parsed>
  const next = () => records.next().catch((error) => explain(error, name))

  const first = await next()
  if (first.done) throw new Problem(`${name} is empty. Its first line must have the names of the columns.`)
  const header = first.value.record.map((column) => column.trim())
  const toLine = await prepare(header)

  async function* rows(): AsyncGenerator<Row> {
    for (let each = await next(); !each.done; each = await next()) {
      const { record, info } = each.value
      const values = new Map(header.map((column, index) => [column, record[index]?.trim()]))
      yield { number: info.lines, original: record, ...(checkCells(record, header) ?? toLine(values)) }
    }
  }
  return { header, rows: rows() }
}

/** A cell too many means that a value has the delimiter in it, and so that cells are under the wrong names. */
function checkCells(record: readonly string[], header: readonly string[]): { line: null; fault: string } | null {
  const fault = wrongEncoding(record.join(''))
  if (fault !== null) return { line: null, fault }
  if (record.length <= header.length) return null
  return {
    line: null,
    fault: `it has ${record.length} cells, but there are ${header.length} columns. Put values with the delimiter in quotes.`,
  }
}

function explain(error: unknown, name: string): never {
  if (error instanceof CsvError) {
    const lines = (error as { lines?: number }).lines
    throw new Problem(
      `${name}${lines === undefined ? '' : `:${lines}`}: ${error.message}. Correct it, and import the file again. Lines before it may be imported already, which does no harm.`,
      {
        code: 'INVALID_FILE',
      },
    )
  }
  throw error
}
