import { expiryIn } from '../../../components/form/expiry.ts'
import { toValueText } from '../../../components/form/value-text.ts'
import { overrideValue, valueOfAnswer } from '../../../components/text/value.ts'
import type { ExplainedFeature, Override } from './explained.ts'

/** The values of an override's form. `value` is text. */
type OverrideValues = { value: string; startsAt: string | null; expiresAt: string | null; note: string }

const usualDays = 14

/** Whether the override is live or will start, so that the form edits its values. Otherwise it proposes a new override. */
export function isLiveOrScheduled(stored: Override | null, now: Date): stored is Override {
  return stored !== null && (stored.expiresAt === null || new Date(stored.expiresAt) > now)
}

/** The values of an override that is live or will start, or a proposal: it lasts two weeks, and inverts a flag. */
export function proposeOverride(feature: ExplainedFeature, stored: Override | null, now: Date): OverrideValues {
  if (isLiveOrScheduled(stored, now)) {
    const { startsAt, expiresAt, note } = stored
    return { value: toValueText(feature, overrideValue(stored)), startsAt, expiresAt, note: note ?? '' }
  }
  return { value: proposeValue(feature), startsAt: null, expiresAt: expiryIn(usualDays, now), note: '' }
}

function proposeValue(feature: ExplainedFeature): string {
  const { entitlement, options } = feature
  if (feature.kind === 'FLAG') return entitlement.allowed ? 'off' : 'on'
  const value = valueOfAnswer(entitlement)
  return value ? toValueText(feature, value) : (options?.[0] ?? '')
}
