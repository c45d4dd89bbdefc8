/** Whether a key or name contains every word of the text, in any order and case. The server searches in the same way. */
export function hasAllWords(text: string, ...keyAndName: string[]): boolean {
  const searched = keyAndName.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
