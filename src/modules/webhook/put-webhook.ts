import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { Database } from '../../database/client.ts'
import { waitForBatchLeasesToEnd } from '../../events/batch-lease.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { assertMayBeReached } from './url.ts'
import {
  lockWebhook,
  lockWebhookIfExists,
  makeMostQueuedEventsDue,
  makeQueuedEventsDue,
  newSecret,
  resumedColumns,
  type WebhookWithSecret,
  webhookFields,
  webhookWithSecretAnswer,
} from './webhook.ts'

/** Creates the endpoint, or replaces its url. Keeps the secret, and resumes a paused endpoint. */
export const putWebhook = defineWrite({
  name: 'putWebhook',
  summary: 'Create the webhook, or replace its address and resume deliveries.',
  method: 'PUT',
  route: '/org/webhook',
  service: 'api',
  labels: ['webhooks:write'],
  locks: 'organization',
  status: 200,
  input: defineInput(webhookFields.input, { unknown: 'ignore' }),
  answer: webhookWithSecretAnswer,
  refusals: ['NOT_FOUND'],
  async prepare({ database, organizationId, input, limits }) {
    assertMayBeReached(input.url, limits)
    await makeMostQueuedEventsDue(database, organizationId)
  },
  async run({ tx, now, organizationId, input, vault }): Promise<WriteOutcome<WebhookWithSecret>> {
    let webhook = await lockWebhookIfExists(tx, organizationId)
    if (!webhook) {
      const { secret, sealed, secretPrefix } = newSecret(vault, organizationId)
      const [created] = await tx.webhookEndpoint.createManyAndReturn({
        data: { organizationId, ...toColumns(input), secret: sealed, secretPrefix, createdAt: now, updatedAt: now },
        skipDuplicates: true,
      })
      if (created) {
        const details = { ...webhookFields.toDetails(created), secret_prefix: secretPrefix }
        return { result: { ...created, newSecret: secret }, details }
      }
      // Another request has just created the endpoint.
      webhook = await lockWebhook(tx, organizationId)
    }

    // Waits even if nothing changes: another request may have saved this address just now.
    const afterCommit = (database: Database) => waitForBatchLeasesToEnd(database, organizationId)
    const details = describeChanges(webhook, { ...input, disabled: false })
    if (!details) return { result: { ...webhook, newSecret: null }, details, afterCommit }
    if (webhook.disabled) await makeQueuedEventsDue(tx, organizationId)
    const updated = await tx.webhookEndpoint.update({
      where: { organizationId },
      data: { ...toColumns(input), ...(webhook.disabled && resumedColumns), updatedAt: nextUpdatedAt(webhook, now) },
    })
    return {
      result: { ...updated, newSecret: null },
      details,
      mayBeDue: webhook.disabled,
      afterCommit,
    }
  },
})
