import {
  type Delivery,
  describeDelivery,
  isUndelivered,
  timeOfState,
} from '../../../components/delivery-status/use-delivery.ts'
import type { Change } from '../../../components/history/changes.ts'
import {
  type ChangeGroup,
  describeGroup,
  findLosses,
  groupChanges,
  type Names,
} from '../../../components/history/groups.ts'
import { describeInProse } from '../../../components/text/describe-value.ts'
import { formatDay, formatFutureTime } from '../../../components/text/format-time.ts'
import { isNested } from '../../../components/text/json-changes.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { overrideValue } from '../../../components/text/value.ts'
import type { Label } from '../../../session/viewer.ts'
import type { ExplainedFeature, Override } from '../features/explained.ts'

type Plan = { key: string; name: string; archivedAt: string | null }

export type StoryFacts = {
  features: readonly ExplainedFeature[]
  /** The key of the present plan. */
  plan: string | null
  plans: readonly Plan[]
  changes: readonly Change[]
  /** Whether older changes have not been read. */
  hasMore: boolean
  /** Overrides that are not live; one that starts later has `startsAt`. */
  scheduled: readonly Override[]
  /** Empty if the deliveries are unknown. */
  deliveries: readonly Delivery[]
  labels: readonly string[]
  role: string
  now: Date
}

type RemedyTarget =
  | { page: 'subscriber'; search: { feature?: string; change?: true; to?: string; tab?: 'overrides' } }
  | { page: 'webhook'; search: { delivery?: string } }
  | { page: 'plan'; planKey: string }

export type SuggestedFix = { text: string; to: RemedyTarget | null }

/** One line of the story: a past event or a current state, with a remedy. */
export type StoryLine = {
  id: string
  text: string
  at: string | null
  note: string | null
  remedy: SuggestedFix | null
  /** Whether the line is about a current problem. */
  isWarning: boolean
  /** The changes that the event made. Empty if it made only one, unless a value of that change is JSON. */
  changes: readonly Change[]
}

export type Story = {
  /** The present state. */
  present: StoryLine[]
  /** Past events, newest first. */
  past: StoryLine[]
}

/** Explains what the subscriber has: the current state, and what led to it. */
export function toStory(facts: StoryFacts): Story {
  const groups = groupChanges(facts.changes, facts.hasMore)
  return {
    present: [
      ...facts.deliveries.map((delivery) => describeDeliveryState(delivery, facts)),
      describePlan(facts),
      ...describeLaterStarts(facts),
      ...describeEnds(facts),
    ].filter((line) => line !== null),
    past: describeGroups(groups, facts),
  }
}

export function namesOf({ features, plans }: Pick<StoryFacts, 'features' | 'plans'>): Names {
  const [byFeature, byPlan] = [features, plans].map((items) => new Map(items.map(({ key, name }) => [key, name])))
  const shorten = (name: string) => shortenMiddle(name, 60)
  return { feature: (key) => shorten(byFeature?.get(key) ?? key), plan: (key) => shorten(byPlan?.get(key) ?? key) }
}

/** A remedy with a link. For roles without the label, the text says that their role cannot do it, and there is no link. */
function remedyFor({ labels, role }: StoryFacts, label: Label, text: string, to: RemedyTarget): SuggestedFix {
  return labels.includes(label) ? { text, to } : { text: `${text}: your role, ${role}, cannot do this`, to: null }
}

const lineDefaults: Omit<StoryLine, 'id' | 'text' | 'remedy'> = { at: null, note: null, isWarning: false, changes: [] }

function describeDeliveryState(delivery: Delivery, facts: StoryFacts): StoryLine {
  const isWarning = isUndelivered(delivery) && delivery.state !== 'QUEUED'
  return {
    ...lineDefaults,
    id: `delivery ${delivery.change}`,
    text: describeDelivery(delivery),
    at: timeOfState(delivery),
    isWarning,
    remedy: remedyOf(delivery, facts),
  }
}

