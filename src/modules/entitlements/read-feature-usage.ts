import { z } from 'zod'
import { defineAnswer, fieldFrom, listFrom, listOf } from '../../core/answer.ts'
import { anyIdField, keyField, largeCountField, nameField } from '../../core/answer-fields.ts'
import { validationError } from '../../core/errors.ts'
import { asScalar, note } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import {
  type Denials,
  type FeatureUsage,
  loadDenials,
  loadFeatureUsage,
  maxDeniedSubscribers,
  maxUsedFeatures,
  type Period,
} from '../../gate/feature-usage/load-feature-usage.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadFeature } from '../features/feature.ts'

/** The maximum length of a period, including its first and last day. */
const maxDays = 92
const dayMs = 86_400_000

function dateInput() {
  return z
    .string()
    .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== null)
    .describe('a date such as 2026-11-01')
    .meta({ format: 'date' })
}

const period = {
  from: note(dateInput().optional(), {
    meaning: 'The first day (UTC). If left out: the first day of the month of `to`.',
  }),
  to: note(dateInput().optional(), { meaning: 'The last day (UTC). If left out: the last day of the current month.' }),
}

const dateField = asScalar('String', z.iso.date())
const granted = largeCountField().describe('The number of checks that allowed the feature.')
const denied = largeCountField().describe('The number of checks that denied the feature.')

export const usedDayAnswer = defineAnswer<FeatureUsage['features'][number]['days'][number]>(
  'FeatureUsageDay',
  'A day (UTC) on which a feature was checked.',
  { date: dateField.describe('The day in UTC, such as 2026-11-21.'), granted, denied },
)

export const usedFeatureAnswer = defineAnswer<FeatureUsage['features'][number]>(
  'FeatureUsage',
  'How often a feature was checked.',
  {
    feature: keyField().describe("The feature's key; it may have been deleted since."),
    granted,
    denied,
    days: listFrom('days', usedDayAnswer, 'The days on which the feature was checked, oldest first.', maxDays),
  },
)

export const featureUsageAnswer = defineAnswer<FeatureUsage>(
  'EvalUsageByFeature',
  'How often each feature was checked.',
  {
    from: dateField.describe('The first day.'),
    to: dateField.describe('The last day.'),
    features: listFrom('features', usedFeatureAnswer, 'The checked features, most frequent first.', maxUsedFeatures),
    is_exact: fieldFrom(
      () => false,
      z.boolean().describe('Always false, because a crash may lose up to ten seconds of counts.'),
    ),
  },
)

export const readFeatureUsage = defineRead({
  name: 'evalUsageByFeature',
  summary: 'Read how often each feature was allowed or denied in checks, by day (UTC).',
  about:
    'The counts are updated every ten seconds, and are approximate: a crash may lose the counts of ten seconds. A check of ' +
    'several features counts for each of them, and a snapshot for none. The counts of a day are kept for 100 days.',
  route: '/org/eval-usage/features',
  service: 'api',
  labels: ['org:read'],
  input: defineInput(
    {
      ...period,
      feature: note(asScalar('ID', z.string().regex(keyPattern).describe('the key of a feature')).optional(), {
        meaning: 'Only this feature.',
      }),
    },
    { unknown: 'reject', term: 'query parameter' },
  ),
  answer: featureUsageAnswer,
  async run({ db, organizationId, input, now }): Promise<FeatureUsage> {
    return loadFeatureUsage(db, { organizationId, ...toPeriod(input, now), feature: input.feature })
  },
})

export const deniedSubscriberAnswer = defineAnswer<Denials[number]>(
  'DeniedSubscriber',
  'A subscriber who was denied a feature.',
  {
    subscriber_id: anyIdField().describe("The subscriber's id."),
    name: nameField().nullable().describe("The subscriber's name, if it has one."),
    count: largeCountField().describe('The approximate number of denials.'),
  },
)

const denialsAnswer = listOf('subscribers', deniedSubscriberAnswer, maxDeniedSubscribers)

export const readDenials = defineRead({
  name: 'denials',
  summary: 'Read the twenty subscribers who were denied a feature most often, approximately.',
  route: '/org/features/{key}/denials',
  service: 'api',
  labels: ['overrides:read'],
  input: defineInput(period, { unknown: 'reject', term: 'query parameter' }),
  answer: denialsAnswer,
  async run({ db, organizationId, path, input, now }): Promise<Denials> {
    const { key } = await loadFeature(db, organizationId, path.key)
    const found = await loadDenials(db, { organizationId, ...toPeriod(input, now) }, [key])
    return found.get(key) ?? []
  },
})

/** Throws 422 if the period is too long or empty. */
export function toPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const last = to ?? toDate(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)))
  const first = from ?? `${last.slice(0, 7)}-01`
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  if (days < 1) throw validationError([{ path: 'from', message: 'from must not be after to.' }])
  if (days > maxDays) {
    throw validationError([{ path: 'from', message: `from and to must include at most ${maxDays} days.` }])
  }
  return { from: first, to: last }
}

function toDate(time: Date): string {
  return time.toISOString().slice(0, 10)
}
