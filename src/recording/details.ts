import { isSameJson } from '../core/json.ts'
import { toFields } from '../core/names.ts'

/** A field whose JSON has more UTF-8 bytes than this is recorded as `too_large`. */
const maxFieldBytes = 16 * 1024

type Details = Record<string, unknown>

/** The fields of `after` that differ from `before` (which may be a row), each as a change; null when no field differs. */
export function describeChanges(before: object, after: object): Details | null {
  const fieldsBefore = toFields(before)
  const changes: Details = {}
  for (const [name, value] of Object.entries(after)) {
    const [from, to] = [toJsonValue(fieldsBefore[name]), toJsonValue(value)]
    if (!isSameJson(from, to)) changes[name] = { from, to }
  }
  return Object.keys(changes).length === 0 ? null : changes
}

function toJsonValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/** Fields whose value is a map with a change for each feature. */
const fieldsByFeature = ['grants', 'overrides']

/** The details as JSON text. If it is too long, each large field (by feature: each large change) becomes `too_large`. */
export function toRecordedDetails(details: Details | null): string | null {
  if (details === null) return null
  const whole = JSON.stringify(details)
  if (Buffer.byteLength(whole) <= maxFieldBytes) return whole
  const recorded: Details = {}
  for (const [name, value] of Object.entries(details)) {
    recorded[name] = fieldsByFeature.includes(name) ? replaceLargeChanges(value as Details) : replaceLargeValue(value)
  }
  return JSON.stringify(recorded)
}

function replaceLargeChanges(fields: Details): Details {
  const replaced: Details = Object.create(null)
  for (const [name, value] of Object.entries(fields)) replaced[name] = replaceLargeValue(value)
  return replaced
}

function replaceLargeValue(value: unknown): unknown {
  return Buffer.byteLength(JSON.stringify(value)) > maxFieldBytes ? { too_large: true } : value
}
