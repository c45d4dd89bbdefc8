/*
 * The catalog as the command line and the console compare it: an organization's features and plans, from the service or from a
 * file. Uses maps instead of objects, because `__proto__` is a valid key.
 */

export const featureKinds = ['flag', 'limit', 'config'] as const
export const valueTypes = ['string', 'number', 'boolean', 'enum', 'json'] as const

type FeatureKind = (typeof featureKinds)[number]
type ValueType = (typeof valueTypes)[number]

/** Fields that the service sends, but that this version of the command line or console does not know. */
export type OtherFields = Readonly<Record<string, unknown>>

export type Feature = {
  key: string
  name: string
  description: string
  kind: FeatureKind
  /** Only for config features. */
  value_type: ValueType | null
  /** Only for enums, in display order. */
  options: readonly string[] | null
  others: OtherFields
}

export type Grant =
  | { kind: 'flag' }
  /** null is unlimited. */
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; value: unknown }

export type Plan = {
  key: string
  name: string
  /** The vendor's own category of plans. */
  kind: string
  archived: boolean
  others: OtherFields
  grants: ReadonlyMap<string, Grant>
}

export type Catalog = { features: ReadonlyMap<string, Feature>; plans: ReadonlyMap<string, Plan> }

export const defaultPlanKind = 'standard'
export const unlimited = 'unlimited'

/** A grant as `entitlements.yaml` has it: `true`, `5`, `unlimited`, or the value of a config. */
export function toWrittenGrant(grant: Grant): unknown {
  switch (grant.kind) {
    case 'flag':
      return true
    case 'limit':
      return grant.limit ?? unlimited
    case 'config':
      return grant.value
  }
}

/** Whether both are the same JSON; the order of an object's keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame((a as never)[key], (b as never)[key]))
  )
}
