import { createSubscriber } from '../modules/subscribers/create-subscriber.ts'
import { updateSubscriber } from '../modules/subscribers/update-subscriber.ts'
import { cancelSubscription } from '../modules/subscriptions/cancel-subscription.ts'
import { changeSubscription } from '../modules/subscriptions/change-subscription.ts'
import { createSubscription } from '../modules/subscriptions/create-subscription.ts'
import type { PlanKey } from './catalog.ts'
import { subscriberOf } from './names.ts'
import type { RandomSource } from './random-source.ts'
import type { Step, StoryContext } from './story.ts'

export type Customer = { id: string; daysAgo: number; plan: PlanKey | null }

/** How many of a hundred customers have each plan. */
const plansPerHundred: [plan: PlanKey, share: number][] = [
  ['free', 44],
  ['starter', 25],
  ['team', 16],
  ['business', 8],
  ['enterprise', 2],
]

const nextPlan: Partial<Record<PlanKey, PlanKey>> = {
  free: 'starter',
  starter: 'team',
  team: 'business',
  business: 'enterprise',
  legacy: 'team',
}

/** The demo's customers: each month brings more new customers than the month before. */
export function customersOf(count: number, random: RandomSource): Customer[] {
  return Array.from({ length: count }, (_, number) => {
    const daysAgo = 88 * (1 - (number / count) ** 0.8) + 0.1
    return { id: `cus_${1000 + number}`, daysAgo, plan: choosePlan(daysAgo, random) }
  })
}

function choosePlan(daysAgo: number, random: RandomSource): PlanKey | null {
  let left = random.between(0, 99)
  // The old plan accepted new customers until it was archived.
  if (daysAgo > 61 && left >= 95) return 'legacy'
  for (const [plan, share] of plansPerHundred) {
    left -= share
    if (left < 0) return plan
  }
  return null
}

/** The steps in which each customer joined, changed plans, and perhaps left. */
export function customerSteps(
  { act, team }: StoryContext,
  customers: readonly Customer[],
  random: RandomSource,
): Step[] {
  const { billing } = team.programs
  const { chloe } = team.people
  return customers.flatMap(({ id, daysAgo, plan }, number): Step[] => {
    const body = subscriberOf(number, random)
    const path = { subscriber_id: id }
    const steps: Step[] = [{ daysAgo, run: () => act(billing, createSubscriber, body) }]
    if (plan === null) return steps
    let subscriptionId = ''
    const rememberId = async (subscription: Promise<{ id: string }>) => {
      subscriptionId = (await subscription).id
    }
    steps.push({ daysAgo, run: () => rememberId(act(billing, createSubscription, { plan_id: plan }, path)) })
    const outcome = random.next()
    const movedDaysAgo = daysAgo * (0.15 + 0.6 * random.next())
    const next = nextPlan[plan]
    if (outcome < 0.14 && next) {
      steps.push({
        daysAgo: movedDaysAgo,
        run: () => rememberId(act(outcome < 0.03 ? chloe : billing, changeSubscription, { plan_id: next }, path)),
      })
    }
    if (outcome > 0.95) {
      const cancel = () => act(billing, cancelSubscription, {}, { ...path, subscription_id: subscriptionId })
      steps.push({ daysAgo: movedDaysAgo, run: cancel })
    }
    if (outcome > 0.5 && outcome < 0.512) {
      const name = `${body.name ?? 'Unnamed'} (merged)`
      steps.push({ daysAgo: movedDaysAgo, run: () => act(chloe, updateSubscriber, { name }, path) })
    }
    return steps
  })
}
