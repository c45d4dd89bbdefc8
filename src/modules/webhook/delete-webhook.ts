import { noInput } from '../../core/input.ts'
import { waitForBatchLeasesToEnd } from '../../events/batch-lease.ts'
import { defineWrite } from '../../operation/operation.ts'
import { webhookNotFound } from './webhook.ts'

/** Deletes the endpoint and its queued events, so that a later endpoint does not receive them. */
export const deleteWebhook = defineWrite({
  name: 'deleteWebhook',
  summary: 'Delete the webhook and drop its queued events.',
  method: 'DELETE',
  route: '/org/webhook',
  service: 'api',
  labels: ['webhooks:write'],
  status: 204,
  input: noInput,
  answer: null,
  refusals: ['NOT_FOUND'],
  // The first request may have deleted a test that is still being sent.
  beforeReplay: (database, organizationId) => waitForBatchLeasesToEnd(database, organizationId, true),
  async run({ tx, organizationId }) {
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { organizationId } })
    if (count === 0) throw webhookNotFound()
    // A separate statement after the endpoint is deleted, so that it sees the events of writes that had locked the endpoint.
    const queued = { organizationId, state: 'queued' } as const
    const { count: tests } = await tx.webhookEvent.deleteMany({ where: { ...queued, type: 'webhook.test' } })
    await tx.webhookEvent.deleteMany({ where: queued })
    return {
      result: organizationId,
      details: null,
      afterCommit: (database) => waitForBatchLeasesToEnd(database, organizationId, tests > 0),
    }
  },
})
