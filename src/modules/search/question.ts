import { isApiKey } from '../../access/api-key.ts'
import { isShort, lengthOf, maxNameLength } from '../../core/fields.ts'
import { maxWordsOfDescription, searchesParts } from '../subscribers/subscriber-filter.ts'

/** A parsed search text. */
type Question = {
  /** Words that are looked up as whole ids and keys. */
  words: string[]
  /** The text to find in ids, keys and names; null for a pasted list. */
  part: string | null
  /** The parts of a text without a line break that may name an object; null for a pasted list. */
  line: Line | null
}

/** The parts of a line, such as a sentence or a line of a log, except the whole. */
export type Line = {
  /** Words that are looked up as whole ids and keys, in any case. */
  words: string[]
  /** Words that are looked up as the ends of ids. */
  ends: string[]
  /** Consecutive words, looked up as whole names in any case; the longest first. */
  phrases: string[]
  /** The phrases that look like the start of a name: with a capital or a digit, or of several words. */
  starts: string[]
  /** The words of a line that is short enough to be a description: all are looked for in one name, in any order. */
  all: string[]
}

const maxWords = 50
const maxPieces = 100
const maxPhrase = 4

/** A text with a line break is a pasted list: each word is looked up as it is. */
export function toQuestion(text: string): Question {
  const trimmed = text.trim().replaceAll(/\S+/g, normalizeWord)
  if (trimmed === '') return { words: [], part: null, line: null }
  if (/[\n\r\u2028\u2029]/.test(trimmed)) {
    return { words: [...new Set(trimmed.split(/\s+/).slice(0, maxWords))], part: null, line: null }
  }
  return {
    words: [trimmed],
    part: isShort(trimmed, maxNameLength) ? trimmed : null,
    line: toLine(trimmed),
  }
}

const keyPrefixLength = 12

/** Sends only the prefix of a whole API key to the database: the prefix is not secret. */
function normalizeWord(word: string): string {
  return isApiKey(word) ? word.slice(0, keyPrefixLength) : word
}

function toLine(text: string): Line {
  // Quotes, brackets and "=" separate the parts of log lines; other punctuation may be part of a name.
  const pieces = text.split(/[\s"“”„«»<>{}[\]|=]+/).filter((piece) => piece !== '')
  // Only this many words are looked up: those that look like ids come first.
  const words = distinct([...text.split(/\s+/), ...pieces].flatMap(toWords))
    .toSorted((one, other) => Number(isIdShaped(other)) - Number(isIdShaped(one)))
    .slice(0, maxWords)
  const described = pieces.map(trimPunctuation).filter((word) => word !== '')
  const phrases = toPhrases(pieces.slice(0, maxPieces)).filter((phrase) => phrase !== text)
  return {
    words: distinct(words.flatMap((word) => [word, normalizeIdCase(word)])).filter((word) => word !== text),
    ends: words.filter((word) => searchesParts(word) && (word === text || /\d/.test(word))),
    phrases,
    starts: phrases.filter((phrase) => searchesParts(phrase) && /^\p{Lu}|\d|\s/u.test(phrase)),
    all: described.length > 1 && described.length <= maxWordsOfDescription ? described : [],
  }
}

/** A piece without the punctuation around it, and the parts of an address or a pair. */
function toWords(piece: string): string[] {
  return [piece, trimPunctuation(piece), ...piece.split(/[/?&#:,;]/).map(trimPunctuation)].filter(
    (word) => lengthOf(word) > 1,
  )
}

function toPhrases(pieces: readonly string[]): string[] {
  const phrases: string[] = []
  for (let length = Math.min(maxPhrase, pieces.length); length > 0; length--) {
    for (let start = 0; start + length <= pieces.length; start++) {
      phrases.push(trimPunctuation(pieces.slice(start, start + length).join(' ')))
    }
  }
  return distinct(phrases).filter((phrase) => lengthOf(phrase) > 1 && isShort(phrase, maxNameLength))
}

function isIdShaped(word: string): boolean {
  return /[\d_@-]/.test(word)
}

/** Removes the surrounding punctuation. */
function trimPunctuation(word: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(word)?.[0] ?? ''
}

/** Keys are in lower case; generated ids are in upper case, after the "req_" of a request's. */
function normalizeIdCase(word: string): string {
  return /^(req_)?[0-9a-z]{26}$/i.test(word) ? word.toUpperCase().replace(/^REQ_/, 'req_') : word.toLowerCase()
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)]
}
