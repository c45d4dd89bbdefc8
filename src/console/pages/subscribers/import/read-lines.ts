import { findFault, isObject } from './line-faults.ts'

/** A line of the file: what GraphQL takes, or why it is none. */
export type FileLine = { number: number; text: string } & (
  | { item: LineItem; fault: null }
  | { item: null; fault: string; subscriberId: string | null }
)

type Json = Record<string, unknown>
export type LineItem = { subscriberId: string } & Json

/** The lines of a file in the form of the REST door, a JSON object each. Empty ones are skipped, and counted. */
export function readLines(text: string): FileLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]))
}

function readLine(text: string, number: number): FileLine {
  const unreadable = (fault: string, subscriberId: string | null = null) => ({
    number,
    text,
    item: null,
    fault,
    subscriberId,
  })
  try {
    const raw: unknown = JSON.parse(text)
    if (!isObject(raw)) return unreadable('The line must be a JSON object.')
    const subscriberId = typeof raw.subscriber_id === 'string' ? raw.subscriber_id : null
    const fault = findFault(raw)
    if (subscriberId === null || fault !== null) return unreadable(fault ?? '', subscriberId)
    return { number, text, item: toItem(raw, subscriberId), fault: null }
  } catch {
    return unreadable('The line is not valid JSON.')
  }
}

/** GraphQL has other names, and a list instead of a map. */
function toItem({ name, plan_id: planId, overrides }: Json, subscriberId: string): LineItem {
  const given = { name, planId, overrides: isObject(overrides) ? toOverrides(overrides) : overrides }
  return { subscriberId, ...withoutAbsent(given) }
}

function toOverrides(overrides: Json): unknown[] {
  return Object.entries(overrides).map(([feature, put]) => {
    if (!isObject(put)) return put === null ? { feature, delete: true } : put
    const { kind, expires_at: expiresAt, expected_updated_at: expectedUpdatedAt, ...rest } = put
    const named = { kind: typeof kind === 'string' ? kind.toUpperCase() : kind, expiresAt, expectedUpdatedAt }
    return { feature, ...rest, ...withoutAbsent(named) }
  })
}

function withoutAbsent(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
