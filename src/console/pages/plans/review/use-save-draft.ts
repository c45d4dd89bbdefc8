import { useState } from 'react'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { refresh } from '../../../session/queries.ts'
import { joinNames } from '../count.ts'
import { type Draft, grantsAfterSave, hasSameEdits, type PlanDraft, withoutPlans } from '../draft/draft.ts'
import { readDraft, readReason, updateDraft, updateReason } from '../draft/draft-store.ts'
import { type Plan, toGrantInputs } from '../plan.ts'
import { savedPlanOf, savePlans } from './save-plans.ts'

type Refusal = { planDraft: PlanDraft; error: Error }
type SavedPlan = { plan: Plan; before: PlanDraft }

type SaveDraft = {
  isSaving: boolean
  /** Why the whole request failed; null once the draft has changed since. */
  error: Error | null
  /** The names of the plans that the last save stored; none once the draft has changed since. */
  saved: readonly string[]
  /** Why a plan was refused; null once its draft has changed since. */
  refusalOf(key: string, planDraft: PlanDraft): Error | null
  /** Resolves to whether everything was saved. Refused plans stay in the draft. */
  save(draft: Draft): Promise<boolean>
}

/** The outcome of a save, and the draft that was left after it. */
type SaveOutcome = { saved: readonly string[]; error: Error | null; left: Draft }

export function useSaveDraft(organizationId: string, draft: Draft): SaveDraft {
  const [isSaving, setIsSaving] = useState(false)
  const [last, setLast] = useState<SaveOutcome | null>(null)
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusal>>(new Map())

  function setOutcome(saved: readonly string[], error: Error | null): void {
    setLast({ saved, error, left: readDraft(organizationId) })
  }

  async function save(wanted: Draft): Promise<boolean> {
    if (isSaving) return false
    setIsSaving(true)
    setLast(null)
    try {
      const { done, refused } = await saveAll(organizationId, wanted)
      setRefusals(refused)
      updateDraft(organizationId, (current) => withoutPlans(current, keysOfUnchanged(current, done)))
      setOutcome(
        done.map(({ plan }) => plan.name),
        null,
      )
      if (done.length > 0) toastSaved(organizationId, done)
      if (refused.size === 0) updateReason(organizationId, () => '')
      await refresh(organizationId)
      return refused.size === 0
    } catch (reason) {
      setOutcome([], reason as Error)
      return false
    } finally {
      setIsSaving(false)
    }
  }

  const isCurrent = last !== null && hasSameEdits(last.left, draft)
  return {
    isSaving,
    error: isCurrent ? last.error : null,
    saved: isCurrent ? last.saved : [],
    refusalOf(key, planDraft) {
      const refusal = refusals.get(key)
      return refusal?.planDraft === planDraft ? refusal.error : null
    },
    save,
  }
}

async function saveAll(organizationId: string, draft: Draft) {
  const note = readReason(organizationId).trim()
  const inputs = [...draft].map(([key, planDraft]) => ({
    key,
    grants: toGrantInputs(grantsAfterSave(planDraft)),
    expectedUpdatedAt: planDraft.updatedAt,
    ...(note && { note }),
  }))
  const outcomes = await savePlans(organizationId, inputs)
  const done: SavedPlan[] = []
  const refused = new Map<string, Refusal>()
  for (const [key, before] of draft) {
    const outcome = outcomes.get(key)
    const plan = savedPlanOf(outcome)
    if (plan) done.push({ plan, before })
    else if (outcome && 'error' in outcome) refused.set(key, { planDraft: before, error: outcome.error })
  }
  return { done, refused }
}

/** The keys of saved plans whose drafts can be removed. A plan that was changed again during the save keeps its draft. */
function keysOfUnchanged(current: Draft, done: readonly SavedPlan[]): string[] {
  return done.flatMap(({ plan: { key }, before }) => (current.get(key) === before ? [key] : []))
}

function toastSaved(organizationId: string, done: readonly SavedPlan[]): void {
  const names = done.map(({ plan }) => plan.name)
  toastDone(
    names.length > 3
      ? `${names.length} plans were saved.`
      : `${joinNames(names.map((name) => `“${name}”`))} ${names.length === 1 ? 'was' : 'were'} saved.`,
    () => undoSave(organizationId, done),
  )
}

/** Restores the former grants, unless someone has changed the plan since. */
async function undoSave(organizationId: string, done: readonly SavedPlan[]): Promise<void> {
  const inputs = done.map(({ plan, before }) => ({
    key: plan.key,
    grants: toGrantInputs(before.base),
    expectedUpdatedAt: plan.updatedAt,
  }))
  const outcomes = await savePlans(organizationId, inputs)
  await refresh(organizationId)
  for (const outcome of outcomes.values()) if ('error' in outcome) throw outcome.error
}