function remedyOf({ state, eventId }: Delivery, { labels, role }: StoryFacts): SuggestedFix | null {
  if (!labels.includes('webhooks:read')) {
    const hidden = `Your role, ${role}, cannot see deliveries`
    const isStuck = state === 'PAUSED' || state === 'FAILED' || state === 'RETRYING'
    return { text: isStuck ? `${hidden}: a developer or an admin can help` : hidden, to: null }
  }
  const event = { page: 'webhook', search: eventId === null ? {} : { delivery: eventId } } as const
  switch (state) {
    case 'PAUSED':
      return { text: 'Resume deliveries', to: { page: 'webhook', search: {} } }
    case 'FAILED':
      return { text: 'See why, and send it again', to: event }
    case 'RETRYING':
      return { text: 'See the answers', to: event }
    case 'NONE':
      return { text: 'Open the webhook', to: { page: 'webhook', search: {} } }
    default:
      return { text: 'See the delivery', to: event }
  }
}

function describePlan(facts: StoryFacts): StoryLine | null {
  const { plan, plans } = facts
  const change = { page: 'subscriber', search: { change: true } } as const
  if (plan === null) {
    const remedy = remedyFor(facts, 'subscribers:write', 'Choose a plan', change)
    return { ...lineDefaults, id: 'plan', text: 'No plan: only overrides grant something', isWarning: true, remedy }
  }
  const found = plans.find(({ key }) => key === plan)
  if (!found?.archivedAt) return null
  const text = `Plan ${found.name} is archived: it stays, but nobody can subscribe to it again`
  const remedy = remedyFor(facts, 'subscribers:write', 'Change the plan', change)
  return { ...lineDefaults, id: 'plan', text, at: found.archivedAt, isWarning: true, remedy }
}

/** The number of overrides that get their own line. */
const maxLines = 3

function describeLaterStarts(facts: StoryFacts): StoryLine[] {
  const { scheduled, now } = facts
  const { feature: nameOf } = namesOf(facts)
  const starting = scheduled
    .flatMap(({ startsAt, expiresAt, ...override }) =>
      startsAt ? [{ ...override, start: new Date(startsAt), end: expiresAt && new Date(expiresAt) }] : [],
    )
    .filter(({ start }) => start > now)
    .toSorted((one, other) => one.start.getTime() - other.start.getTime())
  if (starting.length > maxLines) {
    return [
      summarize(
        'starts',
        starting.map(({ start }) => start),
        `${starting.length} overrides start later, ${nameOf(starting[0]?.feature ?? '')} first`,
      ),
    ]
  }
  return starting.map(({ feature, start, end, ...override }) => {
    const value = describeInProse(overrideValue(override))
    const until = end ? `, and expires on ${formatDay(end, now)}` : ''
    return {
      ...lineDefaults,
      id: `starts ${feature}`,
      at: start.toISOString(),
      text: `An override of ${nameOf(feature)} (${value}) starts ${formatFutureTime(start, now)}${until}`,
      note: override.note,
      remedy: remedyFor(facts, 'overrides:write', 'Start it now', { page: 'subscriber', search: { feature } }),
    }
  })
}

const soonMs = 7 * 86_400_000

function describeEnds(facts: StoryFacts): StoryLine[] {
  const { features, now } = facts
  const ending = features
    .flatMap(({ key, override }) => (override?.expiresAt ? [{ key, end: new Date(override.expiresAt) }] : []))
    .filter(({ end }) => end > now && end.getTime() - now.getTime() < soonMs)
    .toSorted((one, other) => one.end.getTime() - other.end.getTime())
  const { feature: nameOf } = namesOf(facts)
  if (ending.length > maxLines) {
    return [
      summarize(
        'ends',
        ending.map(({ end }) => end),
        `${ending.length} overrides expire within 7 days, ${nameOf(ending[0]?.key ?? '')} first`,
      ),
    ]
  }
  return ending.map(({ key, end }) => ({
    ...lineDefaults,
    id: `ends ${key}`,
    at: end.toISOString(),
    text: `The override of ${nameOf(key)} expires ${formatFutureTime(end, now)}`,
    remedy: remedyFor(facts, 'overrides:write', 'Extend it', { page: 'subscriber', search: { feature: key } }),
  }))
}

