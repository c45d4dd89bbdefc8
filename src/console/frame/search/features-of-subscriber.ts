import { hasAllWords } from '../../components/text/has-all-words.ts'
import type { Hit } from './entry.ts'

type Feature = { key: string; name: string }

/** A subscriber and a feature that one text names, as in "cus_1001 exports". */
export type Pair = { subscriber: Hit; feature: Feature }

const maxPairs = 4

/** The features of the subscribers that a text names: those with all its other words, or else those that the server found. */
export function findPairs(text: string, hits: readonly Hit[], features: readonly Feature[]): Pair[] {
  const found = new Set(hits.filter(({ type }) => type === 'FEATURE').map(({ id }) => id))
  const pairs = hits.flatMap((subscriber) => {
    const rest = subscriber.type === 'SUBSCRIBER' ? withoutName(text, subscriber) : ''
    if (rest === '') return []
    const named = features.filter((feature) => rest.split(/\s+/).every((word) => isNameWord(word, feature)))
    const meant = named.length > 0 ? named : features.filter(({ key }) => found.has(key))
    // The one of that very key or name first.
    const byFit = meant.toSorted(
      (one, other) => Number(isNamedExactly(rest, other)) - Number(isNamedExactly(rest, one)),
    )
    return byFit.map((feature) => ({ subscriber, feature }))
  })
  return pairs.slice(0, maxPairs)
}

/** The rest of a text that names the subscriber; empty if it does not, or has no other words. */
function withoutName(text: string, { id, name }: Hit): string {
  const whole = text.toLowerCase()
  const named = [id, name].find((part) => part && whole.includes(part.toLowerCase()))?.toLowerCase()
  return named === undefined ? '' : whole.replace(named, ' ').trim()
}

function isNamedExactly(text: string, { key, name }: Feature): boolean {
  return text === key || text === name.toLowerCase()
}

/** Also in the singular. */
function isNameWord(word: string, { key, name }: Feature): boolean {
  return hasAllWords(word, key, name) || hasAllWords(word.replace(/s$/, ''), key, name)
}
