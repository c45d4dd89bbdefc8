import { describeInProse } from '../text/describe-value.ts'
import { toNestedSides } from '../text/json-changes.ts'
import { isSameValue, valueOfAnswer } from '../text/value.ts'
import { type Change, type ChangeWithPrevious, classifyChange, describeCause, withPreviousChange } from './changes.ts'
import { effects, isLoss } from './effect.ts'

/** The changes that one write or one expiry made. */
export type ChangeGroup = {
  id: string
  at: string
  cause: Change['cause']
  by: string | null
  note: string | null
  /** The plan after the write or expiry. */
  plan: string | null
  /** The plan before the write or expiry; undefined if older changes have not been read. */
  planBefore: string | null | undefined
  changes: ChangeWithPrevious[]
  /** Whether all changes of the group have been read. */
  isWhole: boolean
}

/** Groups the changes by the write or the expiry that caused them, newest first. */
export function groupChanges(changes: readonly Change[], hasMore: boolean): ChangeGroup[] {
  const groupedChanges: ChangeWithPrevious[][] = []
  for (const changesOfGroup of withPreviousChange(changes)) {
    const last = groupedChanges.at(-1)
    if (last?.[0]?.change.group === changesOfGroup.change.group) last.push(changesOfGroup)
    else groupedChanges.push([changesOfGroup])
  }
  return groupedChanges.map((placed, index) => {
    const { change } = placed.find(({ change }) => change.cause === 'SUBSCRIPTION') ?? (placed[0] as ChangeWithPrevious)
    const { group: id, at, cause, by, note, plan } = change
    const older = groupedChanges[index + 1]?.[0]?.change
    const isWhole = older !== undefined || !hasMore
    const planBefore = older?.plan ?? (isWhole ? null : undefined)
    return { id, at, cause, by: by?.displayName ?? null, note, plan, planBefore, changes: placed, isWhole }
  })
}

/** The display names of features and plans. */
export type Names = { feature(key: string): string; plan(key: string): string }

/** "Moved from Business to Free by Billing sync: 21 features lost, 2 lowered". */
export function describeGroup(group: ChangeGroup, names: Names): string {
  const { cause, changes, by } = group
  const [only, ...others] = changes
  const byWhom = by === null ? '' : ` by ${by}`
  const effects = describeEffects(group, names)
  const colon = effects === '' ? '' : `: ${effects}`
  switch (cause) {
    case 'SUBSCRIBER':
      return `Created${byWhom}`
    case 'SUBSCRIPTION':
      return `${describePlanChange(group, names)}${byWhom}${colon}`
    case 'PLAN':
      return `Plan ${names.plan(group.plan ?? '')} was changed${byWhom}${colon}`
    case 'OVERRIDE':
    case 'EXPIRY':
      if (only && others.length === 0) {
        const sides = describeSides(only.change)
        return `${names.feature(only.change.feature ?? '')}: ${describeCause(only)}${sides && `,${sides}`}`
      }
      return `${changes.length} overrides ${cause === 'EXPIRY' ? 'expired' : `changed${byWhom}`}${colon}`
  }
}

function describePlanChange({ plan, planBefore }: ChangeGroup, names: Names): string {
  if (plan === null) return planBefore ? `The plan ${names.plan(planBefore)} was canceled` : 'The plan was canceled'
  if (planBefore === undefined) return `Moved to ${names.plan(plan)}`
  return planBefore === null
    ? `Subscribed to ${names.plan(plan)}`
    : `Moved from ${names.plan(planBefore)} to ${names.plan(plan)}`
}

/** "21 features lost, 2 lowered", "Export of data lost". */
function describeEffects({ changes, isWhole }: ChangeGroup, names: Names): string {
  const classified = changes.map(({ change }) => ({ change, effect: classifyChange(change) }))
  const counted = effects
    .map((effect) => ({
      effect,
      keys: classified.flatMap((each) => (each.effect === effect ? [each.change.feature] : [])),
    }))
    .filter(({ keys }) => keys.length > 0)
  const [first] = counted
  const only = classified.find(({ effect }) => effect === first?.effect)
  if (only && first?.keys.length === 1 && counted.length === 1) {
    const isOnOrOff = first.effect === 'lost' || first.effect === 'gained'
    return `${names.feature(only.change.feature ?? '')} ${first.effect}${isOnOrOff ? '' : describeSides(only.change)}`
  }
  const atLeast = isWhole ? '' : 'at least '
  return counted
    .map(({ effect, keys: { length } }, index) => {
      const noun = index > 0 ? '' : length === 1 ? ' feature' : ' features'
      return `${index === 0 ? atLeast : ''}${length}${noun} ${effect}`
    })
    .join(', ')
}

/** " from 3 to 1". Empty if the value stayed the same, or if it is JSON, whose changes are shown key by key. */
function describeSides({ from, to }: Change): string {
  const sides = [from, to].map((side) => side && valueOfAnswer(side.entitlement))
  const [before = null, after = null] = sides
  if (!from || !to || isSameValue(before, after) || toNestedSides(before, after)) return ''
  const [was, is] = sides.map((side) => (side ? describeInProse(side) : 'nothing'))
  return ` from ${was} to ${is}`
}

/** The keys of the features that the group took away or lowered. */
export function findLosses({ changes }: ChangeGroup): string[] {
  return changes.flatMap(({ change }) => {
    const effect = classifyChange(change)
    return change.feature !== null && isLoss(effect) ? [change.feature] : []
  })
}
