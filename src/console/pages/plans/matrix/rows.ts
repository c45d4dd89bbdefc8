import { hasAllWords } from '../../../components/text/has-all-words.ts'
import type { FeatureKind } from '../../../generated/plans.ts'
import type { Neighbors } from '../order/move-button.tsx'
import type { Feature } from '../plan.ts'

const kinds: readonly FeatureKind[] = ['FLAG', 'LIMIT', 'CONFIG']

/** One line of the matrix: the header of a kind of features, or a feature with its index among all shown features. */
export type Line =
  | { kind: FeatureKind; count: number }
  | {
      feature: Feature
      row: number
      /** The neighbors among features of the same kind. */
      neighbors: Neighbors
    }

export type MatrixLines = { lines: Line[]; features: Feature[] }

/** The features whose key or name contains the words, grouped by kind. */
export function groupByKind(features: readonly Feature[], text = ''): MatrixLines {
  const matching = features.filter(({ key, name }) => hasAllWords(text, key, name))
  const lines: Line[] = []
  const shown: Feature[] = []
  for (const kind of kinds) {
    const group = matching.filter((feature) => feature.kind === kind)
    if (group.length === 0) continue
    lines.push({ kind, count: group.length })
    for (const [index, feature] of group.entries()) {
      lines.push({ feature, row: shown.length, neighbors: neighborsOf(group, index) })
      shown.push(feature)
    }
  }
  return { lines, features: shown }
}

/** The keys of the neighbors of the item at the index. */
export function neighborsOf(list: readonly { key: string }[], index: number): Neighbors {
  const last = list.length - 1
  return {
    previous: list[index - 1]?.key,
    next: list[index + 1]?.key,
    first: index > 0 ? list[0]?.key : undefined,
    last: index < last ? list[last]?.key : undefined,
  }
}
