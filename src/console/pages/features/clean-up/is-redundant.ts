import { isSameJson } from '../../../components/text/value.ts'
import type { Override } from '../feature.ts'

type Grant = { limit: number | null; value: unknown }

/**
 * Whether a check would have the same answer without the override. `grant` is the plan's grant of the feature; null if there is
 * none.
 */
export function isRedundant({ kind, allowed, limit, value }: Override, grant: Grant | null): boolean {
  switch (kind) {
    case 'FLAG':
      return allowed === (grant !== null)
    case 'LIMIT':
      return grant ? limit === grant.limit : limit === 0
    case 'CONFIG':
      return grant !== null && isSameJson(value, grant.value)
  }
}
