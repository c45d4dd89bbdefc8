import type { ShownValue } from './sentence.ts'

/** The changes of an entry, with the field names of the REST API. */
export type Details = Record<string, unknown>

export type Change = { from: unknown; to: unknown }

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the log omitted the value, because the field is over 16 KiB. */
export function isTooLarge(value: unknown): boolean {
  return isObject(value) && value.too_large === true && Object.keys(value).length === 1
}

/** The change `{ from, to }`, or null. The log omits `from` if there was no value before. */
export function asChange(value: unknown): Change | null {
  if (!isObject(value) || !('to' in value)) return null
  return Object.keys(value).every((name) => name === 'from' || name === 'to')
    ? { from: value.from ?? null, to: value.to }
    : null
}

/** The change of a field, or null. The value of a new override is not a change, even if its JSON looks like one. */
export function changeOf(details: Details, name: string): Change | null {
  return 'override_id' in details ? null : asChange(details[name])
}

/** A grant, or the fields of an override, as a value to show; null where nothing is granted. */
export function toShownValue(fields: unknown): ShownValue | null {
  if (!isObject(fields)) return null
  if (isTooLarge(fields) || [fields.value, fields.limit, fields.allowed].some(isTooLarge)) return 'TOO_LARGE'
  switch (fields.kind) {
    case 'flag':
      return { kind: 'FLAG', allowed: fields.allowed !== false }
    case 'limit':
      return { kind: 'LIMIT', limit: fields.limit as number | null }
    case 'config':
      return { kind: 'CONFIG', value: fields.value }
    default:
      return null
  }
}

const valueFields = { allowed: 'flag', limit: 'limit', value: 'config' } as const

/** The change of an override's value: which of its fields holds it depends on the feature's kind. */
export function findValueChange(details: Details): { kind: string; from: ShownValue; to: ShownValue } | null {
  for (const [name, kind] of Object.entries(valueFields)) {
    if (isTooLarge(details[name])) return { kind, from: 'TOO_LARGE', to: 'TOO_LARGE' }
    const change = changeOf(details, name)
    if (change) {
      const side = (value: unknown) => toShownValue({ kind, [name]: value }) as ShownValue
      return { kind, from: side(change.from), to: side(change.to) }
    }
  }
  return null
}

/** The newest name of the object in these entries, which are newest first. Null if no entry has one. */
export function findName(entries: readonly { details: unknown }[]): string | null {
  for (const { details } of entries) {
    const name = isObject(details) ? (asChange(details.name)?.to ?? details.name) : null
    if (typeof name === 'string') return name
  }
  return null
}
