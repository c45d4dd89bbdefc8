import { isObject } from '../../../components/audit/details.ts'
import type { FormerValue } from '../../../components/history/revert.tsx'
import { isSameValue, toValue, type Value } from '../../../components/text/value.ts'
import type { FeatureKind } from '../../../generated/plans.ts'
import { grantsOf, type Plan } from '../plan.ts'

/** A grant as the history records it, with the names and values of the REST API. */
type RecordedGrant = { kind: string; limit?: number | null; value?: unknown }

/**
 * The former grants that differ from the plan's present ones, by feature; null means that the feature was not granted. Leaves
 * out values that were too large for the log.
 */
export function formerGrants(plan: Pick<Plan, 'grants'>, former: readonly FormerValue[]): Map<string, Value | null> {
  const current = grantsOf(plan)
  return new Map(
    former.flatMap(({ feature, from }) => {
      if (feature === null || (from !== null && !isGrant(from))) return []
      const grant = from && toGrant(from)
      return isSameValue(grant, current.get(feature) ?? null) ? [] : [[feature, grant] as const]
    }),
  )
}

function isGrant(value: unknown): value is RecordedGrant {
  return isObject(value) && ['flag', 'limit', 'config'].includes(String(value.kind))
}

function toGrant({ kind, limit = null, value }: RecordedGrant): Value {
  return toValue({ kind: kind.toUpperCase() as FeatureKind, limit, value })
}
