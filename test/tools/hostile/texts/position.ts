import type { Request } from '../client.ts'
import type { CallerKind } from './callers.ts'

/** A position in a request that takes text from its sender. */
export type Position = {
  name: string
  caller: CallerKind
  /** The lengths to send: 16 KB, and the limit of the field if it is lower. */
  lengths: readonly number[]
  /** Prepares text for this position; null if no client can send it there. */
  encode(text: string): string | null
  request(text: string): Request
}

export const longest = 16_000

/** The lengths to send to a field with this limit. */
export function lengthsOf(limit: unknown): number[] {
  return typeof limit === 'number' && limit < longest ? [limit, longest] : [longest]
}

/** The same value with the text at this path. */
export function withText(value: unknown, [first, ...rest]: readonly (string | number)[], text: unknown): unknown {
  if (first === undefined) return text
  const inner = withText((value as Record<string, unknown> | undefined)?.[first], rest, text)
  return typeof first === 'number' ? [inner] : { ...(value as object), [first]: inner }
}
