/** The id of a subscriber. A whole number stands for the string of its digits. */
export type SubscriberId = string | number | bigint

/**
 * Converts the id to a string. Throws `TypeError` for a value of another type, and for a number that is not a safe integer:
 * converted to a string, it could be the id of a different subscriber.
 */
export function toSubscriberId(id: SubscriberId, name = 'subscriberId'): string {
  if (typeof id === 'string') return id
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  const given = typeof id === 'number' ? String(id) : id === null ? 'null' : typeof id
  throw new TypeError(`${name} must be the id of a subscriber, a string or a whole number, and not ${given}.`)
}

/** Whether a subscriber can have this id. The service refuses a whole list if one of its ids is impossible. */
export function isValidSubscriberId(subscriberId: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no id may contain them.
  const hasValidCharacters = /^[^\s/\x00-\x1f\x7f-\x9f]+$/.test(subscriberId)
  return hasValidCharacters && subscriberId.length <= 255 && toPathSegment(subscriberId) !== null
}

/**
 * The id, encoded as a segment of a URL path. Null for an id that no path can contain, such as `..`, which platforms resolve to
 * the parent path.
 */
export function toPathSegment(subscriberId: string): string | null {
  try {
    return /^\.{0,2}$/.test(subscriberId) ? null : encodeURIComponent(subscriberId)
  } catch {
    return null
  }
}
