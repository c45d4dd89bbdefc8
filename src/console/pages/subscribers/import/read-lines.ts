/** A line of the file: what GraphQL takes, or why it is none. */
export type FileLine = { number: number; text: string } & (
  | { item: LineItem; fault: null }
  | { item: null; fault: string }
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
  try {
    const raw: unknown = JSON.parse(text)
    if (!isObject(raw)) return { number, text, item: null, fault: 'The line must be a JSON object.' }
    if (typeof raw.subscriber_id !== 'string') return { number, text, item: null, fault: 'subscriber_id is required.' }
    return { number, text, item: toItem(raw, raw.subscriber_id), fault: null }
  } catch {
    return { number, text, item: null, fault: 'The line is not valid JSON.' }
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

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
