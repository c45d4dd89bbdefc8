import { hasAllWords } from '../../components/text/has-all-words.ts'
import type { Hit } from './entry.ts'

type Feature = { key: string; name: string }

/** A subscriber and a feature that the same text names, as in "cus_1001 exports". */
export type Pair = { subscriber: Hit; feature: Feature }

const maxPairs = 4

/**
 * Pairs each subscriber that the text names with the features that match all other words of the text. If no feature does,
 * pairs it with the features among the server's hits.
 */
export function findPairs(text: string, hits: readonly Hit[], features: readonly Feature[]): Pair[] {
  const found = new Set(hits.filter(({ type }) => type === 'FEATURE').map(({ id }) => id))
  const pairs = hits.flatMap((subscriber) => {
    const otherWords = subscriber.type === 'SUBSCRIBER' ? withoutName(text, subscriber) : ''
    if (otherWords === '') return []
    const named = features.filter((feature) => otherWords.split(/\s+/).every((word) => isNameWord(word, feature)))
    const meant = named.length > 0 ? named : features.filter(({ key }) => found.has(key))
    // A feature whose key or name is exactly the other words comes first.
    const byFit = meant.toSorted(
      (one, other) => Number(isNamedExactly(otherWords, other)) - Number(isNamedExactly(otherWords, one)),
    )
    return byFit.map((feature) => ({ subscriber, feature }))
  })
  return pairs.slice(0, maxPairs)
}

/** The text without the subscriber's name; empty if the text does not name the subscriber, or has no other words. */
function withoutName(text: string, { id, name }: Hit): string {
  const whole = text.toLowerCase()
  const named = [id, name].find((part) => part && whole.includes(part.toLowerCase()))?.toLowerCase()
  return named === undefined ? '' : whole.replace(named, ' ').trim()
}

function isNamedExactly(text: string, { key, name }: Feature): boolean {
  return text === key || text === name.toLowerCase()
}

/** Whether the feature's key or name contains the word, with or without a plural s. */
function isNameWord(word: string, { key, name }: Feature): boolean {
  return hasAllWords(word, key, name) || hasAllWords(word.replace(/s$/, ''), key, name)
}
