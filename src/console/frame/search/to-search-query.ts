const maxText = 2000

/**
 * Converts a typed or pasted text to the query that is sent to the server: one line with ids and names. Empty if the text is
 * empty.
 */
export function toSearchQuery(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const characters = Array.from(line)
  if (characters.length <= maxText) return line
  // The server reads only the start of the text, so ids that come later in the text are moved to the front.
  const rest = characters.slice(maxText).join('').split(' ').filter(isIdShaped)
  return Array.from(`${[...new Set(rest)].join(' ')} ${line}`)
    .slice(0, maxText)
    .join('')
    .trim()
}

function isIdShaped(word: string): boolean {
  return word.length <= 255 && /[\d_@-]/.test(word)
}
