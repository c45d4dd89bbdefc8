import { DomainError, notFound, validationError } from '../../core/errors.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { CurrentOverride } from '../../database/current-override.ts'
import type { NewEvent } from '../../events/event.ts'
import type { Limits } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import type { Feature } from '../features/feature.ts'
import { type Override, overrideEvents, toStoredOverride } from '../overrides/override.ts'
import { computePut, toRecordedFields } from '../overrides/override-change.ts'
import { classifyChange } from '../overrides/override-in-force.ts'
import { newSubscriber, type Subscriber } from '../subscribers/subscriber.ts'
import {
  assertAcceptsSubscriptions,
  newSubscription,
  type Subscription,
  subscriptionEvent,
  toCanceledSubscription,
} from '../subscriptions/subscription.ts'
import { atField, type ImportLine } from './import-line.ts'

/** The state of a subscriber, as stored or after a line. */
export type SubscriberState = {
  /** Null before the line that creates the subscriber. */
  subscriber: Subscriber | null
  active: Subscription | null
  /** Subscriptions that earlier lines have canceled. */
  ended: readonly Subscription[]
  /** Overrides of the features that the lines name. */
  overrides: ReadonlyMap<string, CurrentOverride>
  /** The bytes of the values of all overrides, including those that no line names. */
  valueBytes: number
}

/** The locked rows that lines refer to, and the sender of the lines. */
export type BatchContext = {
  organizationId: string
  memberId: string
  features: ReadonlyMap<string, Feature>
  plans: ReadonlyMap<string, { archivedAt: Date | null }>
  limits: Pick<Limits, 'maxOverrideBytes'>
  /** The database's time after all rows were locked. */
  now: Date
}

export type LineResult = {
  after: SubscriberState
  isNew: boolean
  /** The changes; null if nothing changed. */
  details: Record<string, unknown> | null
  events: NewEvent[]
  /** The times at which the overrides that the line puts start and expire. */
  due: Date[]
}

/** Applies a line to its subscriber. Throws the same refusals as the operations for a single subscriber. */
export function applyLine(line: ImportLine, before: SubscriberState, context: BatchContext): LineResult {
  const written = applyFields(line, before, context)
  const subscribed = applyPlan(line, before, context)
  const put = applyOverrides(line, before, context)
  const details = { ...written.details, ...subscribed.details, ...put.details }
  const events = [...subscribed.events, ...put.events]
  const { subscriber, isNew } = written
  return {
    after: { ...before, subscriber, ...subscribed.after, ...put.after },
    isNew,
    details: Object.keys(details).length > 0 ? details : null,
    events,
    due: put.due,
  }
}

function applyFields(
  { id, input }: ImportLine,
  { subscriber }: SubscriberState,
  { organizationId, now }: BatchContext,
) {
  const times = { createdAt: now, updatedAt: now }
  const before: Subscriber = subscriber ?? { ...newSubscriber({ organizationId, id, input: {} }), ...times }
  const details = describeChanges(before, input)
  if (subscriber && !details) return { subscriber, isNew: false, details }
  const updatedAt = subscriber ? nextUpdatedAt(subscriber, now) : now
  return { subscriber: { ...before, ...toColumns(input), updatedAt }, isNew: !subscriber, details }
}

type PlanChange = { after: Partial<SubscriberState>; details: object; events: NewEvent[] }

function applyPlan({ id, planKey }: ImportLine, { active, ended }: SubscriberState, context: BatchContext): PlanChange {
  const before = active?.planKey ?? null
  if (planKey === undefined || planKey === before) return { after: {}, details: {}, events: [] }
  const { organizationId, memberId, plans, now } = context
  const key = { organizationId, subscriberId: id }
  const canceled = active ? [toCanceledSubscription(active, now, memberId)] : []
  const created =
    planKey === null
      ? null
      : newSubscription({
          ...key,
          input: { plan_id: assertAcceptsSubscriptions(planKey, plans.get(planKey) ?? null) },
          createdAt: now,
          createdBy: memberId,
        })
  return {
    after: { active: created, ended: [...ended, ...canceled] },
    details: { plan_id: { from: before, to: planKey } },
    events: [subscriptionEvent(key, now)],
  }
}

type OverridesChange = PlanChange & { due: Date[] }

function applyOverrides(line: ImportLine, before: SubscriberState, context: BatchContext): OverridesChange {
  if (line.overrides.size === 0) return { after: {}, details: {}, events: [], due: [] }
  const overrides = new Map(before.overrides)
  let { valueBytes } = before
  const details: Record<string, unknown> = Object.create(null)
  const features: string[] = []
  let movesEnd = false
  const due: Date[] = []

  for (const [featureKey, input] of line.overrides) {
    const feature = context.features.get(featureKey)
    if (!feature) throw notFound('feature', featureKey)
    const existing = overrides.get(featureKey) ?? null
    const change = computeOverrideChange({ feature, existing, input, id: line.id, valueBytes }, context)
    if (!change) continue
    const { override, isEvent } = change
    if (override) overrides.set(featureKey, override)
    else overrides.delete(featureKey)
    valueBytes += bytesOf(override) - bytesOf(existing)
    details[featureKey] = { from: existing && toRecordedFields(existing), to: override && toRecordedFields(override) }
    if (isEvent) features.push(featureKey)
    movesEnd ||= change.movesEnd
    due.push(...change.due)
  }
  const key = { organizationId: context.organizationId, subscriberId: line.id }
  return {
    after: { overrides, valueBytes },
    details: Object.keys(details).length > 0 ? { overrides: details } : {},
    events: overrideEvents(key, { features, movesEnd }, context.now),
    due,
  }
}

type OverrideLine = {
  feature: Feature
  existing: CurrentOverride | null
  input: ImportLine['overrides'] extends ReadonlyMap<string, infer Input> ? Input : never
  id: string
  valueBytes: number
}

type OverrideChange = { override: CurrentOverride | null; isEvent: boolean; movesEnd: boolean; due: Date[] }

/** Computes the change of an override; null if nothing changes. */
function computeOverrideChange(
  { feature, existing, input, id, valueBytes }: OverrideLine,
  { organizationId, memberId, limits, now }: BatchContext,
): OverrideChange | null {
  if (input === null) {
    if (!existing) return null
    const { isEvent, movesEnd } = classifyChange(toStoredOverride(existing), null, now)
    return { override: null, isEvent, movesEnd, due: [] }
  }
  const locked = { override: existing, lockedAt: now, otherBytes: valueBytes - bytesOf(existing) }
  const subscriber = { organizationId, id }
  const put = withOverridePath(feature.key, () => computePut({ feature, subscriber, locked, input, memberId, limits }))
  return put.isWritten ? put : null
}

/** Runs the function, and adds the path of the feature's override to a refusal. */
function withOverridePath<Result>(feature: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'VALIDATION_ERROR')) throw error
    throw validationError(atField(`overrides.${feature}`, error))
  }
}

function bytesOf(override: Override | null): number {
  return Buffer.byteLength(override?.value ?? '')
}
