const maxText = 2000
const maxWords = 50

/** The query for a typed or pasted text; empty for nothing. */
export function toQuestion(text: string): string {
  const trimmed = text.trim()
  return /[\n\r]/.test(trimmed) ? toWordList(trimmed) : trimmed.slice(0, maxText)
}

/**
 * The words of a pasted ticket, one per line: the server looks up each as an id or a key. Words that look like an id come
 * first, since only so many are looked up; URLs also yield their parts.
 */
function toWordList(ticket: string): string {
  const words = new Set<string>()
  for (const piece of ticket.split(/\s+/)) {
    const word = bare(piece)
    for (const part of [word, ...word.split(/[/?&=#]/).map(bare)]) {
      if (part.length > 1 && part.length <= 255) words.add(part)
    }
  }
  const sorted = [...words].toSorted((one, other) => Number(looksLikeId(other)) - Number(looksLikeId(one)))
  let list = ''
  for (const word of sorted.slice(0, maxWords)) {
    if (list.length + word.length + 1 > maxText) break
    list += `${word}\n`
  }
  // A single word is repeated to keep a line break: otherwise the server would search names for it.
  return list.length > 0 && sorted.length === 1 ? `${list}${sorted[0]}` : list.trimEnd()
}

/** Removes the surrounding punctuation. */
function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

function looksLikeId(word: string): boolean {
  return /[\d_@-]/.test(word)
}
