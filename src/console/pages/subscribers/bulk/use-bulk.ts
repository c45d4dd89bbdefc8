import { useEffect, useRef, useState } from 'react'
import { isServerError } from '../../../api/errors.ts'
import { emptyTally, type FileRow, maxLines, runImport, type Tally } from '../../../components/import/run-import.ts'
import {
  BulkSubscriberByIdDocument,
  type BulkSubscriberByIdQueryVariables,
  BulkSubscribersDocument,
} from '../../../generated/bulk.ts'
import type { SubscriberFilter } from '../../../generated/subscribers.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh } from '../../../session/queries.ts'
import { readPages } from '../../../session/read-pages.ts'
import { request } from '../../../session/request.ts'
import { type AffectedSubscriber, type BulkChange, needsLine, toLine, toUndoLines } from './bulk-change.ts'

/** The subscribers that match the filter (null: all), or those with these ids. */
export type Audience = { filter: SubscriberFilter | null } | { ids: readonly string[] }

/*
 * | State    | Trigger                       | To       |
 * | form     | Check                         | reading  |
 * | reading  | all are read and checked      | checked  |
 * | reading  | Stop, or an error             | form     |
 * | checked  | Back                          | form     |
 * | checked  | Apply                         | running  |
 * | running  | all lines sent, or Stop       | done     |
 * | done     | Undo                          | undoing  |
 * | undoing  | all lines sent, or Stop       | undone   |
 * | done     | Make another change           | form     |
 * | undone   | Make another change           | form     |
 *
 * Leaving the page stops the change.
 */
type State = {
  step: 'form' | 'reading' | 'checked' | 'running' | 'done' | 'undoing' | 'undone'
  change: BulkChange | null
  /** The subscribers that the change affects, as they are before it. */
  reached: readonly AffectedSubscriber[]
  /** Ids that no subscriber has. */
  unknown: readonly string[]
  /** How many subscribers are left out: they have no override to remove, or already have the plan. */
  unchangedCount: number
  tally: Tally
  error: Error | null
}

const empty: State = {
  step: 'form',
  change: null,
  reached: [],
  unknown: [],
  unchangedCount: 0,
  tally: emptyTally,
  error: null,
}

/** How many subscribers are read by their ids at the same time. */
const idsAtOnce = 8

export function useBulk() {
  const organizationId = useOrganizationId()
  const [state, setState] = useState(empty)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  function begin(patch: Partial<State>): AbortSignal {
    stop.current.abort()
    stop.current = new AbortController()
    setState((old) => ({ ...old, tally: emptyTally, error: null, ...patch }))
    return stop.current.signal
  }

  async function send(rows: readonly FileRow[], signal: AbortSignal, isDryRun: boolean): Promise<Tally> {
    const onProgress = (tally: Tally) => setState((old) => ({ ...old, tally }))
    return runImport(rows, { organizationId, isDryRun, signal, onProgress })
  }

  async function check(whom: Audience, change: BulkChange): Promise<void> {
    const signal = begin({ ...empty, step: 'reading', change })
    try {
      const found: AffectedSubscriber[] = []
      const unknown: string[] = []
      for await (const { nodes, missing } of readAffected(whom, change, { organizationId, signal })) {
        found.push(...nodes)
        unknown.push(...missing)
        setState((old) => ({ ...old, reached: [...found] }))
      }
      if (signal.aborted) return setState(empty)
      const reached = found.filter((each) => needsLine(each, change))
      setState((old) => ({ ...old, reached, unknown, unchangedCount: found.length - reached.length }))
      const tally = await send(toRows(reached, change), signal, true)
      setState((old) => (signal.aborted ? empty : { ...old, step: 'checked', tally }))
    } catch (error) {
      setState({ ...empty, error: error as Error })
    }
  }

  async function write(rows: readonly FileRow[], [during, after]: readonly [State['step'], State['step']]) {
    const signal = begin({ step: during })
    try {
      const tally = await send(rows, signal, false)
      setState((old) => ({ ...old, step: after, tally }))
    } catch (error) {
      // The rows that were sent can still be undone.
      setState((old) => ({ ...old, step: after, error: error as Error }))
    } finally {
      await refresh(organizationId)
    }
  }

  const { change, reached, tally, error } = state
  return {
    ...state,
    check,
    edit: () => setState(empty),
    apply: () => change && write(toRows(reached, change), ['running', 'done']),
    undo() {
      if (!change) return
      const refused = new Set(tally.errors.map(({ line }) => line))
      const rows = reached.map((each, index) => ({ number: index + 1, fault: null, ...toUndoLines(each, change) }))
      // If the answer to a batch was lost, the batch may have been applied nevertheless.
      const sent = rows.slice(0, tally.lines + (error ? maxLines : 0))
      return write(
        sent.filter(({ number }) => !refused.has(number)),
        ['undoing', 'undone'],
      )
    },
    stop: () => stop.current.abort(),
  }
}

function toRows(reached: readonly AffectedSubscriber[], change: BulkChange): FileRow[] {
  return reached.map((each, index) => ({ number: index + 1, line: toLine(each, change), fault: null }))
}

type Options = { organizationId: string; signal: AbortSignal }
type Page = { nodes: AffectedSubscriber[]; missing: string[] }

async function* readAffected(whom: Audience, change: BulkChange, options: Options): AsyncGenerator<Page> {
  const variables = { withOverrides: change.type !== 'plan' }
  if ('filter' in whom) {
    const pages = readPages(
      {
        document: BulkSubscribersDocument,
        variables: { ...variables, filter: whom.filter },
        find: ({ subscribers }) => subscribers,
      },
      options,
    )
    for await (const nodes of pages) yield { nodes, missing: [] }
    return
  }
  const { ids } = whom
  for (let start = 0; start < ids.length && !options.signal.aborted; start += idsAtOnce) {
    const some = ids.slice(start, start + idsAtOnce)
    const found = await Promise.all(some.map((subscriberId) => findSubscriber({ ...variables, subscriberId }, options)))
    yield {
      nodes: found.flatMap((subscriber) => subscriber ?? []),
      missing: some.filter((_, index) => found[index] === null),
    }
  }
}

/** The subscriber; null if there is none, or if the text is not a valid id. */
async function findSubscriber(
  variables: BulkSubscriberByIdQueryVariables,
  options: Options,
): Promise<AffectedSubscriber | null> {
  try {
    return (await request(BulkSubscriberByIdDocument, variables, options)).subscriber
  } catch (error) {
    if (isServerError(error, 'NOT_FOUND') || isServerError(error, 'VALIDATION_ERROR')) return null
    throw error
  }
}