function summarize(id: string, [first]: readonly Date[], text: string): StoryLine {
  const search = { tab: 'overrides' } as const
  return {
    ...lineDefaults,
    id,
    text,
    at: first?.toISOString() ?? null,
    remedy: { text: 'See them', to: { page: 'subscriber', search } },
  }
}

function describeGroups(groups: readonly ChangeGroup[], facts: StoryFacts): StoryLine[] {
  const names = namesOf(facts)
  const [hasNewer, existing] = [new Set<string>(), new Set(facts.features.map(({ key }) => key))]
  let hasNewerPlanChange = false
  return groups.map((group) => {
    // A value that a newer change has set needs no remedy.
    const lost = findLosses(group).filter((key) => existing.has(key) && !hasNewer.has(key))
    const remedy =
      lost.length === 0 || (group.cause === 'SUBSCRIPTION' && hasNewerPlanChange)
        ? null
        : findRemedy(group, lost, { facts, names })
    for (const { change } of group.changes) if (change.feature !== null) hasNewer.add(change.feature)
    hasNewerPlanChange ||= group.cause === 'SUBSCRIPTION'
    const changes = group.changes.map(({ change }) => change)
    const { id, at, note } = group
    const isWarning = isUndeliveredPlanChange(group, facts)
    const text = `${describeGroup(group, names)}${isWarning ? ' · your product has not been told' : ''}`
    return { id, text, at, note, remedy, isWarning, changes: changes.some(isJson) || changes.length > 1 ? changes : [] }
  })
}

function isJson({ from, to }: Change): boolean {
  return [from, to].some((side) => isNested(side?.entitlement.value))
}

/** Different statements record a change and its event, so their times differ a little. */
const slackMs = 1000

/**
 * Whether the vendor's product has not received the change to the plan. A plan's event covers all its subscribers. Earlier
 * events that were queued during a pause are waiting, as the newest one is.
 */
function isUndeliveredPlanChange({ cause, plan, at }: ChangeGroup, { plan: present, deliveries }: StoryFacts): boolean {
  const delivery = deliveries.find(({ change }) => change === 'of plan')
  if (cause !== 'PLAN' || plan !== present || !delivery?.occurredAt) return false
  if (!isUndelivered(delivery) || delivery.state === 'QUEUED') return false
  const since = [delivery.occurredAt, delivery.pausedAt ?? delivery.occurredAt].map((time) => Date.parse(time))
  return Date.parse(at) >= Math.min(...since) - slackMs
}

/** The remedy that would restore what was lost. */
function findRemedy(
  { cause, planBefore, plan }: ChangeGroup,
  lost: readonly string[],
  { facts, names }: { facts: StoryFacts; names: Names },
): SuggestedFix | null {
  if (cause === 'SUBSCRIPTION') {
    const former = facts.plans.find(({ key }) => key === planBefore)
    if (!former || former.archivedAt) return null
    const search = { change: true, to: former.key } as const
    return remedyFor(facts, 'subscribers:write', `Change back to ${former.name}`, { page: 'subscriber', search })
  }
  if (cause === 'PLAN' && plan !== null) {
    return remedyFor(facts, 'plans:write', `Revert it on ${names.plan(plan)}`, { page: 'plan', planKey: plan })
  }
  const [feature] = lost
  if (feature === undefined) return null
  return remedyFor(facts, 'overrides:write', 'Override it again', { page: 'subscriber', search: { feature } })
}
