import { useEffect, useRef, useState } from 'react'
import { formatHints, recognizeFormat } from '../../../../core/file-format.ts'
import { rowReader } from '../../../../core/import-file/csv.ts'
import { type Mapping, mapValues } from '../../../../core/import-file/mapping.ts'
import type { ImportedFeature } from '../../../../core/import-file/override.ts'
import type { FileLayout } from '../../../../core/import-file/refused-rows.ts'
import type { Row } from '../../../../core/import-file/row.ts'
import { emptyTally, runImport, type Tally } from '../../../components/import/run-import.ts'
import type { CatalogNamesQuery } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh } from '../../../session/queries.ts'
import type { CsvTable } from './csv-table.ts'
import { guessMapping } from './guess-mapping.ts'
import { readLines } from './read-lines.ts'

/*
 * | State    | Trigger                     | To       |
 * | empty    | a CSV file is chosen        | mapping  |
 * | empty    | an NDJSON file is chosen    | checking |
 * | mapping  | Check                       | checking |
 * | checking | all rows checked, or Stop   | checked  |
 * | checked  | Import                      | running  |
 * | checked  | Change the columns          | mapping  |
 * | running  | all rows sent, or Stop      | done     |
 * | any      | another file is chosen      | mapping, checking |
 *
 * Leaving the page stops the import.
 */
type State = {
  step: 'empty' | 'mapping' | 'checking' | 'checked' | 'running' | 'done'
  fileName: string
  text: string
  /** null for NDJSON. */
  table: CsvTable | null
  mapping: Mapping
  rows: readonly Row[]
  tally: Tally
  error: Error | null
}

type Features = NonNullable<CatalogNamesQuery['features']>

/** The number of bytes from which the format of a file is recognized. */
const startBytes = 4096
const ndjsonLayout: FileLayout = { header: null, delimiter: '', hasSeparatorLine: false }

const empty: State = {
  step: 'empty',
  fileName: '',
  text: '',
  table: null,
  mapping: [],
  rows: [],
  tally: emptyTally,
  error: null,
}

export function useImport(features: Features) {
  const organizationId = useOrganizationId()
  const [state, setState] = useState(empty)
  const stop = useRef(new AbortController())
  // Leaving the page stops the import, because nobody would see its outcome.
  useEffect(() => () => stop.current.abort(), [])

  async function run(rows: readonly Row[], isDryRun: boolean): Promise<void> {
    const [during, after] = isDryRun ? (['checking', 'checked'] as const) : (['running', 'done'] as const)
    stop.current.abort()
    stop.current = new AbortController()
    const { signal } = stop.current
    setState((old) => ({ ...old, rows, step: during, tally: emptyTally, error: null }))
    const onProgress = (tally: Tally) => setState((old) => ({ ...old, tally }))
    try {
      const tally = await runImport(rows, { organizationId, isDryRun, signal, onProgress })
      setState((old) => ({ ...old, step: after, tally }))
    } catch (error) {
      setState((old) => ({ ...old, step: after, error: error as Error }))
    } finally {
      if (!isDryRun) await refresh(organizationId)
    }
  }

  async function readCsv(fileName: string, text: string, delimiter?: string): Promise<void> {
    stop.current.abort()
    try {
      // The CSV parser is loaded only when a person imports a CSV file.
      const { readTable } = await import('./csv-table.ts')
      const table = readTable(text, delimiter)
      const keys = features.map(({ key }) => key)
      setState({ ...empty, step: 'mapping', fileName, text, table, mapping: guessMapping(table.header, keys) })
    } catch (error) {
      setState({ ...empty, fileName, error: error as Error })
    }
  }

  return {
    ...state,
    look: state.table ?? ndjsonLayout,
    async choose(file: File) {
      const format = recognizeFormat(new Uint8Array(await file.slice(0, startBytes).arrayBuffer()))
      const isCsv = format === 'csv' || (format === null && /\.(csv|tsv)$/i.test(file.name))
      if (isCsv) return readCsv(file.name, await file.text())
      if (format !== null && format !== 'ndjson') {
        const error = new Error(`${formatHints[format]} This page takes CSV, or NDJSON: a JSON object on each line.`)
        return setState({ ...empty, fileName: file.name, error })
      }
      setState({ ...empty, fileName: file.name })
      await run(readLines(await file.text()), true)
    },
    separate: (delimiter: string) => readCsv(state.fileName, state.text, delimiter),
    map: (mapping: Mapping) => setState((old) => ({ ...old, mapping })),
    changeColumns: () => setState((old) => ({ ...old, step: 'mapping', rows: [], tally: emptyTally, error: null })),
    async check() {
      const { table, mapping } = state
      if (!table) return
      const imported = new Map(features.map((feature) => [feature.key, toImported(feature)]))
      const toRow = rowReader(table.header, table.skipped, (values) => mapValues(values, mapping, imported))
      await run(table.records.map(toRow), true)
    },
    start: () => run(state.rows, false),
    stop: () => stop.current.abort(),
  }
}

/** The feature with the names and values of the REST API, which import files use. */
function toImported({ kind, valueType }: Features[number]): ImportedFeature {
  return {
    kind: kind.toLowerCase() as ImportedFeature['kind'],
    value_type: (valueType?.toLowerCase() ?? null) as ImportedFeature['value_type'],
  }
}
