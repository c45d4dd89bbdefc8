import type { Override } from '../../database/generated/client.ts'

export type { Override } from '../../database/generated/client.ts'

/** What an override sets, under the name that its kind has for it. */
export type OverrideValue =
  | { kind: 'flag'; allowed: boolean }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; value: unknown }

export function toOverrideValue({ kind, allowed, limit, value }: Override): OverrideValue {
  switch (kind) {
    case 'flag':
      return { kind, allowed: allowed as boolean }
    case 'limit':
      return { kind, limit: limit === null ? null : Number(limit) }
    case 'config':
      return { kind, value: JSON.parse(value as string) }
  }
}

/** The overrides that count at an instant: from its `expires_at` on, one does not. */
export function liveAt(now: Date) {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
}
