import type { AuditEntry } from './describe-entry.ts'
import { asChange, changeOf, type Details, isObject, isTooLarge, toShownValue } from './details.ts'
import type { ShownValue } from './sentence.ts'

/** One side of a change, as it is shown. */
export type Side = { shown: ShownValue } | { text: string } | { time: string } | { json: unknown } | { none: string }

export type ChangeRow = {
  field: string
  /** Whether the field is the key of a feature. */
  isKey: boolean
  /** Undefined where the value is new. */
  before?: Side
  after: Side
}

/** The changes of an entry, field by field and grant by grant. */
export function toChangeRows({ details }: Pick<AuditEntry, 'details'>): ChangeRow[] {
  if (!isObject(details)) return []
  return Object.entries(details).flatMap(([name, value]) => {
    const none = featureDetails[name]
    if (none !== undefined && isObject(value))
      return Object.entries(value).map(([feature, cell]) => toFeatureRow(feature, cell, none))
    return [toFieldRow(details, name)]
  })
}

/** The details that hold a change for each feature, each with the text that stands for "no value". */
const featureDetails: Record<string, string> = { grants: 'not granted', overrides: 'no override' }

function toFeatureRow(feature: string, cell: unknown, none: string): ChangeRow {
  const change = asChange(cell)
  if (!change) return { field: feature, isKey: true, after: toFeatureSide(cell, none) }
  return {
    field: feature,
    isKey: true,
    before: toFeatureSide(change.from, none),
    after: toFeatureSide(change.to, none),
  }
}

function toFeatureSide(value: unknown, none: string): Side {
  const shown = toShownValue(value)
  return shown === null ? { none } : toFullSide(shown)
}

/** Shows JSON in full, and other values as elsewhere in the console. */
function toFullSide(shown: ShownValue): Side {
  const isJson = shown !== 'TOO_LARGE' && shown.kind === 'CONFIG' && typeof shown.value === 'object'
  return isJson ? { json: shown.value } : { shown }
}

function toFieldRow(details: Details, name: string): ChangeRow {
  const field = name.replaceAll('_', ' ')
  if (isTooLarge(details[name])) return { field, isKey: false, after: { shown: 'TOO_LARGE' } }
  const change = changeOf(details, name)
  if (!change) return { field, isKey: false, after: toSide(name, details[name]) }
  return { field, isKey: false, before: toSide(name, change.from), after: toSide(name, change.to) }
}

function toSide(name: string, value: unknown): Side {
  if (name === 'limit') return { shown: { kind: 'LIMIT', limit: value as number | null } }
  if (name === 'allowed') return { shown: { kind: 'FLAG', allowed: value === true } }
  if (name === 'value') return toFullSide({ kind: 'CONFIG', value })
  if (value === null || value === '') return { none: name === 'expires_at' ? 'never' : 'none' }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no' }
  if (typeof value === 'string' && name.endsWith('_at')) return { time: value }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return { text: value.join(', ') }
  return typeof value === 'object' ? { json: value } : { text: String(value) }
}
