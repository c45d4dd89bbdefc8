import { noInput } from '../../core/input.ts'
import { claimsLapse } from '../../events/claim.ts'
import { defineWrite } from '../../operation/operation.ts'
import { webhookNotFound } from './webhook.ts'

/** Removes the endpoint and drops what is queued; a later endpoint gets none of it. */
export const deleteWebhook = defineWrite({
  name: 'deleteWebhook',
  summary: 'Delete the webhook and drop what is queued.',
  method: 'DELETE',
  route: '/org/webhook',
  service: 'api',
  labels: ['webhooks:write'],
  status: 204,
  input: noInput,
  answer: null,
  refusals: ['NOT_FOUND'],
  async run({ tx, organizationId }) {
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { organizationId } })
    if (count === 0) throw webhookNotFound()
    // A statement of its own, after the endpoint's: it sees the events of writes that held the endpoint until now.
    await tx.webhookEvent.deleteMany({ where: { organizationId, state: 'queued' } })
    return {
      result: organizationId,
      details: null,
      settle: (database) => claimsLapse(database, organizationId),
    }
  },
})
