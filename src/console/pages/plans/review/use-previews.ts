import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isServerError } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import { PlansDocument, PreviewPlanUpdateDocument, type PreviewPlanUpdateQuery } from '../../../generated/plans.ts'
import { readOptions } from '../../../session/queries.ts'
import { type Draft, grantsAfterSave } from '../draft/draft.ts'
import { toGrantInputs } from '../plan.ts'

export type Preview = NonNullable<PreviewPlanUpdateQuery['previewPlanUpdate']>

/** The server's preview of a plan's draft. Until the server has answered, `preview` is undefined and `error` is null. */
export type PreviewOfPlan = { planKey: string; preview: Preview | undefined; error: Error | null }

const cacheMs = 30_000

/** The server's previews by plan key. */
export function usePreviews(organizationId: string, draft: Draft): ReadonlyMap<string, PreviewOfPlan> {
  const plans = [...draft]
  const answers = useQueries({
    queries: plans.map(([key, planDraft]) => {
      const input = { key, grants: toGrantInputs(grantsAfterSave(planDraft)), expectedUpdatedAt: planDraft.updatedAt }
      return { ...readOptions(organizationId, PreviewPlanUpdateDocument, { input }), gcTime: cacheMs }
    }),
  })

  const isBehind = answers.some(({ error }) => isServerError(error, 'CONFLICT'))
  useEffect(() => {
    if (!isBehind) return
    // Someone changed a plan: reading the plans again merges their change into the draft.
    const { queryKey } = readOptions(organizationId, PlansDocument, {})
    void queryClient.invalidateQueries({ queryKey })
  }, [isBehind, organizationId])

  return new Map(
    plans.map(([key], index) => [
      key,
      { planKey: key, preview: answers[index]?.data?.previewPlanUpdate, error: answers[index]?.error ?? null },
    ]),
  )
}
