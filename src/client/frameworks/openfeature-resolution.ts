import type { Detail } from '../snapshot.ts'

/** The answer of an OpenFeature provider, in the format that both SDKs accept. */
export type Resolution<Value> = {
  value: Value
  reason: string
  variant?: string
  flagMetadata?: Record<string, boolean | string | number>
  errorCode?: Code
  errorMessage?: string
}

export type Code = 'FLAG_NOT_FOUND' | 'GENERAL' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING' | 'TYPE_MISMATCH'

/** The number for an unlimited limit in OpenFeature: the largest exact integer. */
const unlimited = Number.MAX_SAFE_INTEGER

/** The same reasons as the service returns over OFREP, OpenFeature's remote protocol. */
const reasonBySource = { override: 'TARGETING_MATCH', plan: 'STATIC', none: 'DISABLED' } as const

/** The answer in OpenFeature's terms. `fallback` is the default value of the call: it applies if the service has no value. */
export function toResolution<Value>(feature: string, detail: Detail, fallback: Value): Resolution<Value> {
  const refusal = refusalOf(feature, detail)
  if (refusal) return toFailure(fallback, ...refusal)
  const about = { reason: reasonOf(detail), variant: detail.source, flagMetadata: metadataOf(detail) }
  const value = toValue(detail)
  if (value === null) return { value: fallback, ...about }
  if (typeof value === typeof fallback) return { value: value as Value, ...about }
  return toFailure(fallback, 'TYPE_MISMATCH', `"${feature}" is a ${typeof value}, and not a ${typeof fallback}.`)
}

export function toFailure<Value>(fallback: Value, errorCode: Code, errorMessage: string): Resolution<Value> {
  return { value: fallback, reason: 'ERROR', errorCode, errorMessage }
}

export const noTargetingKey = [
  'TARGETING_KEY_MISSING',
  'Set the targeting key of the context to the id of a subscriber.',
] as const

export const unknownSubscriber = ['INVALID_CONTEXT', 'There is no subscriber with this targeting key.'] as const

/** The error for a detail without a kind: neither the service nor the option `defaults` has an answer. */
function refusalOf(feature: string, { kind, problem }: Detail): readonly [Code, string] | null {
  if (kind !== null) return null
  if (problem === 'unknown_subscriber') return unknownSubscriber
  if (problem === 'unknown_feature') return ['FLAG_NOT_FOUND', `The catalog has no feature "${feature}".`]
  return ['GENERAL', 'The service does not answer, and the client has no earlier answer about this subscriber.']
}

function reasonOf({ from, source }: Detail): string {
  if (from === 'default') return 'DEFAULT'
  return from === 'last-known' ? 'STALE' : reasonBySource[source]
}

function toValue({ kind, allowed, limit, value }: Detail): unknown {
  if (kind === 'flag') return allowed
  return kind === 'limit' ? Math.min(limit ?? 0, unlimited) : value
}

function metadataOf({ kind, allowed, source, limit, expiresAt }: Detail): Record<string, boolean | string | number> {
  return {
    kind: kind as string,
    allowed,
    source,
    unlimited: limit === Number.POSITIVE_INFINITY,
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  }
}
