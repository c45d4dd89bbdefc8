import { decodeTime } from 'ulidx'
import { newId } from '../core/ids.ts'

/** How far the clocks of a process and of the database may be apart. */
export const maxIdSkewMs = 60_000

/** What a receiver is notified of: which cached snapshots are stale. Contract: Events. */
export type Occurrence =
  | {
      type: 'entitlements.stale'
      subscriberId: string
      cause: 'subscription' | 'override' | 'expiry' | 'subscriber'
      /** The features whose values changed, if they are known; without them the whole snapshot is stale. */
      features?: readonly string[]
    }
  | { type: 'plan.grants.updated'; planKey: string }
  /** Requested by a person, to see whether the receiver answers. */
  | { type: 'webhook.test' }

/** An event as it is stored. `body` is written once: every attempt signs and sends its UTF-8 bytes. */
export type NewEvent = {
  id: string
  type: Occurrence['type']
  body: string
  occurredAt: Date
  /** Whether the id is so much newer that it says nothing about when the event occurred. */
  isLate: boolean
  /** Whom it is about; null when it is about no subscriber by name. */
  subscriberId: string | null
  /** Allows only one attempt, whatever its result. */
  once: boolean
}

export function newEvent(organizationId: string, occurredAt: Date, occurrence: Occurrence): NewEvent {
  const id = newId()
  const { type } = occurrence
  const head = { id, type, occurred_at: occurredAt.toISOString(), organization_id: organizationId }
  return {
    id,
    type,
    body: JSON.stringify({ ...head, ...toFields(occurrence) }),
    occurredAt,
    isLate: decodeTime(id) > occurredAt.getTime() + maxIdSkewMs,
    subscriberId: 'subscriberId' in occurrence ? occurrence.subscriberId : null,
    once: type === 'webhook.test',
  }
}

function toFields(occurrence: Occurrence): Record<string, unknown> {
  switch (occurrence.type) {
    case 'entitlements.stale': {
      const { subscriberId, cause, features } = occurrence
      return { subscriber_id: subscriberId, cause, ...(features && { features }) }
    }
    case 'plan.grants.updated':
      return { key: occurrence.planKey }
    case 'webhook.test':
      return {}
  }
}
