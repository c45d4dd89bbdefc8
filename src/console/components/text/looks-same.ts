/**
 * Whether two texts look the same on a page, even if they differ in the number of spaces, or if a letter with an accent is one
 * character in one text and two characters in the other.
 */
export function looksSame(one: string, other: string): boolean {
  return toShownText(one) === toShownText(other)
}

function toShownText(text: string): string {
  return text.normalize().trim().replace(/\s+/g, ' ')
}
