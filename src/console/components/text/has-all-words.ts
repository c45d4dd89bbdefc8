/** Whether all words of a text are in a key or name, in any order and case, as the search of the server finds them. */
export function hasAllWords(text: string, ...keyAndName: string[]): boolean {
  const searched = keyAndName.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
