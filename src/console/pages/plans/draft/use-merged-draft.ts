import { useEffect, useState } from 'react'
import type { Plan } from '../plan.ts'
import type { Draft } from './draft.ts'
import { readDraft, updateDraft, useDraft } from './draft-store.ts'
import { type ColleagueChange, mergeColleagueChanges } from './merge.ts'

type MergedDraft = {
  draft: Draft
  /** Colleagues' changes that were merged into the draft, until the person has read them. */
  merged: ColleagueChange[]
  /** The plans on which the person has to choose between two changes. */
  contested: ColleagueChange[]
  forgetMerged(): void
}

/** The draft on top of the current plans. Colleagues' changes are merged whenever the plans are read again. */
export function useMergedDraft(organizationId: string, plans: readonly Plan[]): MergedDraft {
  const draft = useDraft(organizationId)
  const [merged, setMerged] = useState<ColleagueChange[]>([])
  const result = mergeColleagueChanges(draft, plans)
  const isBehind = result.draft !== draft

  useEffect(() => {
    // In development, React runs each effect twice. By the second time, the stored draft has changed.
    if (!isBehind || readDraft(organizationId) !== draft) return
    const { draft: next, changes } = mergeColleagueChanges(draft, plans)
    const settled = changes.filter(({ contested }) => contested.length === 0)
    updateDraft(organizationId, () => next)
    if (settled.length > 0) setMerged((old) => [...old, ...settled])
  }, [isBehind, draft, plans, organizationId])

  return {
    draft,
    merged,
    contested: result.changes.filter(({ contested }) => contested.length > 0),
    forgetMerged: () => setMerged([]),
  }
}
