/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** Makes a path value fit for display and storage: U+FFFD replaces its unstorable characters. */
export function toStorableText(text: string): string {
  // A value that could not be decoded arrives unchanged, followed by a U+0000 (http/limit-target.ts).
  const isUndecoded = text.indexOf('\0') === text.length - 1 && text.endsWith('\0') && text.includes('%')
  return (isUndecoded ? text.slice(0, -1) : text).replaceAll('\0', '\ufffd').toWellFormed()
}

/** Whether a number is finite, and exact if it is an integer: JSON numbers beyond 2^53 - 1 lose digits. */
export function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The reason why a value cannot be stored, or null if it can be: checks its depth (0 for a scalar), numbers and strings.
 * Descends at most `maxDepth` levels, so that a value with 20,000 levels costs no more than one with a few. `depth` is that of
 * the value within the whole one.
 */
export function findJsonFault(value: unknown, maxDepth: number, depth = 0): string | null {
  switch (typeof value) {
    case 'string':
      return isStorableText(value) ? null : 'must not contain U+0000 or unpaired surrogates'
    case 'number':
      return isExactNumber(value) ? null : 'must hold only finite numbers, and integers within ±(2^53 - 1)'
    case 'object': {
      if (value === null) return null
      if (depth === maxDepth) return `is nested too deeply: at most ${maxDepth} levels are allowed`
      const parts = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)]
      return findFirstFault(parts, maxDepth, depth + 1)
    }
    default:
      return null
  }
}

function findFirstFault(values: unknown[], maxDepth: number, depth: number): string | null {
  for (const value of values) {
    const fault = findJsonFault(value, maxDepth, depth)
    if (fault) return fault
  }
  return null
}

/** The server's only definition of equal JSON values: the order of keys does not matter, the order of elements does. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  )
}

/** An object with a property for each entry, and without a prototype, because `__proto__` is a valid feature key. */
export function toObject<V>(entries: Iterable<readonly [string, V]>): Record<string, V> {
  const object: Record<string, V> = Object.create(null)
  for (const [key, value] of entries) object[key] = value
  return object
}
