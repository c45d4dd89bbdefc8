/** An invalid text that was left in a cell, with its problem. It is not part of the draft. */
export type UnfinishedText = { text: string; problem: string }

/** Of one feature, by plan key. */
export type UnfinishedOfFeature = ReadonlyMap<string, UnfinishedText>

/** By feature key. */
type Unfinished = ReadonlyMap<string, UnfinishedOfFeature>

export const nothingUnfinished: Unfinished = new Map()

type Place = { feature: { key: string }; plan: { key: string } }

/** Null forgets the text of a cell. */
export function withText(unfinished: Unfinished, { feature, plan }: Place, left: UnfinishedText | null): Unfinished {
  const old = unfinished.get(feature.key)
  if (left === null && !old?.has(plan.key)) return unfinished
  const next = new Map(old)
  if (left === null) next.delete(plan.key)
  else next.set(plan.key, left)
  return new Map(unfinished).set(feature.key, next)
}
