import { noInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { Database } from '../../database/client.ts'
import { waitForBatchLeasesToEnd } from '../../events/batch-lease.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import {
  lockWebhook,
  makeMostQueuedEventsDue,
  makeQueuedEventsDue,
  resumedColumns,
  type Webhook,
  webhookAnswer,
} from './webhook.ts'

const definition = {
  method: 'POST',
  service: 'api',
  labels: ['webhooks:write'],
  adds: false,
  status: 200,
  input: noInput,
} as const

/** Pauses deliveries: events are still queued, and nothing is sent. */
export const disableWebhook = defineWrite({
  ...definition,
  name: 'disableWebhook',
  summary: 'Pause deliveries. Events are still queued.',
  route: '/org/webhook/disable',
  answer: webhookAnswer,
  refusals: ['NOT_FOUND'],
  beforeReplay: waitForBatchLeasesToEnd,
  async run({ tx, now, organizationId }): Promise<WriteOutcome<Webhook>> {
    const webhook = await lockWebhook(tx, organizationId)
    // Another request may have paused deliveries just now, and events that a worker read before the pause may still be sent.
    const afterCommit = (database: Database) => waitForBatchLeasesToEnd(database, organizationId)
    if (webhook.disabled) return { result: webhook, details: null, afterCommit }
    const result = await tx.webhookEndpoint.update({
      where: { organizationId },
      data: { disabled: true, disabledAt: now, updatedAt: nextUpdatedAt(webhook, now) },
    })
    return { result, details: { disabled: { from: false, to: true } }, afterCommit }
  },
})

/** Resumes deliveries after any pause: all queued events are due at once, in their order. */
export const enableWebhook = defineWrite({
  ...definition,
  name: 'enableWebhook',
  summary: 'Resume deliveries: all queued events are due at once, in their order.',
  route: '/org/webhook/enable',
  answer: webhookAnswer,
  refusals: ['NOT_FOUND'],
  prepare: ({ database, organizationId }) => makeMostQueuedEventsDue(database, organizationId),
  async run({ tx, now, organizationId }): Promise<WriteOutcome<Webhook>> {
    const webhook = await lockWebhook(tx, organizationId)
    if (!webhook.disabled) return { result: webhook, details: null }
    await makeQueuedEventsDue(tx, organizationId)
    const result = await tx.webhookEndpoint.update({
      where: { organizationId },
      data: { ...resumedColumns, updatedAt: nextUpdatedAt(webhook, now) },
    })
    return { result, details: { disabled: { from: true, to: false } }, mayBeDue: true }
  },
})
