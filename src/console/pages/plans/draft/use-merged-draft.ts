import { useEffect, useState } from 'react'
import type { Plan } from '../plan.ts'
import type { Draft } from './draft.ts'
import { readDraft, updateDraft, useDraft } from './draft-store.ts'
import { type ColleagueChange, mergeOthers } from './merge.ts'

type MergedDraft = {
  draft: Draft
  /** What others changed and the draft took over, until the person has read it. */
  merged: ColleagueChange[]
  /** What waits for the person's choice. */
  contested: ColleagueChange[]
  forgetMerged(): void
}

/** The draft on top of the plans as they are now. Others' changes are merged whenever the plans are read again. */
export function useMergedDraft(organizationId: string, plans: readonly Plan[]): MergedDraft {
  const draft = useDraft(organizationId)
  const [merged, setMerged] = useState<ColleagueChange[]>([])
  const result = mergeOthers(draft, plans)
  const isBehind = result.draft !== draft

  useEffect(() => {
    // Development runs each effect twice; the second time the store has moved on.
    if (!isBehind || readDraft(organizationId) !== draft) return
    const { draft: next, changes } = mergeOthers(draft, plans)
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
