import { emptyTally, type FileRow, maxLines, runImport, type Tally } from '../../../components/import/run-import.ts'
import { toRestValue, type Value } from '../../../components/text/value.ts'
import { SubscribersReachedDocument } from '../../../generated/plans.ts'
import { refresh } from '../../../session/queries.ts'
import { readPages } from '../../../session/read-pages.ts'

type GrantTarget = { organizationId: string; planKey: string; feature: string }

export type KeepOptions = {
  value: Value
  note: string
  expiresAt: string | null
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/** How many subscribers were found, and for how many of them the override was sent. */
export type Progress = { found: number; done: number; isReading: boolean }

export type KeepResult = Tally & {
  /** How many subscribers were left out, because an override of theirs starts later. */
  leftOut: number
  /** Why the remaining lines were not sent; null if all were. */
  error: Error | null
  /** Deletes the overrides again. */
  undo(): Promise<void>
}

/**
 * Overrides the feature with a value for all subscribers of a plan who have no override of it. Leaves out those whose override
 * starts later, because the new override would replace it.
 */
export async function keepOldValueForAll(target: GrantTarget, keeping: KeepOptions): Promise<KeepResult> {
  const { organizationId, feature } = target
  const { value, note, expiresAt, signal, onProgress } = keeping
  const { ids, leftOut } = await readAffectedIds(target, keeping)
  const override = { ...toRestValue(value), ...(note.trim() && { note: note.trim() }), expires_at: expiresAt }
  let [tally, error]: [Tally, Error | null] = [emptyTally, null]
  function onTally(latest: Tally): void {
    tally = latest
    onProgress({ found: ids.length, done: latest.lines, isReading: false })
  }
  try {
    await runImport(toRows(ids, feature, override), { organizationId, isDryRun: false, signal, onProgress: onTally })
  } catch (reason) {
    error = reason as Error
  }
  await refresh(organizationId)

  const refused = new Set(tally.errors.map(({ subscriberId }) => subscriberId))
  // If the answer to a batch was lost, the batch may have been imported nevertheless.
  const sent = ids.slice(0, tally.lines + (error ? maxLines : 0))
  const given = sent.filter((id) => !refused.has(id))
  async function undo(): Promise<void> {
    const { errors } = await runImport(toRows(given, feature, null), {
      organizationId,
      isDryRun: false,
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    await refresh(organizationId)
    if (errors[0]) throw new Error(errors[0].message)
  }
  return { ...tally, leftOut, error, undo }
}

async function readAffectedIds({ organizationId, planKey, feature }: GrantTarget, { signal, onProgress }: KeepOptions) {
  const ids: string[] = []
  let leftOut = 0
  const variables = { filter: { planId: planKey, withoutOverrideOf: [feature] } }
  const pages = readPages(
    { document: SubscribersReachedDocument, variables, find: ({ subscribers }) => subscribers },
    { organizationId, signal },
  )
  for await (const nodes of pages) {
    const unscheduled = nodes.filter(({ overrides }) => !hasScheduledOverride(overrides ?? [], feature))
    ids.push(...unscheduled.map(({ subscriberId }) => subscriberId))
    leftOut += nodes.length - unscheduled.length
    onProgress({ found: ids.length, done: 0, isReading: true })
  }
  return { ids, leftOut }
}

type OverrideStart = { feature: string; startsAt: string | null }

/** The server answers `startsAt` only before the start. */
function hasScheduledOverride(overrides: readonly OverrideStart[], feature: string): boolean {
  return overrides.some((override) => override.feature === feature && override.startsAt !== null)
}

/** One line for each subscriber; null deletes the override. */
function toRows(ids: readonly string[], feature: string, override: object | null): FileRow[] {
  return ids.map((id, index) => ({
    number: index + 1,
    line: { subscriber_id: id, overrides: { [feature]: override } },
    fault: null,
  }))
}
