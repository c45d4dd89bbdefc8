import { toStorableText } from '../core/json.ts'

/** The most characters that the log keeps of a text, `…` included. No key, id or common name is longer. Contract: Audit 7. */
export const maxAgentLength = 512
export const maxParamLength = 255

/** The client's user agent as the log stores it. */
export function toStoredAgent(userAgent: string | null): string | null {
  return userAgent === null ? null : cut(toStorableText(userAgent), maxAgentLength)
}

/** A path value as the log stores it. */
export function toStoredParam(value: string): string {
  return cut(toStorableText(value), maxParamLength)
}

/** Counts code points, so that no surrogate pair is cut in half. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A code point has at most two UTF-16 units.
  const characters = [...text.slice(0, 2 * maxLength + 2)]
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}
