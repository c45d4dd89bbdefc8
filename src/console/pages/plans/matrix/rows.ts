import type { FeatureKind } from '../../../generated/plans.ts'
import type { Feature } from '../plan.ts'

const kinds: readonly FeatureKind[] = ['FLAG', 'LIMIT', 'CONFIG']

/** One line of the matrix: the head of a kind, or a feature with its index among the features. */
export type Line = { kind: FeatureKind; count: number } | { feature: Feature; row: number }

export type Lines = { lines: Line[]; features: Feature[] }

/** The features whose key or name contains the text, grouped by kind. */
export function arrange(features: readonly Feature[], text = ''): Lines {
  const sought = text.trim().toLowerCase()
  const matching = features.filter(({ key, name }) => key.includes(sought) || name.toLowerCase().includes(sought))
  const lines: Line[] = []
  const shown: Feature[] = []
  for (const kind of kinds) {
    const group = matching.filter((feature) => feature.kind === kind)
    if (group.length === 0) continue
    lines.push({ kind, count: group.length })
    for (const feature of group) {
      lines.push({ feature, row: shown.length })
      shown.push(feature)
    }
  }
  return { lines, features: shown }
}
