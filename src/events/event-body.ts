import { z } from 'zod'
import { defineAnswer, fieldFrom, type ObjectAnswer } from '../core/answer.ts'
import { anyIdField, idField, keyField, timeField } from '../core/answer-fields.ts'

/** Tells receivers and followers what happened, and so which cached snapshots are stale. Contract: Events, Changes. */
export type Occurrence =
  | {
      type: 'entitlements.stale'
      subscriberId: string
      cause: 'subscription' | 'override' | 'expiry' | 'subscriber'
      /** The features whose values changed, if they are known; without them the whole snapshot is stale. */
      features?: readonly string[]
    }
  | { type: 'plan.grants.updated'; planKey: string }
  /** Requested by a person, to see whether the receiver answers. Followers do not get it. */
  | { type: 'webhook.test' }
  /** Only the `valid_until` of snapshots has changed. Receivers do not get it. */
  | { type: 'entitlements.end_moved'; subscriberId: string }
  /** A feature was created, changed or deleted. Receivers do not get it. */
  | { type: 'catalog.updated' }

/** An occurrence, with the other data of its body. */
type EventContents = Occurrence & { id: string; occurredAt: Date; organizationId: string }
type Stale = Extract<EventContents, { type: 'entitlements.stale' }>
type PlanUpdated = Extract<EventContents, { type: 'plan.grants.updated' }>

function commonFields(type: Occurrence['type']) {
  return {
    id: idField().describe('The id of the event, the same on every attempt: use it to recognize duplicates.'),
    type: z.literal(type),
    occurred_at: timeField().describe('When it happened.'),
    organization_id: idField().describe('The organization in which it happened.'),
  }
}

const bodyByType: Record<Occurrence['type'], ObjectAnswer<EventContents>> = {
  'entitlements.stale': defineAnswer<EventContents>(
    'EntitlementsStaleEvent',
    "A subscriber's entitlements may have changed: drop the cached snapshot, and read it again when it is next needed.",
    {
      ...commonFields('entitlements.stale'),
      subscriber_id: anyIdField().describe('The subscriber whose snapshot is stale.'),
      cause: z
        .enum(['subscription', 'override', 'expiry', 'subscriber'])
        .describe(
          '`subscription`: a subscription was created, changed or canceled. `override`: an override was put or deleted. ' +
            '`expiry`: an override expired. `subscriber`: the subscriber was deleted.',
        ),
      features: fieldFrom(
        ({ features }: Stale) => features ?? null,
        z
          .array(keyField())
          .min(1)
          .optional()
          .describe(
            'The features whose values changed: dropping these is enough. If absent, the whole snapshot is stale.',
          ),
      ),
    },
  ),
  'plan.grants.updated': defineAnswer<EventContents>(
    'PlanGrantsUpdatedEvent',
    "A plan's grants changed: drop the snapshots of the subscribers on it (a snapshot's `plan` says which), or all.",
    {
      ...commonFields('plan.grants.updated'),
      key: fieldFrom(({ planKey }: PlanUpdated) => planKey, keyField().describe('The key of the plan.')),
    },
  ),
  'webhook.test': defineAnswer<EventContents>(
    'WebhookTestEvent',
    'A test of the receiver: nothing is stale. There is only one attempt.',
    commonFields('webhook.test'),
  ),
  'entitlements.end_moved': defineAnswer<EventContents>(
    'EntitlementsEndMovedEvent',
    "The expiry of an override in force was changed: the subscriber's entitlements are the same, but `valid_until` is different.",
    {
      ...commonFields('entitlements.end_moved'),
      subscriber_id: anyIdField().describe('The subscriber whose snapshot has a different `valid_until`.'),
    },
  ),
  'catalog.updated': defineAnswer<EventContents>(
    'CatalogUpdatedEvent',
    'A feature was created, changed or deleted: an unknown feature may have become known, and snapshots list different features.',
    commonFields('catalog.updated'),
  ),
}

type Routing = {
  /** The subscribers whose answers may be stale; null if there are none. */
  affects: 'subscriber' | 'plan' | 'everybody' | null
  receivers: boolean
  followers: boolean
}

/** The subscribers that each type concerns, and whether receivers and followers get it. */
const routing: Record<Occurrence['type'], Routing> = {
  'entitlements.stale': { affects: 'subscriber', receivers: true, followers: true },
  'plan.grants.updated': { affects: 'plan', receivers: true, followers: true },
  'webhook.test': { affects: null, receivers: true, followers: false },
  'entitlements.end_moved': { affects: 'subscriber', receivers: false, followers: true },
  'catalog.updated': { affects: 'everybody', receivers: false, followers: true },
}

/** The subscribers whose answers may be stale: `everybody` for unknown types, which a newer release may write. */
export function affectedSubscribers(type: string): Routing['affects'] {
  return isKnownType(type) ? routing[type].affects : 'everybody'
}

function isKnownType(type: string): type is Occurrence['type'] {
  return Object.hasOwn(routing, type)
}

const isForReceivers = (type: Occurrence['type']) => routing[type].receivers
const isForFollowers = (type: Occurrence['type']) => routing[type].followers

/** Whether receivers and followers get the events of a type. */
export const audience = { receivers: isForReceivers, followers: isForFollowers }

const allBodies = Object.entries(bodyByType) as [Occurrence['type'], ObjectAnswer<EventContents>][]

/** The body that a receiver gets for each type of event. */
export const eventBodies: ReadonlyMap<string, ObjectAnswer<EventContents>> = new Map(
  allBodies.filter(([type]) => isForReceivers(type)),
)

/** The body that a follower gets for each type of change. */
export const changeBodies: ReadonlyMap<string, ObjectAnswer<EventContents>> = new Map(
  allBodies.filter(([type]) => isForFollowers(type)),
)

/** The text that is signed and sent. */
export function writeBody(contents: EventContents): string {
  return JSON.stringify(bodyByType[contents.type].toBody(contents))
}
