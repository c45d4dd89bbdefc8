/** Whether each word of the text begins a word of the title, in any order and case. */
export function hasWords(title: string, text: string): boolean {
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .every((sought) => words.some((word) => word.startsWith(sought)))
}
