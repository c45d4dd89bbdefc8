import { isSameValue, type Value } from '../../../components/text/value.ts'
import { type Grants, grantsOf, type Plan } from '../plan.ts'

/** The grants that a person wants for a plan, and the plan's grants when the person began to edit. */
export type PlanDraft = {
  /** The plan's `updatedAt` as it was read: a save is refused when someone else changed the plan since. */
  updatedAt: string
  base: Grants
  /** By feature key; null removes the grant. */
  wanted: ReadonlyMap<string, Value | null>
}

/** The unsaved changes, by plan key. Drafts use maps instead of objects, because a key may be `__proto__`. */
export type Draft = ReadonlyMap<string, PlanDraft>

export const emptyDraft: Draft = new Map()

/** The draft with one cell changed. It has no entry for an unchanged cell, nor for a plan without changes. */
export function changeCell(draft: Draft, plan: Plan, feature: string, value: Value | null): Draft {
  return changeCells(draft, plan, new Map([[feature, value]]))
}

export function changeCells(draft: Draft, plan: Plan, values: ReadonlyMap<string, Value | null>): Draft {
  const old = draft.get(plan.key) ?? { updatedAt: plan.updatedAt, base: grantsOf(plan), wanted: new Map() }
  const wanted = new Map(old.wanted)
  for (const [feature, value] of values) {
    if (isSameValue(value, old.base.get(feature) ?? null)) wanted.delete(feature)
    else wanted.set(feature, value)
  }
  return withPlan(draft, plan.key, { ...old, wanted })
}

export function withoutPlans(draft: Draft, keys: Iterable<string>): Draft {
  const next = new Map(draft)
  for (const key of keys) next.delete(key)
  return next
}

/** Adds the discarded changes of these plans to the draft again. Cells that were edited since keep their new values. */
export function withRestoredChanges(draft: Draft, discarded: Draft, keys: readonly string[]): Draft {
  return keys.reduce((next, key) => {
    const [former, newer] = [discarded.get(key), draft.get(key)]
    if (!former) return next
    const wanted = new Map([...former.wanted, ...(newer?.wanted ?? [])])
    return new Map(next).set(key, { ...(newer ?? former), wanted })
  }, draft)
}

function withPlan(draft: Draft, key: string, planDraft: PlanDraft): Draft {
  if (planDraft.wanted.size === 0) return withoutPlans(draft, [key])
  return new Map(draft).set(key, planDraft)
}

/** Whether both drafts have the same edits. Changes that colleagues saved in the meantime do not count. */
export function hasSameEdits(one: Draft, other: Draft): boolean {
  return one.size === other.size && [...one].every(([key, { wanted }]) => other.get(key)?.wanted === wanted)
}

/** All grants of the plan after a save. */
export function grantsAfterSave({ base, wanted }: PlanDraft): Grants {
  const result = new Map(base)
  for (const [feature, value] of wanted) {
    if (value === null) result.delete(feature)
    else result.set(feature, value)
  }
  return result
}

export function countChanges(draft: Draft): number {
  return [...draft.values()].reduce((sum, { wanted }) => sum + wanted.size, 0)
}

const version = 1

/** The draft as text for the browser's storage. */
export function printDraft(draft: Draft): string {
  const plans = [...draft].map(([key, { updatedAt, base, wanted }]) => [key, updatedAt, [...base], [...wanted]])
  return JSON.stringify({ version, plans })
}

export function parseDraft(text: string): Draft {
  const stored: { version?: number; plans: [string, string, [string, Value][], [string, Value | null][]][] } =
    JSON.parse(text)
  if (stored.version !== version) return emptyDraft
  return new Map(
    stored.plans.map(([key, updatedAt, base, wanted]) => [
      key,
      { updatedAt, base: new Map(base), wanted: new Map(wanted) },
    ]),
  )
}
