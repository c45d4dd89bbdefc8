import { isSameJson, type Value } from './value.ts'

/** One difference within a JSON value. An added key or item has no `from`, and a removed key or item has no `to`. */
export type JsonChange = { path: string; from?: unknown; to?: unknown }

/** Whether a value has keys or items that can be compared one by one. */
export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Returns the values before and after a change for `compareJson`, or null if neither is JSON with keys or items. If only one
 * is, the other becomes an empty object or array.
 */
export function toNestedSides(from: Value | null, to: Value | null): { from: object; to: object } | null {
  const [before, after] = [from, to].map((side) =>
    side?.kind === 'CONFIG' && isNested(side.value) ? side.value : null,
  )
  const whole = before ?? after
  if (!whole) return null
  const empty = Array.isArray(whole) ? [] : {}
  return { from: before ?? empty, to: after ?? empty }
}

/** The differences by key, in the order of the keys. In arrays, equal items at the start and the end are skipped. */
export function compareJson(from: unknown, to: unknown, path = ''): JsonChange[] {
  if (isSameJson(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to)) return compareItems(from, to, path)
  if (!isRecord(from) || !isRecord(to)) return [{ path, from, to }]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => {
    const at = path + toPathStep(key, path === '')
    if (!Object.hasOwn(to, key)) return [{ path: at, from: from[key] }]
    if (!Object.hasOwn(from, key)) return [{ path: at, to: to[key] }]
    return compareJson(from[key], to[key], at)
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isNested(value) && !Array.isArray(value)
}

function compareItems(from: readonly unknown[], to: readonly unknown[], path: string): JsonChange[] {
  const maxCommon = Math.min(from.length, to.length)
  let start = 0
  while (start < maxCommon && isSameJson(from[start], to[start])) start++
  let end = 0
  while (end < maxCommon - start && isSameJson(from.at(-1 - end), to.at(-1 - end))) end++

  const [removed, added] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => {
    const at = `${path}[${start + index}]`
    if (index >= added.length) return [{ path: at, from: removed[index] }]
    if (index >= removed.length) return [{ path: at, to: added[index] }]
    return compareJson(removed[index], added[index], at)
  }).flat()
}

/** ".accent", or '["two words"]' for a key that is not a plain name. */
function toPathStep(key: string, isFirst: boolean): string {
  if (!/^[\w$-]+$/.test(key)) return `[${JSON.stringify(key)}]`
  return isFirst ? key : `.${key}`
}
