import { useState } from 'react'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { refresh } from '../../../session/queries.ts'
import { type Draft, type PlanDraft, resultOf, withoutPlans } from '../draft/draft.ts'
import { updateDraft } from '../draft/draft-store.ts'
import { type Plan, toGrantInputs } from '../plan.ts'
import { savedOf, savePlans } from './save-plans.ts'

type Refusal = { planDraft: PlanDraft; error: Error }
type Saved = { plan: Plan; before: PlanDraft }

type SaveDraft = {
  isSaving: boolean
  /** Why the whole request failed. */
  error: Error | null
  /** The names of the plans that the last save stored. */
  saved: readonly string[]
  /** Why a plan was refused; null once its draft has changed since. */
  refusalOf(key: string, planDraft: PlanDraft): Error | null
  /** Resolves to whether everything was saved. Refused plans stay in the draft. */
  save(draft: Draft): Promise<boolean>
}

export function useSaveDraft(organizationId: string): SaveDraft {
  const [isSaving, setIsSaving] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [saved, setSaved] = useState<readonly string[]>([])
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusal>>(new Map())

  async function save(draft: Draft): Promise<boolean> {
    if (isSaving) return false
    setIsSaving(true)
    setError(null)
    setSaved([])
    try {
      const { done, refused } = await saveAll(organizationId, draft)
      setRefusals(refused)
      setSaved(done.map(({ plan }) => plan.name))
      updateDraft(organizationId, (current) => withoutPlans(current, keysOfUnchanged(current, done)))
      if (done.length > 0) toastSaved(organizationId, done)
      await refresh(organizationId)
      return refused.size === 0
    } catch (reason) {
      setError(reason as Error)
      return false
    } finally {
      setIsSaving(false)
    }
  }

  return {
    isSaving,
    error,
    saved,
    refusalOf(key, planDraft) {
      const refusal = refusals.get(key)
      return refusal?.planDraft === planDraft ? refusal.error : null
    },
    save,
  }
}

async function saveAll(organizationId: string, draft: Draft) {
  const inputs = [...draft].map(([key, planDraft]) => ({
    key,
    grants: toGrantInputs(resultOf(planDraft)),
    expectedUpdatedAt: planDraft.updatedAt,
  }))
  const outcomes = await savePlans(organizationId, inputs)
  const done: Saved[] = []
  const refused = new Map<string, Refusal>()
  for (const [key, before] of draft) {
    const outcome = outcomes.get(key)
    const plan = savedOf(outcome)
    if (plan) done.push({ plan, before })
    else if (outcome && 'error' in outcome) refused.set(key, { planDraft: before, error: outcome.error })
  }
  return { done, refused }
}

/** A plan that was changed again during the save keeps its draft. */
function keysOfUnchanged(current: Draft, done: readonly Saved[]): string[] {
  return done.flatMap(({ plan: { key }, before }) => (current.get(key) === before ? [key] : []))
}

function toastSaved(organizationId: string, done: readonly Saved[]): void {
  const names = done.map(({ plan }) => plan.name)
  toastDone(
    names.length > 3 ? `${names.length} plans were saved.` : `${joinNames(names.map((name) => `“${name}”`))} saved.`,
    () => takeBack(organizationId, done),
  )
}

/** Restores the former grants, unless someone has changed the plan since. */
async function takeBack(organizationId: string, done: readonly Saved[]): Promise<void> {
  const inputs = done.map(({ plan, before }) => ({
    key: plan.key,
    grants: toGrantInputs(before.base),
    expectedUpdatedAt: plan.updatedAt,
  }))
  const outcomes = await savePlans(organizationId, inputs)
  await refresh(organizationId)
  for (const outcome of outcomes.values()) if ('error' in outcome) throw outcome.error
}

function joinNames(names: readonly string[]): string {
  const last = names.at(-1)
  return names.length === 1 ? `${last} was` : `${names.slice(0, -1).join(', ')} and ${last} were`
}
