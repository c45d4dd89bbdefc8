import type { Tone } from '../text/state-badge.tsx'
import { type AuditEntry, isDone } from './describe-entry.ts'

const refusals = new Map([
  [400, 'malformed'],
  [403, 'not allowed'],
  [404, 'not found'],
  [409, 'conflict'],
  [413, 'too large'],
  [415, 'malformed'],
  [422, 'not valid'],
  [500, 'failed'],
  [503, 'unavailable'],
])

/** The outcome of a request in a word or two, with the status if there was an answer. */
export function describeOutcome(entry: Pick<AuditEntry, 'outcome' | 'status'>): { tone: Tone; text: string } {
  const { outcome, status } = entry
  if (isDone(entry)) return { tone: 'good', text: 'done' }
  if (outcome === 'PENDING') return { tone: 'warn', text: 'outcome unknown: the server stopped' }
  if (outcome === 'NO_RESPONSE' || status === null) return { tone: 'warn', text: 'outcome unknown' }
  const word = refusals.get(status) ?? (status >= 500 ? 'failed' : 'refused')
  return { tone: 'bad', text: `${word} (${status})` }
}
