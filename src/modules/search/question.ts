import { hashTokenToHex } from '../../access/token.ts'
import { lengthOf, maxNameLength } from '../../core/fields.ts'

/** A search text, taken apart. */
type Question = {
  /** Looked up as whole ids and keys. */
  words: string[]
  /** Looked for in ids, keys and names; null for a pasted list. */
  part: string | null
}

const maxWords = 50

/** A text with a line break is a pasted list: each word is looked up as it is. */
export function toQuestion(text: string): Question {
  const trimmed = text.trim()
  if (trimmed === '') return { words: [], part: null }
  if (!/[\n\r\u2028\u2029]/.test(trimmed)) {
    return { words: [toKnownWord(trimmed)], part: lengthOf(trimmed) > maxNameLength ? null : trimmed }
  }
  return { words: [...new Set(trimmed.split(/\s+/).slice(0, maxWords).map(toKnownWord))], part: null }
}

const keyPrefixLength = 12

/** Sends only the prefix of a whole API key to the database: the prefix is not secret. */
function toKnownWord(word: string): string {
  return hashTokenToHex('ent', word) === null ? word : word.slice(0, keyPrefixLength)
}
