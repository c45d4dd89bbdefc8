import { decodeTime } from 'ulidx'
import { newId } from '../core/ids.ts'
import { type Occurrence, writeBody } from './event-body.ts'

/** The maximum difference between the clocks of a process and the database. */
export const maxIdSkewMs = 60_000

/**
 * An event as it is stored for receivers, for followers of changes, or for both. `body` is written once: every attempt signs
 * and sends its UTF-8 bytes.
 */
export type NewEvent = {
  id: string
  type: Occurrence['type']
  body: string
  occurredAt: Date
  /** Whether the time in the id is so much later than `occurredAt` that it does not show when the event occurred. */
  isLate: boolean
  /** The subscriber that the event concerns, if any. */
  subscriberId: string | null
  /** Whether there is only one attempt, whatever its result. */
  once: boolean
}

export function newEvent(organizationId: string, occurredAt: Date, occurrence: Occurrence): NewEvent {
  const id = newId()
  const { type } = occurrence
  return {
    id,
    type,
    body: writeBody({ ...occurrence, id, occurredAt, organizationId }),
    occurredAt,
    isLate: decodeTime(id) > occurredAt.getTime() + maxIdSkewMs,
    subscriberId: 'subscriberId' in occurrence ? occurrence.subscriberId : null,
    once: type === 'webhook.test',
  }
}
