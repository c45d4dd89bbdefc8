import type { OverrideInForce } from '../resolution/entitlement.ts'

/** An override's columns as text. */
export type OverrideColumns = [
  kind: string | null,
  allowed: string | null,
  limit: string | null,
  valueJson: string | null,
  expiresSeconds: string | null,
  startsSeconds: string | null,
]

export function toOverride(columns: OverrideColumns): OverrideInForce {
  const [kind, allowed, limit, valueJson, expiresSeconds, startsSeconds] = columns
  const times = { startsAt: toDateOrNull(startsSeconds), expiresAt: toDateOrNull(expiresSeconds) }
  switch (kind) {
    case 'flag':
      return { kind: 'flag', allowed: allowed === 't', ...times }
    case 'limit':
      return { kind: 'limit', limit: limit === null ? null : Number(limit), ...times }
    default:
      return { kind: 'config', valueJson: valueJson ?? 'null', ...times }
  }
}

/** Converts epoch seconds with a fraction, and rounds to milliseconds. */
function toDateOrNull(seconds: string | null): Date | null {
  return seconds === null ? null : new Date(Math.round(Number(seconds) * 1000))
}
