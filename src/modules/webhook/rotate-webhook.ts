import { noInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { waitForBatchLeasesToEnd } from '../../events/batch-lease.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockWebhook, newSecret, type WebhookWithSecret, webhookWithSecretAnswer } from './webhook.ts'

/** Replaces the secret. Every attempt after the answer is signed with the new secret, even for earlier events. */
export const rotateWebhook = defineWrite({
  name: 'rotateWebhook',
  summary: 'Replace the secret of the webhook at once, also for retries of earlier events.',
  method: 'POST',
  route: '/org/webhook/rotate',
  service: 'api',
  labels: ['webhooks:write'],
  adds: false,
  status: 200,
  input: noInput,
  answer: webhookWithSecretAnswer,
  refusals: ['NOT_FOUND'],
  async run({ tx, now, organizationId, vault }): Promise<WriteOutcome<WebhookWithSecret>> {
    const webhook = await lockWebhook(tx, organizationId)
    const { secret, sealed, secretPrefix } = newSecret(vault, organizationId)
    const rotated = await tx.webhookEndpoint.update({
      where: { organizationId },
      data: { secret: sealed, secretPrefix, updatedAt: nextUpdatedAt(webhook, now) },
    })
    return {
      result: { ...rotated, newSecret: secret },
      details: describeChanges({ secret_prefix: webhook.secretPrefix }, { secret_prefix: secretPrefix }),
      afterCommit: (database) => waitForBatchLeasesToEnd(database, organizationId),
    }
  },
})
