import { describeInProse, describeValue } from '../../../components/text/describe-value.ts'
import { formatDate, formatDay, formatFutureTime } from '../../../components/text/format-time.ts'
import { formatNumber } from '../../../components/text/number.ts'
import { isSameValue, overrideValue, type Value, valueOfAnswer } from '../../../components/text/value.ts'
import type { Entitlement, ExplainedFeature, Override } from './explained.ts'

/** The value as part of a sentence; the word "nothing" for a config that neither a plan nor an override grants. */
function describeValueOrNothing(value: Value | null): string {
  return value === null ? 'nothing' : describeValue(value)
}

/** The value that the plan grants, quoted for a sentence: “on”, “1,000”, “eu-west”. */
function quoteValue(value: Value | null): string {
  const text = describeValueOrNothing(value)
  return `“${value?.kind === 'CONFIG' ? text.replace(/^"(.*)"$/, '$1') : text}”`
}

type ExplainedEntitlement = Pick<ExplainedFeature, 'entitlement' | 'override' | 'beneath'>

/** The text after the source: "by Ada, until 12 March, replaces “5” from the plan", "pro", "nothing grants it". */
export function describeWhy(
  { entitlement, override, beneath }: ExplainedEntitlement,
  plan: string | null,
  now: Date,
): string {
  if (entitlement.source === 'NONE') return 'nothing grants it'
  if (entitlement.source === 'PLAN' || !override) return plan ?? ''
  const until = override.expiresAt === null ? 'no expiry' : `until ${formatDay(new Date(override.expiresAt), now)}`
  const by = override.setBy ? `by ${override.setBy.displayName}, ` : ''
  return `${by}${until}, ${describeHidden(entitlement, beneath)}`
}

function describeHidden(entitlement: Entitlement, beneath: Entitlement | null): string {
  if (!beneath || beneath.source === 'NONE') return 'nothing else grants it'
  const hidden = valueOfAnswer(beneath)
  const verb = isSameValue(valueOfAnswer(entitlement), hidden) ? 'repeats' : 'replaces'
  return `${verb} ${quoteValue(hidden)} from the plan`
}

/** The value after the override ends: "back to 5 (pro) on 12 March"; null if it does not end. */
export function describeValueAfter(
  { override, beneath }: ExplainedEntitlement,
  plan: string | null,
  now: Date,
): string | null {
  if (!override?.expiresAt || !beneath) return null
  const day = formatDay(new Date(override.expiresAt), now)
  if (beneath.source === 'NONE') return `back to ${describeNotGranted(beneath)} on ${day}`
  return `back to ${describeValueOrNothing(valueOfAnswer(beneath))} (${plan}) on ${day}`
}

/** "an override (on) starts on Monday at 09:00" */
export function describeScheduledOverride(scheduled: Override, now: Date): string {
  const start = scheduled.startsAt === null ? '' : ` ${formatFutureTime(new Date(scheduled.startsAt), now)}`
  return `an override (${describeInProse(overrideValue(scheduled))}) starts${start}`
}

/** The text for a feature that nothing grants to the subscriber. */
function describeNotGranted({ kind }: Entitlement): string {
  return { FLAG: 'off', LIMIT: '0', CONFIG: 'no value' }[kind]
}

type OverrideTimes = {
  /** When an override that granted the feature expired. */
  ended?: string | null
  /** When an override will grant the feature. */
  starts?: string | null
  /** The newest change has not been delivered to the vendor's product, so the customer may see something else. */
  isUndelivered?: boolean
}

/** A sentence to paste into an email: "Export is on for you until 6 December 2026." */
export function toCustomerSentence(
  name: string,
  entitlement: Entitlement,
  { ended = null, starts = null, isUndelivered = false }: OverrideTimes = {},
): string {
  const what = describeForCustomer(name, entitlement, { ended, starts })
  return isUndelivered
    ? `${what} Our product has not picked up the latest change yet, so you may still see the former state.`
    : what
}

type Times = { ended: string | null; starts: string | null }

function describeForCustomer(name: string, entitlement: Entitlement, { ended, starts }: Times): string {
  const { source, allowed, kind, expiresAt } = entitlement
  const until = expiresAt ? ` until ${formatDate(new Date(expiresAt))}` : ''
  if (source === 'NONE' && starts !== null) return `${name} starts for you on ${formatDate(new Date(starts))}.`
  if (source === 'NONE' && ended !== null) return `Your trial of ${name} ended on ${formatDate(new Date(ended))}.`
  if (source === 'NONE') return `${name} is not part of your plan.`
  if (kind === 'FLAG') return `${name} is ${allowed ? 'on' : 'off'} for you${until}.`
  if (!allowed) return `${name} is not included for you${until}.`
  if (kind === 'LIMIT') {
    return entitlement.limit === null
      ? `${name}: unlimited for you${until}.`
      : `${name}: up to ${formatNumber(entitlement.limit)} for you${until}.`
  }
  const { value } = entitlement
  if (typeof value === 'object') return `${name} is set up for you${until}.`
  return `${name} is set to ${String(value)} for you${until}.`
}
