import { parseCellText } from '../matrix/cell-text.ts'
import type { Feature, Plan } from '../plan.ts'

/** Invalid texts that were left in cells, by feature key, then by plan key. They are not part of the draft. */
export type InvalidCells = ReadonlyMap<string, InvalidCellsOfFeature>

export type InvalidCellsOfFeature = ReadonlyMap<string, string>

export const noInvalidCells: InvalidCells = new Map()

export type InvalidCell = { feature: Feature; plan: Plan; problem: string }

type CellKeys = { feature: { key: string }; plan: { key: string } }

/** Stores the invalid text of a cell, or removes it if `text` is null. */
export function withText(unfinished: InvalidCells, { feature, plan }: CellKeys, text: string | null): InvalidCells {
  const old = unfinished.get(feature.key)
  if (text === null && !old?.has(plan.key)) return unfinished
  const texts = new Map(old)
  if (text === null) texts.delete(plan.key)
  else texts.set(plan.key, text)
  const next = new Map(unfinished).set(feature.key, texts)
  if (texts.size === 0) next.delete(feature.key)
  return next
}

/** Removes the texts in the cells of these plans. */
export function withoutCells(unfinished: InvalidCells, planKeys: readonly string[]): InvalidCells {
  const left = [...unfinished].map(([feature, texts]) => {
    return [feature, new Map([...texts].filter(([plan]) => !planKeys.includes(plan)))] as const
  })
  return new Map(left.filter(([, texts]) => texts.size > 0))
}

/** Adds removed texts again, except to cells that have a newer text. */
export function withRestoredTexts(unfinished: InvalidCells, forgotten: InvalidCells): InvalidCells {
  const features = new Set([...forgotten.keys(), ...unfinished.keys()])
  return new Map(
    [...features].map((key) => [key, new Map([...(forgotten.get(key) ?? []), ...(unfinished.get(key) ?? [])])]),
  )
}

/** "Seats on Pro is not valid. Enter a whole number, or “unlimited”." */
export function describeInvalid({ feature, plan, problem }: InvalidCell): string {
  return `${feature.name} on ${plan.name} is not valid. ${problem}`
}

/** What is wrong with a text that was left in a cell. The text may be valid by now, if the feature has changed since. */
export function problemOf(feature: Feature, text: string): string {
  const parsed = parseCellText(feature, text)
  return 'problem' in parsed ? parsed.problem : 'Open the cell to apply it.'
}

/** The cells in which an invalid text was left, each with its problem. */
export function listInvalid(
  unfinished: InvalidCells,
  features: readonly Feature[],
  plans: readonly Plan[],
): InvalidCell[] {
  if (unfinished.size === 0) return []
  return features.flatMap((feature) =>
    plans.flatMap((plan) => {
      const text = unfinished.get(feature.key)?.get(plan.key)
      return text === undefined ? [] : [{ feature, plan, problem: problemOf(feature, text) }]
    }),
  )
}

export function printInvalidCells(unfinished: InvalidCells): string {
  return JSON.stringify([...unfinished].map(([feature, texts]) => [feature, [...texts]]))
}

export function parseInvalidCells(text: string): InvalidCells {
  const stored: [string, [string, string][]][] = JSON.parse(text)
  return new Map(stored.map(([feature, texts]) => [feature, new Map(texts)]))
}
