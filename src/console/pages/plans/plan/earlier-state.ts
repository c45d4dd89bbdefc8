import { isObject } from '../../../components/audit/details.ts'
import { toValue, type Value } from '../../../components/text/value.ts'
import type { FeatureKind } from '../../../generated/plans.ts'
import type { Grants } from '../plan.ts'

/** A grant as the audit log records it, in the words of the REST API. */
type RecordedGrant = { kind: string; limit?: number | null; value?: unknown }

/**
 * The plan's grants before these changes, newest first; `current` are its grants now. Null if the log lacks a value, which
 * was too large for it.
 */
export function stateBefore(current: Grants, newer: readonly { details: unknown }[]): Grants | null {
  let state: Grants | null = current
  for (const { details } of newer) {
    const { grants } = (details ?? {}) as { grants?: unknown }
    if (state && grants !== undefined) state = takeBack(state, grants)
  }
  return state
}

function takeBack(after: Grants, changes: unknown): Grants | null {
  if (!isObject(changes)) return null
  const grants = new Map(after)
  for (const [feature, change] of Object.entries(changes)) {
    if (!isObject(change) || !('from' in change)) return null
    const grant = earlierGrant(change.from)
    if (grant === undefined) return null
    if (grant === null) grants.delete(feature)
    else grants.set(feature, grant)
  }
  return grants
}

/** A recorded grant; null is none, and undefined if the log does not have it. */
export function earlierGrant(recorded: unknown): Value | null | undefined {
  if (recorded === null) return null
  return isGrant(recorded) ? toGrant(recorded) : undefined
}

function isGrant(value: unknown): value is RecordedGrant {
  return isObject(value) && ['flag', 'limit', 'config'].includes(String(value.kind))
}

function toGrant({ kind, limit = null, value }: RecordedGrant): Value {
  return toValue({ kind: kind.toUpperCase() as FeatureKind, limit, value })
}
