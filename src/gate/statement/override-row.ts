import type { OverrideInForce } from '../resolution/entitlement.ts'

/** An override's columns as text. */
export type OverrideColumns = [
  kind: string | null,
  allowed: string | null,
  limit: string | null,
  valueJson: string | null,
  expiresSeconds: string | null,
]

export function toOverride([kind, allowed, limit, valueJson, expiresSeconds]: OverrideColumns): OverrideInForce {
  const expiresAt = expiresSeconds === null ? null : fromSeconds(expiresSeconds)
  switch (kind) {
    case 'flag':
      return { kind: 'flag', allowed: allowed === 't', expiresAt }
    case 'limit':
      return { kind: 'limit', limit: limit === null ? null : Number(limit), expiresAt }
    default:
      return { kind: 'config', valueJson: valueJson ?? 'null', expiresAt }
  }
}

/** From epoch seconds with a fraction, rounded to milliseconds. */
function fromSeconds(seconds: string): Date {
  return new Date(Math.round(Number(seconds) * 1000))
}
