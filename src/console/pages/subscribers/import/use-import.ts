import { useEffect, useRef, useState } from 'react'
import { aboutFormats, recognizeFormat } from '../../../../core/file-format.ts'
import { type FileLine, nothing, runImport, type Tally } from '../../../components/import/run-import.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh } from '../../../session/queries.ts'
import { readLines } from './read-lines.ts'

/*
 * | State    | Trigger                    | To       |
 * | empty    | a file is chosen           | checking |
 * | checking | all lines tried, or Stop   | checked  |
 * | checked  | Import                     | running  |
 * | running  | all lines sent, or Stop    | done     |
 * | any      | another file is chosen     | checking |
 *
 * Leaving the page stops it.
 */
type State = {
  step: 'empty' | 'checking' | 'checked' | 'running' | 'done'
  fileName: string
  lines: readonly FileLine[]
  tally: Tally
  error: Error | null
}

/** Enough to recognize the format of a file. */
const startBytes = 4096

const empty: State = { step: 'empty', fileName: '', lines: [], tally: nothing, error: null }

export function useImport() {
  const organizationId = useOrganizationId()
  const [state, setState] = useState(empty)
  const stop = useRef(new AbortController())
  // Nobody would see the outcome.
  useEffect(() => () => stop.current.abort(), [])

  async function run(lines: readonly FileLine[], isDryRun: boolean): Promise<void> {
    const [during, after] = isDryRun ? (['checking', 'checked'] as const) : (['running', 'done'] as const)
    stop.current.abort()
    stop.current = new AbortController()
    const { signal } = stop.current
    setState((old) => ({ ...old, lines, step: during, tally: nothing, error: null }))
    const onProgress = (tally: Tally) => setState((old) => ({ ...old, tally }))
    try {
      const tally = await runImport(lines, { organizationId, isDryRun, signal, onProgress })
      setState((old) => ({ ...old, step: after, tally }))
    } catch (error) {
      setState((old) => ({ ...old, step: after, error: error as Error }))
    } finally {
      if (!isDryRun) await refresh(organizationId)
    }
  }

  return {
    ...state,
    async choose(file: File) {
      const format = recognizeFormat(new Uint8Array(await file.slice(0, startBytes).arrayBuffer()))
      const isWrong = format !== null && format !== 'ndjson'
      const error = isWrong
        ? new Error(`${aboutFormats[format]} This page takes NDJSON: a JSON object on each line.`)
        : null
      setState({ ...empty, fileName: file.name, error })
      if (!error) await run(readLines(await file.text()), true)
    },
    start: () => run(state.lines, false),
    stop: () => stop.current.abort(),
  }
}
