import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Problem } from '../problem.ts'
import { type Row, type Rows, type ToLine, wrongEncoding } from './row.ts'
import { findSeparator } from './separator-line.ts'

type Parsed = { record: string[]; info: { lines: number } }

type Settings = {
  name: string
  delimiter: string
  prepare(columns: readonly string[]): Promise<{ toLine: ToLine; ignored: readonly string[] }>
}

/** The first record has the names of the columns. `prepare` gets them, and says what the others stand for. */
export async function readCsv(file: Readable, { name, delimiter: given, prepare }: Settings): Promise<Rows> {
  const separator = await findSeparator(file)
  const delimiter = separator ?? given
  const skipped = separator === null ? 0 : 1
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    skip_empty_lines: true,
    // Spreadsheets write the delimiters of rows that were emptied.
    skip_records_with_empty_values: true,
    relax_column_count: true,
  })
  file.on('error', (error) => parser.destroy(error)).pipe(parser)
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Parsed>
  const next = () => records.next().catch((error) => explain(error, name, skipped))

  const first = await next()
  if (first.done) throw new Problem(`${name} is empty. Its first line must have the names of the columns.`)
  const header = first.value.record.map((column) => column.trim())
  const { toLine, ignored } = await prepare(header)
  const isExported = ['created_at', 'updated_at'].every((column) => header.includes(column))
  const read = isExported ? readExported : readTyped

  async function* rows(): AsyncGenerator<Row> {
    for (let each = await next(); !each.done; each = await next()) {
      const { record, info } = each.value
      const values = new Map(header.map((column, index) => [column, record[index] && read(record[index])]))
      yield { number: info.lines + skipped, original: record, ...(checkCells(record, header) ?? toLine(values)) }
    }
  }
  return { header, delimiter, ignored, hasSeparatorLine: separator !== null, rows: rows() }
}

/** The service's exports put a quote before what a spreadsheet would calculate. So does whoever types such a text there. */
function readExported(cell: string): string {
  return cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '')
}

/** In tables of people, spaces at the edges are oversights. */
function readTyped(cell: string): string {
  return readExported(cell.trim())
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

function explain(error: unknown, name: string, skipped: number): never {
  if (error instanceof CsvError) {
    const lines = (error as { lines?: number }).lines
    throw new Problem(
      `${name}${lines === undefined ? '' : `:${lines + skipped}`}: ${error.message}. Correct it, and import the file again. Lines before it may be imported already, which does no harm.`,
      {
        code: 'INVALID_FILE',
      },
    )
  }
  throw error
}
