import { toColumnTable } from '../table.ts'

/** One comparison. Without `isFlat` it has no limit. */
export type Line = {
  what: string
  small: string
  large: string
  /** The large figure divided by the small one. */
  ratio: number
  limit?: string
  isFlat?: boolean
}

export function toLineTable(title: string, [small, large]: readonly [string, string], lines: readonly Line[]): string {
  const rows = lines.map(({ what, small, large, ratio, limit = '', isFlat }) => {
    return [what, small, large, ratio.toFixed(2), limit, isFlat === undefined ? '' : isFlat ? '✓' : '✗']
  })
  return `\n${toColumnTable([title, small, large, 'ratio', 'limit', ''], rows)}`
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}
