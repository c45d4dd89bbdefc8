import { describeValue } from '../text/describe-value.ts'
import { formatLocal } from '../text/format-time.ts'
import { shortenKey, shortenMiddle } from '../text/shorten.ts'
import type { Value } from '../text/value.ts'

/** A value of a grant or an override; a large one is not in the log. */
export type ShownValue = Value | 'TOO_LARGE'

/** An object that people know by its name, and the log by its id. */
export type NamedObject = { type: 'MEMBER' | 'SERVICE_ACCOUNT' | 'API_KEY'; id: string }

/**
 * A piece of a sentence: words, a key or id, a name that people gave, a value, a time, or an object whose name is loaded later.
 */
export type Part =
  | string
  | { key: string }
  | { name: string }
  | { shown: ShownValue }
  | { time: string }
  | { unnamed: NamedObject }

export type Sentence = Part[]

export const key = (text: string): Part => ({ key: text })
export const namePart = (text: string): Part => ({ name: text })
export const shown = (value: ShownValue): Part => ({ shown: value })
export const time = (at: string): Part => ({ time: at })
/** A member, account or key whose name is not known; an earlier entry may have it. */
export const unnamed = (what: NamedObject): Part => ({ unnamed: what })

/** Builds a sentence from a template: words`created plan ${key('pro')}`. */
export function words(strings: TemplateStringsArray, ...parts: (Part | Sentence)[]): Sentence {
  return strings.flatMap((text, index) => {
    const part = parts[index] ?? []
    return [...(text === '' ? [] : [text]), ...(Array.isArray(part) ? part : [part])]
  })
}

/** The sentence as plain text, as a screen reader says it. */
export function toText(sentence: Sentence): string {
  return sentence.map(toPlain).join('')
}

function toPlain(part: Part): string {
  if (typeof part === 'string') return part
  if ('key' in part) return part.key
  if ('name' in part) return `“${shortenMiddle(part.name, 60)}”`
  if ('time' in part) return formatLocal(new Date(part.time))
  if ('unnamed' in part) return describeUnnamedObject(part.unnamed)
  return toPlainValue(part.shown)
}

/** An object without a known name: "a former member 01KA…7Q". */
export function describeUnnamedObject({ type, id }: NamedObject): string {
  return type === 'MEMBER' ? `a former member ${shortenKey(id)}` : shortenKey(id)
}

function toPlainValue(value: ShownValue): string {
  return value === 'TOO_LARGE' ? 'a value too large to log' : describeValue(value)
}
