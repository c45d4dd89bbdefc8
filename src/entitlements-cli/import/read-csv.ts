import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type ParsedRecord, parserOptions, rowReader, toHeader } from '../../core/import-file/csv.ts'
import type { Row, ToLine } from '../../core/import-file/row.ts'
import { Problem } from '../problem.ts'
import type { Rows } from './rows.ts'
import { removeSeparatorLine } from './separator-line.ts'

type Settings = {
  name: string
  delimiter: string
  prepare(columns: readonly string[]): Promise<{ toLine: ToLine; ignored: readonly string[] }>
}

/** Reads a CSV file. `prepare` gets the names of the columns from the first record, and returns how to read the others. */
export async function readCsv(file: Readable, { name, delimiter: given, prepare }: Settings): Promise<Rows> {
  const separator = await removeSeparatorLine(file)
  const delimiter = separator ?? given
  const skipped = separator === null ? 0 : 1
  const parser = parse({ ...parserOptions, delimiter })
  file.on('error', (error) => parser.destroy(error)).pipe(parser)
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<ParsedRecord>
  const next = () => records.next().catch((error) => explain(error, name, skipped))

  const first = await next()
  if (first.done) throw new Problem(`${name} is empty. Its first line must have the names of the columns.`)
  const header = toHeader(first.value)
  const { toLine, ignored } = await prepare(header)
  const toRow = rowReader(header, skipped, toLine)

  async function* rows(): AsyncGenerator<Row> {
    for (let each = await next(); !each.done; each = await next()) yield toRow(each.value)
  }
  return { header, delimiter, ignored, hasSeparatorLine: separator !== null, rows: rows() }
}

function explain(error: unknown, name: string, skipped: number): never {
  if (error instanceof CsvError) {
    const lines = (error as { lines?: number }).lines
    throw new Problem(
      `${name}${lines === undefined ? '' : `:${lines + skipped}`}: ${error.message}. Correct it, and import the file again. Lines before it may have been imported already, which does no harm.`,
      {
        code: 'INVALID_FILE',
      },
    )
  }
  throw error
}
