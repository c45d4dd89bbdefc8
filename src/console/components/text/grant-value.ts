import type { FeatureKind } from '../../generated/features.ts'
import type { Value } from './value.ts'

type Grant = { kind: FeatureKind; limit: number | null; value: unknown }

/** A grant as a value to show. A granted flag is on. */
export function toValue({ kind, limit, value }: Grant): Value {
  switch (kind) {
    case 'FLAG':
      return { kind, allowed: true }
    case 'LIMIT':
      return { kind, limit }
    case 'CONFIG':
      return { kind, value }
  }
}
