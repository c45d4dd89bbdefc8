import type { FeatureKind } from '../../generated/features.ts'

/** The value that a plan or an override gives a feature. */
export type Value =
  | { kind: 'FLAG'; allowed: boolean }
  /** null means unlimited. */
  | { kind: 'LIMIT'; limit: number | null }
  | { kind: 'CONFIG'; value: unknown }

/** Whether both are the same value, or both are null, which stands for no value. */
export function isSameValue(one: Value | null, other: Value | null): boolean {
  return isSameJson(one, other)
}

/** Whether two JSON values are equal. The order of an object's members does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || toCanonicalJson(one) === toCanonicalJson(other)
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

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

type Override = { kind: FeatureKind; allowed: boolean | null; limit: number | null; value: unknown }

/** An override as a value to show. */
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

/** The value as the REST API writes it, with its kind in lower case. */
export function toRestValue(value: Value): object {
  return { ...value, kind: value.kind.toLowerCase() }
}

/** The answer of a check. */
type Answer = {
  kind: FeatureKind
  allowed: boolean
  limit: number | null
  value: unknown
  source: 'OVERRIDE' | 'PLAN' | 'NONE'
}

/** A check's answer as a value to show; null where nothing grants a config. */
export function valueOfAnswer({ kind, allowed, limit, value, source }: Answer): Value | null {
  switch (kind) {
    case 'FLAG':
      return { kind, allowed }
    case 'LIMIT':
      return { kind, limit }
    case 'CONFIG':
      return source === 'NONE' ? null : { kind, value }
  }
}
