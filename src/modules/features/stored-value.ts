import { fieldFrom, ofKind } from '../../core/answer.ts'
import { jsonField, largeCountField } from '../../core/answer-fields.ts'
import { StoredJson } from '../../core/stored-json.ts'
import type { PlanGrant } from '../../database/generated/client.ts'

/**
 * The value of a limit or config as grants and overrides store it (a config as JSON text). A flag has no value here: an
 * override stores it in `allowed`.
 */
export type StoredValue = Pick<PlanGrant, 'kind' | 'limit' | 'value'>

export type FeatureValue =
  | { kind: 'flag' }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; value: unknown }

export const valueFields = {
  limit: ofKind(
    'limit',
    fieldFrom(
      ({ limit }: StoredValue) => (limit === null ? null : Number(limit)),
      largeCountField().nullable().describe('Only for kind limit; null means unlimited.'),
    ),
  ),
  // Not parsed, because parsed values take up to fourteen times as much memory.
  value: ofKind(
    'config',
    fieldFrom(
      ({ value }: StoredValue) => (value === null ? null : new StoredJson(value)),
      jsonField().describe("Only for kind config: any JSON value of the feature's value type."),
    ),
  ),
}

export function fromStoredValue({ kind, limit, value }: StoredValue): FeatureValue {
  if (kind === 'flag') return { kind }
  return kind === 'limit'
    ? { kind, limit: limit === null ? null : Number(limit) }
    : { kind, value: JSON.parse(value as string) }
}

export function toStoredValue(value: FeatureValue): StoredValue {
  return {
    kind: value.kind,
    limit: value.kind === 'limit' && value.limit !== null ? BigInt(value.limit) : null,
    value: value.kind === 'config' ? JSON.stringify(value.value) : null,
  }
}
