import { deleteOverride } from '../modules/overrides/delete-override.ts'
import { putOverride } from '../modules/overrides/put-override.ts'
import type { Customer } from './customers.ts'
import type { RandomSource } from './random-source.ts'
import { expectRefusal, type Step, type StoryContext } from './story.ts'

type Value =
  | { kind: 'flag'; allowed: boolean }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; value: unknown }

/** Overrides that customer support grants, and why. */
const supportOverrides: [feature: string, value: Value, note: string][] = [
  ['seats', { kind: 'limit', limit: 12 }, 'Promised in the renewal call, see LUM-2291'],
  ['seats', { kind: 'limit', limit: 40 }, 'Onboarding of the Berlin office'],
  ['exports', { kind: 'flag', allowed: true }, 'Trial of exports before the upgrade'],
  ['api-calls-per-day', { kind: 'limit', limit: 20_000 }, 'Migration of their old data, two weeks'],
  ['sso', { kind: 'flag', allowed: true }, 'Security review requires SSO, contract follows'],
  ['beta-notebooks', { kind: 'flag', allowed: true }, 'Beta group 2'],
  ['beta-notebooks', { kind: 'flag', allowed: true }, 'Asked for it in ticket 48812'],
  ['rows-per-month', { kind: 'limit', limit: 5_000_000 }, 'Seasonal peak, agreed with Ada'],
  ['support-level', { kind: 'config', value: 'chat' }, 'Goodwill after the outage in August'],
  ['query-timeout-seconds', { kind: 'config', value: 120 }, 'Heavy month-end report'],
  ['region', { kind: 'config', value: 'eu' }, 'Data must stay in the EU, https://lumen.example/dpa/118'],
  ['embedded-analytics', { kind: 'flag', allowed: false }, 'Blocked until the invoice is paid'],
  ['viewers', { kind: 'limit', limit: null }, 'Conference in June: unlimited viewers'],
]

/** Days from now until the override's end; negative for past ends. Null: the override never ends. */
const endDays = [null, null, null, 2, 5, 6, 12, 21, 40, 90, -2, -9, -20, -35]

/** One customer in seven got an override. The end of some overrides was moved later, and some overrides were removed. */
export function overrideSteps(
  { act, team }: StoryContext,
  customers: readonly Customer[],
  random: RandomSource,
  now: Date,
): Step[] {
  const { ada, ben, chloe, dmitri } = team.people
  const at = (daysFromNow: number) => new Date(now.getTime() + daysFromNow * 86_400_000).toISOString()
  const steps = customers
    .filter((_, number) => number % 7 === 3)
    .flatMap(({ id, daysAgo }): Step[] => {
      const [feature, value, why] = random.pick(supportOverrides)
      const end = random.pick(endDays)
      const path = { subscriber_id: id, feature_key: feature }
      // The override was set before it ended and after the customer joined.
      const latest = end !== null && end < 0 ? -end + 1 : 0.2
      if (daysAgo <= latest + 0.1) return []
      const givenDaysAgo = latest + (daysAgo - latest) * 0.9 * random.next()
      const setBy = random.pick([chloe, chloe, chloe, ben, ada])
      const put = (expires_at: string | null) => () =>
        act(setBy, putOverride, { ...value, expires_at, ...(random.next() < 0.85 && { note: why }) }, path)
      const setStep: Step = { daysAgo: givenDaysAgo, run: put(end === null ? null : at(end)) }
      const later = givenDaysAgo * 0.5
      const outcome = random.next()
      if (outcome < 0.1 && end !== null && end > 10) return [setStep, { daysAgo: later, run: put(at(end + 14)) }]
      if (outcome > 0.93 && end === null)
        return [setStep, { daysAgo: later, run: () => act(chloe, deleteOverride, {}, path) }]
      return [setStep]
    })
  const [first] = customers
  if (!first) return steps
  const path = { subscriber_id: first.id, feature_key: 'seats' }
  const attemptRefusedWrite = () => expectRefusal(act(dmitri, putOverride, { kind: 'limit', limit: 99 }, path))
  return [...steps, { daysAgo: Math.min(1.6, first.daysAgo / 2), run: attemptRefusedWrite }]
}
