import type { Count } from '../../../components/text/number.ts'
import { toValue } from '../../../components/text/value.ts'
import type { Preview } from './use-previews.ts'

export type Change = Preview['changes'][number]

/** Whether subscribers lose something: the grant, or a part of a limit. */
export function isReduction({ from, to }: Pick<Change, 'from' | 'to'>): boolean {
  if (from === null) return false
  if (to === null) return true
  const [before, after] = [toValue(from), toValue(to)]
  if (before.kind !== 'LIMIT' || after.kind !== 'LIMIT' || after.limit === null) return false
  return before.limit === null || after.limit < before.limit
}

/** Whether subscribers get a different value that is neither more nor less, as with a config. */
export function isAltered({ from, to }: Pick<Change, 'from' | 'to'>): boolean {
  return from?.kind === 'CONFIG' && to !== null
}

type Reach = {
  /** How many subscribers the change affects; null if the counts are not exact enough. */
  affected: Count | null
  /** How many subscribers are not affected, because they have an override. */
  kept: Count
}

/** How many subscribers the change of one grant affects. The server counts up to a limit; beyond it, counts are not exact. */
export function reachOf(subscribers: Count, { hiddenByOverride: kept }: Pick<Change, 'hiddenByOverride'>): Reach {
  if (!kept.isExact) return { affected: null, kept }
  return { affected: { value: subscribers.value - kept.value, isExact: subscribers.isExact }, kept }
}

/** Whether a save needs no review: nobody loses anything, and the server would accept it. */
export function isHarmless({ changes, problems }: Preview): boolean {
  return problems.length === 0 && !changes.some(isReduction)
}
