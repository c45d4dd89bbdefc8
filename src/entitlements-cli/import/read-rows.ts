import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Feature } from '../../core/catalog/catalog.ts'
import { formatHints, recognizeFormat } from '../../core/file-format.ts'
import { findIgnoredColumns, type Mapping, mapValues, namesOverrides } from '../../core/import-file/mapping.ts'
import type { ToLine } from '../../core/import-file/row.ts'
import { peek } from '../../core/streams.ts'
import { readService } from '../catalog/read-service.ts'
import type { Connection } from '../connection.ts'
import { Problem } from '../problem.ts'
import { completeMapping } from './parse-mapping.ts'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'
import type { Rows } from './rows.ts'

const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

type Source = {
  /** `-` is standard input. */
  path: string
  format: Format
  delimiter: string
  /** null if none was given. */
  mapping: Mapping | null
  connection: Connection
}

export async function readRows({ path, format, delimiter, mapping, connection }: Source): Promise<Rows> {
  const name = path === '-' ? 'standard input' : path
  const toLine = format === 'ndjson' && mapping ? await toLineOf(mapping, connection) : null
  const file: Readable = path === '-' ? process.stdin : createReadStream(path)
  await assertFormat(file, { name, format })
  if (format === 'ndjson') return readNdjson(file, toLine)
  return readCsv(file, {
    name,
    delimiter,
    async prepare(columns) {
      const complete = completeMapping(mapping ?? [], columns)
      return { toLine: await toLineOf(complete, connection), ignored: findIgnoredColumns(complete, columns) }
    },
  })
}

/** Throws a Problem if the file is certainly in another format: the service would refuse each of its lines. */
async function assertFormat(file: Readable, { name, format }: { name: string; format: Format }): Promise<void> {
  const found = recognizeFormat(await peek(file))
  if (found === null || found === format) return
  const advice = found === 'csv' || found === 'ndjson' ? ` Give --format ${found}.` : ''
  throw new Problem(`${name} is not ${format === 'csv' ? 'CSV' : 'NDJSON'}. ${formatHints[found]}${advice}`, {
    code: 'INVALID_FILE',
  })
}

/** Loads the features if the mapping has overrides, because the format of an override depends on the feature's kind. */
async function toLineOf(mapping: Mapping, connection: Connection): Promise<ToLine> {
  const features: ReadonlyMap<string, Feature> = namesOverrides(mapping)
    ? (await readService(connection)).catalog.features
    : new Map()
  return (values) => mapValues(values, mapping, features)
}

/** The format from `--format`, or from the file's extension. */
export function formatOf(path: string, given: string | undefined): Format {
  const name = given ?? /\.(\w+)$/.exec(path)?.[1]?.toLowerCase()
  const format = name === 'jsonl' ? 'ndjson' : formats.find((each) => each === name)
  if (format) return format
  throw new Problem(
    `--format must be ${formats.join(' or ')}${given === undefined ? `: the name "${path}" does not say which` : ''}.`,
    {
      code: 'USAGE',
    },
  )
}
