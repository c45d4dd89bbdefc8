/** A long key or id, shortened in the middle: both ends tell it from others. */
export function shortenMiddle(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const kept = max - 1
  const head = Math.ceil(kept / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`
}
