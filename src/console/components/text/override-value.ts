import type { FeatureKind } from '../../generated/features.ts'
import type { Value } from './entitlement-value.tsx'

type Override = { kind: FeatureKind; allowed: boolean | null; limit: number | null; value: unknown }

/** What an override sets, as a value to show. */
export function overrideValue({ kind, allowed, limit, value }: Override): Value {
  switch (kind) {
    case 'FLAG':
      return { kind, allowed: allowed === true }
    case 'LIMIT':
      return { kind, limit }
    case 'CONFIG':
      return { kind, value }
  }
}
