import { toStorableText } from '../core/json.ts'

/**
 * The maximum number of characters of a text in the log, including `…`. No key, id or common name is longer. Contract: Audit 7.
 */
export const maxAgentLength = 512
export const maxParamLength = 255

/** The client's user agent as the log stores it. */
export function toStoredAgent(userAgent: string | null): string | null {
  return userAgent === null ? null : shorten(userAgent, maxAgentLength)
}

/** A path value as the log stores it. */
export function toStoredParam(value: string): string {
  return shorten(value, maxParamLength)
}

/** Shortens the text by whole code points, so that no surrogate pair is cut in half. */
function shorten(original: string, maxLength: number): string {
  // A code point has at most two UTF-16 units.
  const text = toStorableText(original.length > 2 * maxLength ? original.slice(0, 2 * maxLength + 2) : original)
  if (text.length <= maxLength) return text
  const characters = [...text]
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}
