const maxText = 2000

/** The query for a typed or pasted text, as one line: the server finds the ids and names in it. Empty for nothing. */
export function toQuestion(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const characters = Array.from(line)
  if (characters.length <= maxText) return line
  // Only so much is looked at: the ids of the rest come first.
  const rest = characters.slice(maxText).join('').split(' ').filter(isIdShaped)
  return Array.from(`${[...new Set(rest)].join(' ')} ${line}`)
    .slice(0, maxText)
    .join('')
    .trim()
}

function isIdShaped(word: string): boolean {
  return word.length <= 255 && /[\d_@-]/.test(word)
}
