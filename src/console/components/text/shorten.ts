/** Shortens a long key or id in the middle: its two ends distinguish it from others. */
export function shortenMiddle(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const shownCharacters = max - 1
  const startLength = Math.ceil(shownCharacters / 2)
  return `${characters.slice(0, startLength).join('')}…${characters.slice(characters.length - (shownCharacters - startLength)).join('')}`
}

const generatedId = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Shortens a key or id for a sentence. Nobody reads a generated id, so less of it stays than of a key that people chose. */
export function shortenKey(text: string): string {
  return shortenMiddle(text, generatedId.test(text) ? 13 : 40)
}
