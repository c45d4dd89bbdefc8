import { isPlainObject } from '../../core/json.ts'
import type { Grant, OverrideInForce } from '../../gate/resolution/entitlement.ts'

/* What the log says of values. A value that it does not say is undefined; null is none. */

/** An override's value; `expiresAt` stands beside it. */
export type PastValue =
  | { kind: 'flag'; allowed: boolean }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; valueJson: string }

/** A field that is not there is not known. */
export type PastOverride = { value?: PastValue; expiresAt?: Date | null; note?: string | null }

/** Null is no override; undefined means that nothing is known. */
export type OverrideState = PastOverride | null | undefined

export type GrantState = Grant | null | undefined

type Details = Record<string, unknown>

export type FieldChange = { from: unknown; to: unknown }

/** The change of a field, as the log has it; null if its values were too large, or it is none. */
export function toChange(recorded: unknown): FieldChange | null {
  if (!isPlainObject(recorded) || !Object.hasOwn(recorded, 'from') || !Object.hasOwn(recorded, 'to')) return null
  return { from: recorded.from, to: recorded.to }
}

export function isTooLarge(recorded: unknown): boolean {
  return isPlainObject(recorded) && recorded.too_large === true && Object.keys(recorded).length === 1
}

/** The fields for an override's value, with the value that each stands for. */
export const valueFields = {
  allowed: (recorded: unknown): PastValue => ({ kind: 'flag', allowed: recorded === true }),
  limit: (recorded: unknown): PastValue => ({ kind: 'limit', limit: recorded as number | null }),
  value: (recorded: unknown): PastValue => ({ kind: 'config', valueJson: JSON.stringify(recorded) }),
}

export function toExpiry(recorded: unknown): Date | null {
  return typeof recorded === 'string' ? new Date(recorded) : null
}

/** A whole override, as the log has it; null stays null. */
export function toPastOverride(recorded: unknown): OverrideState {
  if (recorded === null || !isPlainObject(recorded)) return recorded === null ? null : undefined
  const past: PastOverride = {
    expiresAt: toExpiry(recorded.expires_at),
    note: typeof recorded.note === 'string' ? recorded.note : null,
  }
  for (const [field, read] of Object.entries(valueFields)) {
    if (Object.hasOwn(recorded, field) && !isTooLarge(recorded[field])) past.value = read(recorded[field])
  }
  return past
}

/** A grant, as the log has it. */
export function toPastGrant(recorded: unknown): GrantState {
  if (recorded === null || recorded === undefined) return null
  const { kind, limit, value } = recorded as Details
  switch (kind) {
    case 'flag':
      return { kind }
    case 'limit':
      return { kind, limit: limit as number | null }
    case 'config':
      return { kind, valueJson: JSON.stringify(value) }
    default:
      return undefined
  }
}

/** An override for `resolve()`, once its value and its expiry are known. */
export function toInForce({ value, expiresAt }: PastOverride): OverrideInForce | undefined {
  return value === undefined || expiresAt === undefined ? undefined : { ...value, expiresAt }
}
