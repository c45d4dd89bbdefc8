/** Words that are ignored, such as the "a" in "add a plan". */
const fillers = new Set(['a', 'an', 'the', 'my', 'our', 'to', 'of', 'for'])

/** Whether each word of the text, except fillers, is the start of a word of the title, in any order and case. */
export function hasWords(title: string, text: string): boolean {
  const words = wordsOf(title)
  const sought = wordsOf(text).filter((word) => !fillers.has(word))
  return sought.length > 0 && sought.every((start) => words.some((word) => word.startsWith(start)))
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
