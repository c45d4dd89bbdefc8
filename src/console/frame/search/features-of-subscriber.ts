import { hasAllWords } from '../../components/text/has-all-words.ts'
import type { Hit } from './entry.ts'

type Feature = { key: string; name: string }

/** A subscriber and a feature that one text names, as in "cus_1001 exports". */
export type Pair = { subscriber: Hit; feature: Feature }

const maxPairs = 4

/** The features of subscribers that a text names: features that match all its other words, else those that the server found. */
export function findPairs(text: string, hits: readonly Hit[], features: readonly Feature[]): Pair[] {
  const found = new Set(hits.filter(({ type }) => type === 'FEATURE').map(({ id }) => id))
  const pairs = hits.flatMap((subscriber) => {
    const rest = subscriber.type === 'SUBSCRIBER' ? withoutName(text, subscriber) : ''
    if (rest === '') return []
    const named = features.filter((feature) => rest.split(/\s+/).every((word) => isNameWord(word, feature)))
    const meant = named.length > 0 ? named : features.filter(({ key }) => found.has(key))
    // The feature with exactly that key or name comes first.
    const byFit = meant.toSorted(
      (one, other) => Number(isNamedExactly(rest, other)) - Number(isNamedExactly(rest, one)),
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

/** Whether the word is a word of the feature's key or name, also in the singular. */
function isNameWord(word: string, { key, name }: Feature): boolean {
  return hasAllWords(word, key, name) || hasAllWords(word.replace(/s$/, ''), key, name)
}
