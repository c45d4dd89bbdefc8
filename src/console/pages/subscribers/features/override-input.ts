import type { Value } from '../../../components/text/entitlement-value.tsx'
import { overrideValue } from '../../../components/text/value.ts'
import type { PutOverrideInput } from '../../../generated/explanation.ts'
import type { Override } from './explained.ts'

/** The choices a person makes for an override. */
export type OverrideChoice = { value: Value; startsAt: string | null; expiresAt: string | null; note: string | null }

export type OverrideTarget = { subscriberId: string; feature: string }

/** The name under which the form's draft is stored. */
export const draftOf = ({ subscriberId, feature }: OverrideTarget) => `override ${subscriberId} ${feature}`

export function choiceOf(override: Override): OverrideChoice {
  const { startsAt, expiresAt, note } = override
  return { value: overrideValue(override), startsAt, expiresAt, note }
}

/** With `expectedUpdatedAt` null, the server refuses the write if an override exists. */
export function toPutInput(
  { subscriberId, feature }: OverrideTarget,
  { value, startsAt, expiresAt, note }: OverrideChoice,
  expectedUpdatedAt: string | null,
): PutOverrideInput {
  return { subscriberId, featureKey: feature, ...value, startsAt, expiresAt, note: note || null, expectedUpdatedAt }
}

const dayMs = 86_400_000

/** The new end: this many days after the present end, or after now if the override has expired. */
export function extendExpiry(expiresAt: string, days: number, now: Date): string {
  return new Date(Math.max(Date.parse(expiresAt), now.getTime()) + days * dayMs).toISOString()
}
