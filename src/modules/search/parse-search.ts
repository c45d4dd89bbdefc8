import { isApiKey } from '../../access/api-key.ts'
import { hasAtMostCharacters, lengthOf, maxNameLength } from '../../core/fields.ts'
import { maxUnorderedWords, searchesParts } from '../subscribers/subscriber-filter.ts'

/** A parsed search text. */
type ParsedSearch = {
  /** Words that are looked up as complete ids and keys. */
  words: string[]
  /** The text to find in ids, keys and names; null for a pasted list. */
  part: string | null
  /** The parts of a line that may name objects; null for a pasted list. */
  line: Line | null
}

/** The parts of a line, such as a sentence or a log line. The complete line is not one of them. */
export type Line = {
  /** Words that are looked up as complete ids and keys, in upper and lower case. */
  words: string[]
  /** Words that are looked up as the ends of ids. */
  ends: string[]
  /** Consecutive words that are looked up as complete names, ignoring case; the longest first. */
  phrases: string[]
  /** The phrases that may be the start of a name: they begin with a capital, or contain a digit or several words. */
  starts: string[]
  /** All words of a short line. They find a name that contains all of them, in any order. */
  all: string[]
}

const maxWords = 50
const maxPieces = 100
const maxPhraseWords = 4

/** A text with a line break is a pasted list: each word is looked up as it is. */
export function parseSearch(text: string): ParsedSearch {
  const trimmed = text.trim().replaceAll(/\w+/g, normalizeWord)
  if (trimmed === '') return { words: [], part: null, line: null }
  if (/[\n\r\u2028\u2029]/.test(trimmed)) {
    return { words: [...new Set(trimmed.split(/\s+/).slice(0, maxWords))], part: null, line: null }
  }
  return {
    words: [trimmed],
    part: hasAtMostCharacters(trimmed, maxNameLength) ? trimmed : null,
    line: toLine(trimmed),
  }
}

const keyPrefixLength = 12

/** Replaces a whole API key with its prefix, which is not secret, so that the key itself is not sent to the database. */
function normalizeWord(word: string): string {
  return isApiKey(word) ? word.slice(0, keyPrefixLength) : word
}

function toLine(text: string): Line {
  // Quotes, brackets and "=" separate the parts of log lines; other punctuation may be part of a name.
  const pieces = text.split(/[\s"“”„«»<>{}[\]|=]+/).filter((piece) => piece !== '')
  // Words that look like ids come first, because only the first words are looked up.
  const words = distinct([...text.split(/\s+/), ...pieces].flatMap(toWords))
    .toSorted((one, other) => Number(isIdShaped(other)) - Number(isIdShaped(one)))
    .slice(0, maxWords)
  const allWords = pieces.map(trimPunctuation).filter((word) => word !== '')
  const phrases = toPhrases(pieces.slice(0, maxPieces)).filter((phrase) => phrase !== text)
  return {
    words: distinct(words.flatMap((word) => [word, normalizeIdCase(word)])).filter((word) => word !== text),
    ends: words.filter((word) => searchesParts(word) && (word === text || /\d/.test(word))),
    phrases,
    starts: phrases.filter((phrase) => searchesParts(phrase) && /^\p{Lu}|\d|\s/u.test(phrase)),
    all: allWords.length > 1 && allWords.length <= maxUnorderedWords ? allWords : [],
  }
}

/** A piece, the piece without surrounding punctuation, and the parts of a URL or of a pair such as `id:acme`. */
function toWords(piece: string): string[] {
  return [piece, trimPunctuation(piece), ...piece.split(/[/?&#:,;]/).map(trimPunctuation)].filter(
    (word) => lengthOf(word) > 1,
  )
}

function toPhrases(pieces: readonly string[]): string[] {
  const phrases: string[] = []
  for (let length = Math.min(maxPhraseWords, pieces.length); length > 0; length--) {
    for (let start = 0; start + length <= pieces.length; start++) {
      phrases.push(trimPunctuation(pieces.slice(start, start + length).join(' ')))
    }
  }
  return distinct(phrases).filter((phrase) => lengthOf(phrase) > 1 && hasAtMostCharacters(phrase, maxNameLength))
}

function isIdShaped(word: string): boolean {
  return /[\d_@-]/.test(word)
}

/** Removes surrounding punctuation. */
function trimPunctuation(word: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su.exec(word)?.[0] ?? ''
}

/** Keys are lower case. Generated ids are upper case, except the prefix "req_" of request ids. */
function normalizeIdCase(word: string): string {
  return /^(req_)?[0-9a-z]{26}$/i.test(word) ? word.toUpperCase().replace(/^REQ_/, 'req_') : word.toLowerCase()
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)]
}
