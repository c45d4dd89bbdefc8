import { notFound } from '../../core/errors.ts'
import { namedEnum } from '../../core/field-type.ts'
import { isUlid } from '../../core/ids.ts'
import { WebhookEventState } from '../../database/generated/enums.ts'

export type { WebhookEvent } from '../../database/generated/client.ts'

/*
 * | From              | Trigger                                       | To                               |
 * | queued            | a 2xx                                         | delivered                        |
 * | queued            | a failed attempt, more are left               | queued, due after the next wait  |
 * | queued            | a failed attempt, the last one or the only    | failed                           |
 * | delivered, failed | resend                                        | queued, for one attempt          |
 */

export const eventStates = Object.values(WebhookEventState)

export function eventState() {
  return namedEnum(
    'WebhookEventState',
    eventStates,
    'QUEUED waits for an attempt, DELIVERED was acknowledged, FAILED was given up.',
  )
}

export function eventNotFound(id: string) {
  return notFound('event', id)
}

export function isEventId(id: string): boolean {
  return isUlid(id)
}
