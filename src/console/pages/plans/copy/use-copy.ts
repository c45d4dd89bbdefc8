import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { compare } from '../../../../core/catalog/compare.ts'
import { takePreviewableSteps } from '../../../../core/catalog/previewable.ts'
import { type Step, toSteps } from '../../../../core/catalog/steps.ts'
import { isServerError } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import { type CatalogOperation, CatalogToCopyDocument, RefusedCopiesDocument } from '../../../generated/copy-catalog.ts'
import { readOptions, refresh } from '../../../session/queries.ts'
import { type LoadedCatalog, toLoadedCatalog } from './catalog-of.ts'
import { runStep } from './run-step.ts'

/** The result of an incomplete copy: the error, the object that failed, and the progress. */
export type CopyFailure = { error: Error; object: string | null; isMeanwhile: boolean; done: number; total: number }

type State = { step: 'ready' } | { step: 'running'; done: number; total: number } | { step: 'done'; total: number }

/** Reads the catalog of an organization, without what the person's role may not read. */
export function useCatalog(organizationId: string) {
  const query = useQuery(readOptions(organizationId, CatalogToCopyDocument, {}))
  const { data } = query
  const read = useMemo(() => data && { features: data.features ?? [], plans: data.plans ?? [] }, [data])
  return { ...query, data: useMemo(() => read && toLoadedCatalog(read), [read]) }
}

/** What copying the source would change in the target, and which of these changes the server would refuse. */
export function useDifference(
  source: LoadedCatalog,
  target: LoadedCatalog,
  organizationId: string,
  isPruning: boolean,
) {
  const { difference, steps } = useMemo(() => {
    const difference = compare(source.catalog, target.catalog)
    return { difference, steps: toSteps({ source, target, difference, isPruning }) }
  }, [source, target, isPruning])
  const previewed = useMemo(() => takePreviewableSteps(steps, target.catalog), [steps, target])
  const changes = previewed.map(({ change: { operation, ...change } }) => ({
    ...change,
    operation: operation.toUpperCase() as CatalogOperation,
  }))
  const preview = useQuery({
    ...readOptions(organizationId, RefusedCopiesDocument, { input: { changes } }),
    enabled: changes.length > 0 && difference.impossible.length === 0,
  })
  const refused = (preview.data?.previewCatalog.refusals ?? []).flatMap(({ index, message, details }) => {
    const step = previewed[index]
    // Leave out steps with a fallback, which runs if the step is refused with a conflict.
    return step && !step.fallback ? [{ object: step.object, reason: reasonOf(details) ?? message }] : []
  })
  return { difference, steps, refused, preview }
}

function reasonOf(details: unknown): string | null {
  const fields = (details as { fields?: { path: string; message: string }[] } | null)?.fields
  return fields?.map(({ path, message }) => `${path}: ${message}`).join(' ') ?? null
}

/** Writes the steps in the target, one after the other, until one fails or the page is left. */
export function useCopy(organizationId: string) {
  const [state, setState] = useState<State>({ step: 'ready' })
  const [stop, setStop] = useState<CopyFailure | null>(null)
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  async function run(steps: readonly Step[], shown: LoadedCatalog): Promise<void> {
    isStopped.current = false
    setStop(null)
    let done = 0
    let current: Step | undefined
    const show = () => setState({ step: 'running', done, total: steps.length })
    show()
    try {
      await assertUnchangedSinceShown(steps, shown, organizationId)
      const target = { organizationId, versions: new Map(shown.versions) }
      for (current of steps) {
        if (isStopped.current) break
        await runStep(current, target)
        done += 1
        show()
      }
    } catch (error) {
      const isOutdated = error instanceof ChangedSinceShownError || isServerError(error, 'CONFLICT')
      setStop({
        error: error as Error,
        object: current?.object ?? null,
        isMeanwhile: isOutdated,
        done,
        total: steps.length,
      })
    }
    // Refresh first, so that the steps that are left are computed from the present catalog.
    await refresh(organizationId)
    setState(done === steps.length ? { step: 'done', total: done } : { step: 'ready' })
  }

  function stopCopying(): void {
    isStopped.current = true
  }

  return { state, stop, run, halt: stopCopying }
}

class ChangedSinceShownError extends Error {}

/** Throws if an object has changed since it was shown. The server does not check versions when it archives or deletes. */
async function assertUnchangedSinceShown(
  steps: readonly Step[],
  shown: LoadedCatalog,
  organizationId: string,
): Promise<void> {
  const answer = await queryClient.fetchQuery({
    ...readOptions(organizationId, CatalogToCopyDocument, {}),
    staleTime: 0,
  })
  const { versions } = toLoadedCatalog({ features: answer.features ?? [], plans: answer.plans ?? [] })
  const touched = steps.find(({ object }) => versions.get(object) !== shown.versions.get(object))
  if (touched) throw new ChangedSinceShownError(`Somebody else has changed ${touched.object} meanwhile.`)
}
