/** A long key or id, shortened in the middle: both ends tell it from others. */
export function shortenMiddle(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const kept = max - 1
  const head = Math.ceil(kept / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`
}

const generatedId = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Within a sentence: an id of the service is not there to be read, what people chose is. */
export function shortenKey(text: string): string {
  return shortenMiddle(text, generatedId.test(text) ? 13 : 40)
}
