import { isSameValue, type Value } from '../../../components/text/value.ts'
import { changedFeatures, type Grants, grantsOf, type Plan } from '../plan.ts'
import { type Draft, type PlanDraft, withoutPlans } from './draft.ts'

/** One cell that a person and a colleague changed to different values. */
export type ConflictingCell = { feature: string; before: Value | null; yours: Value | null; theirs: Value | null }

/** Colleagues' changes to a plan while a person edited it. */
export type ColleagueChange = {
  planKey: string
  /** The changes came after this time; the last one was at `until`. */
  since: string
  until: string
  /** The features whose grants they changed. */
  features: string[]
  contested: ConflictingCell[]
  isDeleted: boolean
}

/**
 * Merges colleagues' changes since the draft began, plan by plan. If they changed other cells, the draft continues from
 * the plan's new state. If a cell is contested, the plan's draft stays as it is until the person has chosen.
 */
export function mergeColleagueChanges(
  draft: Draft,
  plans: readonly Plan[],
): { draft: Draft; changes: ColleagueChange[] } {
  const byKey = new Map(plans.map((plan) => [plan.key, plan]))
  const changes: ColleagueChange[] = []
  let merged = draft
  for (const [planKey, planDraft] of draft) {
    const plan = byKey.get(planKey)
    const since = planDraft.updatedAt
    if (!plan) {
      const features = [...planDraft.wanted.keys()]
      changes.push({ planKey, since, until: since, features, contested: [], isDeleted: true })
      merged = withoutPlans(merged, [planKey])
    } else if (plan.updatedAt !== since) {
      const until = plan.updatedAt
      const current = grantsOf(plan)
      const features = changedFeatures(planDraft.base, current)
      const contested = findConflicts(planDraft, current, features)
      if (features.length > 0) changes.push({ planKey, since, until, features, contested, isDeleted: false })
      if (contested.length === 0) merged = rebase(merged, plan, planDraft)
    }
  }
  return { draft: merged, changes }
}

function findConflicts({ base, wanted }: PlanDraft, current: Grants, features: readonly string[]): ConflictingCell[] {
  return features.flatMap((feature) => {
    const yours = wanted.get(feature)
    const theirs = current.get(feature) ?? null
    if (yours === undefined || isSameValue(yours, theirs)) return []
    return [{ feature, before: base.get(feature) ?? null, yours, theirs }]
  })
}

function rebase(draft: Draft, plan: Plan, { wanted }: PlanDraft): Draft {
  const base = grantsOf(plan)
  const left = new Map([...wanted].filter(([feature, value]) => !isSameValue(value, base.get(feature) ?? null)))
  if (left.size === 0) return withoutPlans(draft, [plan.key])
  const isUnchanged = left.size === wanted.size
  return new Map(draft).set(plan.key, { updatedAt: plan.updatedAt, base, wanted: isUnchanged ? wanted : left })
}

/** Resolves one contested cell; `mergeColleagueChanges` continues once all are resolved. */
export function resolveConflict(draft: Draft, plan: Plan, feature: string, choice: 'yours' | 'theirs'): Draft {
  const planDraft = draft.get(plan.key)
  if (!planDraft) return draft
  const theirs = grantsOf(plan).get(feature)
  const base = new Map(planDraft.base)
  if (theirs === undefined) base.delete(feature)
  else base.set(feature, theirs)
  const wanted = new Map(planDraft.wanted)
  if (choice === 'theirs') wanted.delete(feature)
  return new Map(draft).set(plan.key, { ...planDraft, base, wanted })
}
